package org.chagres.bindings;

/**
 * libibverbs: completion channels and queues, shared receive queues, queue pairs, address handles. {@link ContextOps} posts
 * and polls.
 * <p>
 * Calls report as in {@link Verbs}.
 */
public final class VerbsQueues {
    private static final NativeFunction CREATE_COMP_CHANNEL = Verbs.LIBRARY.function("ibv_create_comp_channel");
    private static final NativeFunction DESTROY_COMP_CHANNEL = Verbs.LIBRARY.function("ibv_destroy_comp_channel");
    private static final NativeFunction CREATE_CQ = Verbs.LIBRARY.function("ibv_create_cq");
    private static final NativeFunction RESIZE_CQ = Verbs.LIBRARY.function("ibv_resize_cq");
    private static final NativeFunction DESTROY_CQ = Verbs.LIBRARY.function("ibv_destroy_cq");
    private static final NativeFunction GET_CQ_EVENT = Verbs.LIBRARY.function("ibv_get_cq_event");
    private static final NativeFunction ACK_CQ_EVENTS = Verbs.LIBRARY.function("ibv_ack_cq_events");
    private static final NativeFunction CREATE_SRQ = Verbs.LIBRARY.function("ibv_create_srq");
    private static final NativeFunction MODIFY_SRQ = Verbs.LIBRARY.function("ibv_modify_srq");
    private static final NativeFunction QUERY_SRQ = Verbs.LIBRARY.function("ibv_query_srq");
    private static final NativeFunction DESTROY_SRQ = Verbs.LIBRARY.function("ibv_destroy_srq");
    private static final NativeFunction CREATE_QP = Verbs.LIBRARY.function("ibv_create_qp");
    private static final NativeFunction MODIFY_QP = Verbs.LIBRARY.function("ibv_modify_qp");
    private static final NativeFunction QUERY_QP = Verbs.LIBRARY.function("ibv_query_qp");
    private static final NativeFunction DESTROY_QP = Verbs.LIBRARY.function("ibv_destroy_qp");
    private static final NativeFunction ATTACH_MCAST = Verbs.LIBRARY.function("ibv_attach_mcast");
    private static final NativeFunction DETACH_MCAST = Verbs.LIBRARY.function("ibv_detach_mcast");
    private static final NativeFunction CREATE_AH = Verbs.LIBRARY.function("ibv_create_ah");
    private static final NativeFunction CREATE_AH_FROM_WC = Verbs.LIBRARY.function("ibv_create_ah_from_wc");
    private static final NativeFunction INIT_AH_FROM_WC = Verbs.LIBRARY.function("ibv_init_ah_from_wc");
    private static final NativeFunction DESTROY_AH = Verbs.LIBRARY.function("ibv_destroy_ah");

    private VerbsQueues() {
    }

    /**
     * {@code ibv_create_comp_channel}.
     *
     * @return address of an {@code ibv_comp_channel}; 0 on failure
     */
    public static long createCompChannel(final long context) {
        return ColdCalls.callLong(CREATE_COMP_CHANNEL.address(), context);
    }

    /**
     * {@code ibv_destroy_comp_channel}: EBUSY while a queue uses it.
     *
     * @return 0, or the errno value
     */
    public static int destroyCompChannel(final long channel) {
        return ColdCalls.status(ColdCalls.callInt(DESTROY_COMP_CHANNEL.address(), channel));
    }

    /**
     * {@code ibv_create_cq}: {@code cookie} comes back with events, {@code channel} may be 0.
     *
     * @return address of an {@code ibv_cq} of at least that many entries; 0 on failure
     */
    public static long createCq(final long context, final int entries, final long cookie, final long channel,
            final int vector) {
        return ColdCalls.callLong(CREATE_CQ.address(), context, entries, cookie, channel, vector);
    }

    /**
     * {@code ibv_resize_cq}.
     *
     * @return 0, or the errno value
     */
    public static int resizeCq(final long cq, final int entries) {
        return ColdCalls.status(ColdCalls.callInt(RESIZE_CQ.address(), cq, entries));
    }

    /**
     * {@code ibv_destroy_cq}: waits until all events of the queue are acknowledged; EBUSY while a queue pair
     * uses it.
     *
     * @return 0, or the errno value
     */
    public static int destroyCq(final long cq) {
        return ColdCalls.status(ColdCalls.callInt(DESTROY_CQ.address(), cq));
    }

    /**
     * {@code ibv_get_cq_event}: waits for an event and fills in the addresses of queue and cookie. Blocks
     * unless the channel's {@code fd} is non-blocking.
     *
     * @return 0, or the errno value
     */
    public static int getCqEvent(final long channel, final long cq, final long cookie) {
        return ColdCalls.status(ColdCalls.callInt(GET_CQ_EVENT.address(), channel, cq, cookie));
    }

