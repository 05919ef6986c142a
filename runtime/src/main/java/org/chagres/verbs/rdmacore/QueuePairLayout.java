package org.chagres.verbs.rdmacore;

import java.lang.foreign.MemorySegment;
import org.chagres.bindings.verbs.ibv_qp_attr;
import org.chagres.bindings.verbs.ibv_qp_cap;
import org.chagres.verbs.Access;
import org.chagres.verbs.Mtu;
import org.chagres.verbs.QueuePairAttribute;
import org.chagres.verbs.QueuePairAttributes;
import org.chagres.verbs.QueuePairCapacities;
import org.chagres.verbs.QueuePairState;
import org.chagres.verbs.QueuePairType;

/** {@link QueuePairAttributes} as {@code ibv_qp_attr}. */
final class QueuePairLayout {
    private static final int MAX_24 = 0xffffff;

    private QueuePairLayout() {
    }

    static void write(final MemorySegment to, final QueuePairAttributes attributes) {
        for (final QueuePairAttribute attribute : attributes.names()) {
            write(to, attribute, attributes);
        }
    }

    private static void write(final MemorySegment to, final QueuePairAttribute attribute, final QueuePairAttributes a) {
        switch (attribute) {
            case STATE -> ibv_qp_attr.qp_state(to, a.state().code());
            case EN_SQD_ASYNC_NOTIFY -> ibv_qp_attr.en_sqd_async_notify(to, (byte) (a.sqdNotify() ? 1 : 0));
            case ACCESS_FLAGS -> ibv_qp_attr.qp_access_flags(to, Access.bits(a.accessFlags()));
            case PKEY_INDEX -> ibv_qp_attr.pkey_index(to, (short) a.pkeyIndex());
            case PORT -> ibv_qp_attr.port_num(to, (byte) a.port());
            case QKEY -> ibv_qp_attr.qkey(to, a.qkey());
            case AV -> AddressLayout.write(ibv_qp_attr.ah_attr(to), a.addressVector());
            case PATH_MTU -> ibv_qp_attr.path_mtu(to, a.pathMtu().code());
            case TIMEOUT -> ibv_qp_attr.timeout(to, (byte) a.timeout());
            case RETRY_CNT -> ibv_qp_attr.retry_cnt(to, (byte) a.retryCount());
            case RNR_RETRY -> ibv_qp_attr.rnr_retry(to, (byte) a.rnrRetry());
            case RQ_PSN -> ibv_qp_attr.rq_psn(to, a.rqPsn());
            case MAX_QP_RD_ATOMIC -> ibv_qp_attr.max_rd_atomic(to, (byte) a.maxRdAtomic());
            case MIN_RNR_TIMER -> ibv_qp_attr.min_rnr_timer(to, (byte) a.minRnrTimer());
            case SQ_PSN -> ibv_qp_attr.sq_psn(to, a.sqPsn());
            case MAX_DEST_RD_ATOMIC -> ibv_qp_attr.max_dest_rd_atomic(to, (byte) a.maxDestRdAtomic());
            case DEST_QPN -> ibv_qp_attr.dest_qp_num(to, a.destQpn());
        }
    }

    /** What a device tells; what it does not know yet is left out. */
    static QueuePairAttributes read(final MemorySegment from, final QueuePairType type) {
        QueuePairAttributes a = QueuePairAttributes.to(QueuePairState.of(ibv_qp_attr.qp_state(from)))
                .pkeyIndex(Short.toUnsignedInt(ibv_qp_attr.pkey_index(from)))
                .sqPsn(ibv_qp_attr.sq_psn(from) & MAX_24);
        final int port = Byte.toUnsignedInt(ibv_qp_attr.port_num(from));
        if (port != 0) {
            a = a.port(port);
        }
        if (type == QueuePairType.UD) {
            return a.qkey(ibv_qp_attr.qkey(from));
        }
        a = connected(from, a);
        return type == QueuePairType.RC ? reliable(from, a) : a;
    }

    private static QueuePairAttributes connected(final MemorySegment from, final QueuePairAttributes known) {
        QueuePairAttributes a = known.accessFlags(Access.of(ibv_qp_attr.qp_access_flags(from)))
                .rqPsn(ibv_qp_attr.rq_psn(from) & MAX_24)
                .destQpn(ibv_qp_attr.dest_qp_num(from) & MAX_24);
        final int mtu = ibv_qp_attr.path_mtu(from);
        if (mtu >= Mtu.MTU_256.code() && mtu <= Mtu.MTU_4096.code()) {
            a = a.pathMtu(Mtu.of(mtu));
        }
        final var address = AddressLayout.read(ibv_qp_attr.ah_attr(from));
        return address.isPresent() ? a.addressVector(address.get()) : a;
    }

    private static QueuePairAttributes reliable(final MemorySegment from, final QueuePairAttributes known) {
        return known.timeout(ibv_qp_attr.timeout(from) & 31)
                .retryCount(ibv_qp_attr.retry_cnt(from) & 7)
                .rnrRetry(ibv_qp_attr.rnr_retry(from) & 7)
                .minRnrTimer(ibv_qp_attr.min_rnr_timer(from) & 31)
                .maxRdAtomic(Byte.toUnsignedInt(ibv_qp_attr.max_rd_atomic(from)))
                .maxDestRdAtomic(Byte.toUnsignedInt(ibv_qp_attr.max_dest_rd_atomic(from)));
    }

    static void write(final MemorySegment to, final QueuePairCapacities capacities) {
        ibv_qp_cap.max_send_wr(to, capacities.maxSendWr());
        ibv_qp_cap.max_recv_wr(to, capacities.maxRecvWr());
        ibv_qp_cap.max_send_sge(to, capacities.maxSendSge());
        ibv_qp_cap.max_recv_sge(to, capacities.maxRecvSge());
        ibv_qp_cap.max_inline_data(to, capacities.maxInlineData());
    }

    static QueuePairCapacities readCapacities(final MemorySegment from) {
        return new QueuePairCapacities(ibv_qp_cap.max_send_wr(from), ibv_qp_cap.max_recv_wr(from),
                ibv_qp_cap.max_send_sge(from),
                ibv_qp_cap.max_recv_sge(from), ibv_qp_cap.max_inline_data(from));
    }
}
