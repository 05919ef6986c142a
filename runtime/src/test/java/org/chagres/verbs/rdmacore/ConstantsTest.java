package org.chagres.verbs.rdmacore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Method;
import java.util.function.ToIntFunction;
import org.chagres.bindings.rdmacm.rdma_cma_h;
import org.chagres.bindings.verbs.verbs_h;
import org.chagres.verbs.Access;
import org.chagres.verbs.AsyncEventType;
import org.chagres.verbs.CmEventType;
import org.chagres.verbs.CompletionBatch;
import org.chagres.verbs.CompletionOpcode;
import org.chagres.verbs.CompletionStatus;
import org.chagres.verbs.Mtu;
import org.chagres.verbs.PortSpace;
import org.chagres.verbs.PreparedSends;
import org.chagres.verbs.QueuePairAttribute;
import org.chagres.verbs.QueuePairState;
import org.chagres.verbs.QueuePairType;
import org.chagres.verbs.SendFlag;
import org.junit.jupiter.api.Test;

/** The numbers in the API, which names no library, are those of the library's headers. */
class ConstantsTest {
    /** Compares each enum constant with the generated constant of the same name; absent ones must be few. */
    private static <E extends Enum<E>> void same(final Class<?> header, final String prefix, final E[] values,
            final ToIntFunction<E> code)
            throws ReflectiveOperationException {
        int compared = 0;
        for (final E value : values) {
            final Method constant = find(header, prefix + value.name());
            if (constant != null) {
                assertEquals((int) constant.invoke(null), code.applyAsInt(value), prefix + value.name());
                compared++;
            }
        }
        assertTrue(compared >= values.length - 1, compared + " of " + values.length + " are in the header: " + prefix);
    }

    private static Method find(final Class<?> header, final String name) {
        for (final Method method : header.getMethods()) {
            if (method.getName().equals(name) && method.getParameterCount() == 0) {
                return method;
            }
        }
        return null;
    }

    @Test
    void allNumbersAreTheHeaders() throws ReflectiveOperationException {
        same(verbs_h.class, "IBV_WC_", CompletionStatus.values(), CompletionStatus::code);
        same(verbs_h.class, "IBV_WC_", CompletionOpcode.values(), CompletionOpcode::code);
        same(verbs_h.class, "IBV_ACCESS_", Access.values(), Access::bit);
        same(verbs_h.class, "IBV_QP_", QueuePairAttribute.values(), QueuePairAttribute::bit);
        same(verbs_h.class, "IBV_QPS_", QueuePairState.values(), QueuePairState::code);
        same(verbs_h.class, "IBV_QPT_", QueuePairType.values(), QueuePairType::code);
        same(verbs_h.class, "IBV_SEND_", SendFlag.values(), SendFlag::bit);
        same(verbs_h.class, "IBV_EVENT_", AsyncEventType.values(), AsyncEventType::code);
        same(verbs_h.class, "IBV_", Mtu.values(), Mtu::code);
        same(rdma_cma_h.class, "RDMA_CM_EVENT_", CmEventType.values(), CmEventType::code);
        same(rdma_cma_h.class, "RDMA_PS_", PortSpace.values(), PortSpace::code);
        assertEquals(SendFlag.SIGNALED.bit(), PreparedSends.SIGNALED);
        assertEquals(SendFlag.FENCE.bit(), PreparedSends.FENCE);
        assertEquals(SendFlag.SOLICITED.bit(), PreparedSends.SOLICITED);
        assertEquals(SendFlag.INLINE.bit(), PreparedSends.INLINE);
        assertEquals(CompletionOpcode.RECV.code(), CompletionBatch.RECV);
        assertEquals(CompletionOpcode.RECV_RDMA_WITH_IMM.code(), CompletionBatch.RECV_RDMA_WITH_IMM);
        assertEquals(CompletionOpcode.RDMA_WRITE.code(), CompletionBatch.RDMA_WRITE);
        assertEquals(CompletionOpcode.FETCH_ADD.code(), CompletionBatch.FETCH_ADD);
    }
}
