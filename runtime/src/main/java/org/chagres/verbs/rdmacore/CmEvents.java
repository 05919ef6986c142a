package org.chagres.verbs.rdmacore;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import org.chagres.bindings.rdmacm.rdma_cm_event;
import org.chagres.bindings.rdmacm.rdma_conn_param;
import org.chagres.bindings.rdmacm.rdma_ud_param;
import org.chagres.verbs.CmEvent;
import org.chagres.verbs.CmEventType;
import org.chagres.verbs.CmId;
import org.chagres.verbs.CmParameters;
import org.chagres.verbs.PortSpace;

/** Copies {@code rdma_cm_event}s. */
final class CmEvents {
    private static final int MAX_24 = 0xffffff;

    private CmEvents() {
    }

    static CmEvent read(final MemorySegment event, final NativeCmId id, final Optional<CmId> listener) {
        final int code = rdma_cm_event.event(event);
        final int status = rdma_cm_event.status(event);
        final MemorySegment parameters = rdma_cm_event.param(event);
        if (id.portSpace() == PortSpace.UDP) {
            final MemorySegment ud = rdma_cm_event.param.ud(parameters);
            final MemorySegment data = copy(rdma_ud_param.private_data(ud), rdma_ud_param.private_data_len(ud));
            return new CmEvent(CmEventType.of(code), code, id, listener, status, data, CmParameters.defaults(),
                    datagrams(ud));
        }
        final MemorySegment conn = rdma_cm_event.param.conn(parameters);
        final MemorySegment data = copy(rdma_conn_param.private_data(conn), rdma_conn_param.private_data_len(conn));
        return new CmEvent(CmEventType.of(code), code, id, listener, status, data, parameters(conn, data),
                Optional.empty());
    }

    private static CmParameters parameters(final MemorySegment conn, final MemorySegment data) {
        return new CmParameters(data, Byte.toUnsignedInt(rdma_conn_param.responder_resources(conn)),
                Byte.toUnsignedInt(rdma_conn_param.initiator_depth(conn)), rdma_conn_param.retry_count(conn) & 7,
                rdma_conn_param.rnr_retry_count(conn) & 7, rdma_conn_param.qp_num(conn) & MAX_24,
                rdma_conn_param.srq(conn) != 0);
    }

    private static Optional<CmEvent.Datagrams> datagrams(final MemorySegment ud) {
        return AddressLayout.read(rdma_ud_param.ah_attr(ud))
                .map(address -> new CmEvent.Datagrams(address, rdma_ud_param.qp_num(ud) & MAX_24,
                        rdma_ud_param.qkey(ud)));
    }

    private static MemorySegment copy(final MemorySegment data, final byte length) {
        final byte[] bytes = data.address() == 0
                ? new byte[0]
                : data.reinterpret(Byte.toUnsignedInt(length)).toArray(ValueLayout.JAVA_BYTE);
        return MemorySegment.ofArray(bytes).asReadOnly();
    }
}