    /**
     * {@code ibv_ack_cq_events}: takes a lock, so acknowledge many at once.
     */
    public static void ackCqEvents(final long cq, final int count) {
        ColdCalls.callVoid(ACK_CQ_EVENTS.address(), cq, count);
    }

    /**
     * {@code ibv_create_srq}: {@code attributes} is an {@code ibv_srq_init_attr}.
     *
     * @return address of an {@code ibv_srq}; 0 on failure
     */
    public static long createSrq(final long pd, final long attributes) {
        return ColdCalls.callLong(CREATE_SRQ.address(), pd, attributes);
    }

    /**
     * {@code ibv_modify_srq}.
     *
     * @return 0, or the errno value
     */
    public static int modifySrq(final long srq, final long attributes, final int mask) {
        return ColdCalls.status(ColdCalls.callInt(MODIFY_SRQ.address(), srq, attributes, mask));
    }

    /**
     * {@code ibv_query_srq}: fills an {@code ibv_srq_attr}.
     *
     * @return 0, or the errno value
     */
    public static int querySrq(final long srq, final long attributes) {
        return ColdCalls.status(ColdCalls.callInt(QUERY_SRQ.address(), srq, attributes));
    }

    /**
     * {@code ibv_destroy_srq}: EBUSY while a queue pair uses it.
     *
     * @return 0, or the errno value
     */
    public static int destroySrq(final long srq) {
        return ColdCalls.status(ColdCalls.callInt(DESTROY_SRQ.address(), srq));
    }

    /**
     * {@code ibv_create_qp}: {@code attributes} is an {@code ibv_qp_init_attr}, whose capacities are updated
     * to the actual ones.
     *
     * @return address of an {@code ibv_qp} in state RESET; 0 on failure
     */
    public static long createQp(final long pd, final long attributes) {
        return ColdCalls.callLong(CREATE_QP.address(), pd, attributes);
    }

    /**
     * {@code ibv_modify_qp}: sets the attributes that {@code mask} names ({@code IBV_QP_}).
     *
     * @return 0, or the errno value
     */
    public static int modifyQp(final long qp, final long attributes, final int mask) {
        return ColdCalls.status(ColdCalls.callInt(MODIFY_QP.address(), qp, attributes, mask));
    }

    /**
     * {@code ibv_query_qp}: fills an {@code ibv_qp_attr} and an {@code ibv_qp_init_attr}.
     *
     * @return 0, or the errno value
     */
    public static int queryQp(final long qp, final long attributes, final int mask, final long initAttributes) {
        return ColdCalls.status(ColdCalls.callInt(QUERY_QP.address(), qp, attributes, mask, initAttributes));
    }

    /**
     * {@code ibv_destroy_qp}: waits until all events of the queue pair are acknowledged.
     *
     * @return 0, or the errno value
     */
    public static int destroyQp(final long qp) {
        return ColdCalls.status(ColdCalls.callInt(DESTROY_QP.address(), qp));
    }

    /**
     * {@code ibv_attach_mcast}: a UD queue pair joins a multicast group.
     *
     * @return 0, or the errno value
     */
    public static int attachMcast(final long qp, final long gid, final int lid) {
        return ColdCalls.status(ColdCalls.callInt(ATTACH_MCAST.address(), qp, gid, ColdCalls.u16(lid)));
    }

    /**
     * {@code ibv_detach_mcast}.
     *
     * @return 0, or the errno value
     */
    public static int detachMcast(final long qp, final long gid, final int lid) {
        return ColdCalls.status(ColdCalls.callInt(DETACH_MCAST.address(), qp, gid, ColdCalls.u16(lid)));
    }

    /**
     * {@code ibv_create_ah}: {@code attributes} is an {@code ibv_ah_attr}.
     *
     * @return address of an {@code ibv_ah}; 0 on failure
     */
    public static long createAh(final long pd, final long attributes) {
        return ColdCalls.callLong(CREATE_AH.address(), pd, attributes);
    }

    /**
     * {@code ibv_create_ah_from_wc}: the way back to the sender of a datagram.
     *
     * @return address of an {@code ibv_ah}; 0 on failure
     */
    public static long createAhFromWc(final long pd, final long completion, final long grh, final int port) {
        return ColdCalls.callLong(CREATE_AH_FROM_WC.address(), pd, completion, grh, ColdCalls.u8(port));
    }

    /**
     * {@code ibv_init_ah_from_wc}: fills an {@code ibv_ah_attr} for the way back to the sender of a datagram.
     *
     * @return 0, or the errno value
     */
    public static int initAhFromWc(final long context, final int port, final long completion, final long grh,
            final long attributes) {
        return ColdCalls.status(
                ColdCalls.callInt(INIT_AH_FROM_WC.address(), context, ColdCalls.u8(port), completion, grh, attributes));
    }

    /**
     * {@code ibv_destroy_ah}.
     *
     * @return 0, or the errno value
     */
    public static int destroyAh(final long ah) {
        return ColdCalls.status(ColdCalls.callInt(DESTROY_AH.address(), ah));
    }
}
