package org.chagres.bindings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.chagres.bindings.verbs.ibv_cq_init_attr_ex;
import org.chagres.bindings.verbs.ibv_device_attr;
import org.chagres.bindings.verbs.ibv_device_attr_ex;
import org.chagres.bindings.verbs.ibv_modify_cq_attr;
import org.chagres.bindings.verbs.ibv_moderate_cq;
import org.chagres.bindings.verbs.ibv_port_attr;
import org.chagres.bindings.verbs.ibv_qp_init_attr_ex;
import org.chagres.bindings.verbs.ibv_srq_init_attr_ex;
import org.chagres.bindings.verbs.verbs_context;
import org.chagres.bindings.verbs.verbs_h;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The extended calls reach a device written in C, and fall back as verbs.h does where a library is older. */
final class VerbsContextTest {
    private final Arena arena = Arena.ofConfined();
    private FakeDevice device;

    @BeforeEach
    void open() throws Exception {
        CCompiler.assumeHeaders("infiniband/verbs.h");
        device = new FakeDevice(arena);
        device.forget();
    }

    @AfterEach
    void close() {
        arena.close();
    }

    @Test
    void queryPortFillsTheWholeStruct() {
        final var port = arena.allocate(ibv_port_attr.layout());
        assertEquals(0, extended().queryPort(255, port.address()));
        assertArrived(FakeDevice.QUERY_PORT, device.context(), 255, port.address(), ibv_port_attr.sizeof());
        assertEquals(verbs_h.IBV_PORT_ACTIVE(), ibv_port_attr.state(port));
        assertEquals(0x1234, ibv_port_attr.port_cap_flags2(port));
        assertThrows(IllegalArgumentException.class, () -> extended().queryPort(256, port.address()));
    }

    @Test
    void anOperationBeyondTheSizeIsNotCalled() {
        final long needed = verbs_context.sizeof() - verbs_context.query_rt_values$offset();
        device.size(needed);
        extended().queryRtValuesEx(8);
        assertEquals(FakeDevice.QUERY_RT_VALUES, device.function());
        device.forget();
        device.size(needed - 1);
        assertEquals(Errno.EOPNOTSUPP, extended().queryRtValuesEx(8));
        assertEquals(0, device.function());
    }

    @Test
    void withoutAnExtendedContextNothingBeforeItIsRead() {
        device.extended(false);
        assertNoExtendedCall();
    }

    @Test
    void anOperationThatTheProviderLacksIsNotCalled() {
        final var struct = device.verbsContext();
        for (final long offset : new long[]{verbs_context.query_rt_values$offset(), verbs_context.modify_cq$offset(),
                verbs_context.create_cq_ex$offset(), verbs_context.create_qp_ex$offset(),
                verbs_context.create_srq_ex$offset() }) {
            struct.set(verbs_h.C_POINTER, offset, MemorySegment.NULL);
        }
        assertNoExtendedCall();
    }

    private void assertNoExtendedCall() {
        final var attributes = arena.allocate(256).address();
        assertEquals(Errno.EOPNOTSUPP, extended().queryRtValuesEx(attributes));
        assertEquals(Errno.EOPNOTSUPP, extended().modifyCq(8, attributes));
        assertEquals(0, extended().createCqEx(attributes));
        assertEquals(Errno.EOPNOTSUPP, CallState.errno());
        CallState.errno(0);
        assertEquals(0, extended().createQpEx(attributes));
        assertEquals(Errno.EOPNOTSUPP, CallState.errno());
        CallState.errno(0);
        assertEquals(0, extended().createSrqEx(attributes));
        assertEquals(Errno.EOPNOTSUPP, CallState.errno());
        assertEquals(0, device.function());
    }

    @Test
    void queryDeviceExPassesTheSize() {
        final var attributes = arena.allocate(ibv_device_attr_ex.layout());
        assertEquals(0, extended().queryDeviceEx(attributes.address()));
        assertArrived(FakeDevice.QUERY_DEVICE_EX, device.context(), 0, attributes.address(),
                ibv_device_attr_ex.sizeof());
        assertEquals(4711, ibv_device_attr.max_qp(ibv_device_attr_ex.orig_attr(attributes)));
    }

    @Test
    void createCqExReportsErrno() {
        final var attributes = arena.allocate(ibv_cq_init_attr_ex.layout());
        ibv_cq_init_attr_ex.cqe(attributes, 300);
        assertEquals(0, extended().createCqEx(attributes.address()));
        assertArrived(FakeDevice.CREATE_CQ_EX, device.context(), attributes.address(), 300, 0);
        assertEquals("ENOSPC", Errno.name(CallState.errno()));
    }

    @Test
    void createQpExPassesAttributesThatNeedIt() {
        final var attributes = arena.allocate(ibv_qp_init_attr_ex.layout());
        ibv_qp_init_attr_ex.comp_mask(attributes,
                verbs_h.IBV_QP_INIT_ATTR_PD() | verbs_h.IBV_QP_INIT_ATTR_SEND_OPS_FLAGS());
        ibv_qp_init_attr_ex.send_ops_flags(attributes, verbs_h.IBV_QP_EX_WITH_RDMA_WRITE());
        assertEquals(0x7000, extended().createQpEx(attributes.address()));
        assertArrived(FakeDevice.CREATE_QP_EX, device.context(), attributes.address(),
                verbs_h.IBV_QP_EX_WITH_RDMA_WRITE(), 0);
    }

    @Test
    void createSrqExPassesAttributesThatNeedIt() {
        final var attributes = arena.allocate(ibv_srq_init_attr_ex.layout());
        final int tagMatching = 2;
        ibv_srq_init_attr_ex.comp_mask(attributes,
                verbs_h.IBV_SRQ_INIT_ATTR_PD() | verbs_h.IBV_SRQ_INIT_ATTR_TYPE());
        ibv_srq_init_attr_ex.srq_type(attributes, tagMatching);
        assertEquals(0x8000, extended().createSrqEx(attributes.address()));
        assertArrived(FakeDevice.CREATE_SRQ_EX, device.context(), attributes.address(), tagMatching, 0);
    }

    @Test
    void failuresBecomeErrnoValuesHoweverTheyAreReported() {
        assertEquals(Errno.EACCES, extended().queryRtValuesEx(8));
        final var attributes = arena.allocate(ibv_modify_cq_attr.layout());
        ibv_moderate_cq.cq_count(ibv_modify_cq_attr.moderate(attributes), (short) 9);
        assertEquals(Errno.EBUSY, extended().modifyCq(16, attributes.address()));
        assertArrived(FakeDevice.MODIFY_CQ, 16, attributes.address(), 9, 0);
    }

    private VerbsContext extended() {
        return VerbsContext.of(device.context());
    }

    private void assertArrived(final int function, final long... arguments) {
        assertEquals(function, device.function());
        for (int i = 0; i < arguments.length; i++) {
            assertEquals(arguments[i], device.argument(i), "argument " + i);
        }
        device.forget();
    }
}
