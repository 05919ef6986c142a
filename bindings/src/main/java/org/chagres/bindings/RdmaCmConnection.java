package org.chagres.bindings;

import org.chagres.bindings.NativeLibrary.Since;

/**
 * librdmacm: what happens to one identifier on the way to a connection.
 * <p>
 * Calls report as in {@link RdmaCm}. On an identifier with an event channel, a status of 0 means that the operation has
 * begun; its end comes as an event.
 */
public final class RdmaCmConnection {
    private static final NativeFunction BIND_ADDR = RdmaCm.LIBRARY.function("rdma_bind_addr");
    private static final NativeFunction RESOLVE_ADDR = RdmaCm.LIBRARY.function("rdma_resolve_addr");
    private static final NativeFunction RESOLVE_ROUTE = RdmaCm.LIBRARY.function("rdma_resolve_route");
    private static final NativeFunction GET_SRC_PORT = RdmaCm.LIBRARY.function("rdma_get_src_port");
    private static final NativeFunction GET_DST_PORT = RdmaCm.LIBRARY.function("rdma_get_dst_port");
    private static final NativeFunction LISTEN = RdmaCm.LIBRARY.function("rdma_listen");
    private static final NativeFunction CONNECT = RdmaCm.LIBRARY.function("rdma_connect");
    private static final NativeFunction ACCEPT = RdmaCm.LIBRARY.function("rdma_accept");
    private static final NativeFunction REJECT = RdmaCm.LIBRARY.function("rdma_reject");
    private static final NativeFunction ESTABLISH = RdmaCm.LIBRARY.function(new Since("rdma-core 23"),
            "rdma_establish");
    private static final NativeFunction DISCONNECT = RdmaCm.LIBRARY.function("rdma_disconnect");
    private static final NativeFunction NOTIFY = RdmaCm.LIBRARY.function("rdma_notify");
    private static final NativeFunction INIT_QP_ATTR = RdmaCm.LIBRARY.function(new Since("rdma-core 23"),
            "rdma_init_qp_attr");
    private static final NativeFunction CREATE_QP = RdmaCm.LIBRARY.function("rdma_create_qp");
    private static final NativeFunction DESTROY_QP = RdmaCm.LIBRARY.function("rdma_destroy_qp");

    private RdmaCmConnection() {
    }

    /**
     * {@code rdma_bind_addr}: {@code address} is a {@code sockaddr}.
     *
     * @return 0, or the errno value
     */
    public static int bindAddr(final long id, final long address) {
        return ColdCalls.status(ColdCalls.callInt(BIND_ADDR.address(), id, address));
    }

    /**
     * {@code rdma_resolve_addr}: finds the device and GID on the way to a destination; {@code source} may be
     * 0.
     *
     * @return 0, or the errno value
     */
    public static int resolveAddr(final long id, final long source, final long destination, final int timeoutMillis) {
        return ColdCalls.status(ColdCalls.callInt(RESOLVE_ADDR.address(), id, source, destination, timeoutMillis));
    }

    /**
     * {@code rdma_resolve_route}.
     *
     * @return 0, or the errno value
     */
    public static int resolveRoute(final long id, final int timeoutMillis) {
        return ColdCalls.status(ColdCalls.callInt(RESOLVE_ROUTE.address(), id, timeoutMillis));
    }

    /**
     * {@code rdma_get_src_port}.
     *
     * @return the local port in network byte order, 0 if not bound
     */
    public static int getSrcPort(final long id) {
        return ColdCalls.callInt(GET_SRC_PORT.address(), id) & 0xffff;
    }

    /**
     * {@code rdma_get_dst_port}.
     *
     * @return the peer's port in network byte order, 0 if not connected
     */
    public static int getDstPort(final long id) {
        return ColdCalls.callInt(GET_DST_PORT.address(), id) & 0xffff;
    }

    /**
     * {@code rdma_listen}.
     *
     * @return 0, or the errno value
     */
    public static int listen(final long id, final int backlog) {
        return ColdCalls.status(ColdCalls.callInt(LISTEN.address(), id, backlog));
    }

    /**
     * {@code rdma_connect}: {@code parameters} is an {@code rdma_conn_param}.
     *
     * @return 0, or the errno value
     */
    public static int connect(final long id, final long parameters) {
        return ColdCalls.status(ColdCalls.callInt(CONNECT.address(), id, parameters));
    }

    /**
     * {@code rdma_accept}: {@code id} is the one that came with the request.
     *
     * @return 0, or the errno value
     */
    public static int accept(final long id, final long parameters) {
        return ColdCalls.status(ColdCalls.callInt(ACCEPT.address(), id, parameters));
    }

    /**
     * {@code rdma_reject}: with up to 148 bytes of reason.
     *
     * @return 0, or the errno value
     */
    public static int reject(final long id, final long privateData, final int length) {
        return ColdCalls.status(ColdCalls.callInt(REJECT.address(), id, privateData, ColdCalls.u8(length)));
    }

    /**
     * {@code rdma_establish}: completes a connection whose queue pair was made without librdmacm.
     *
     * @return 0, or the errno value
     */
    public static int establish(final long id) {
        return ColdCalls.status(ColdCalls.callInt(ESTABLISH.address(), id));
    }

    /**
     * {@code rdma_disconnect}: moves the queue pair to the error state.
     *
     * @return 0, or the errno value
     */
    public static int disconnect(final long id) {
        return ColdCalls.status(ColdCalls.callInt(DISCONNECT.address(), id));
    }

    /**
     * {@code rdma_notify}: tells of an event seen on the queue pair, {@code IBV_EVENT_COMM_EST}.
     *
     * @return 0, or the errno value
     */
    public static int notify(final long id, final int event) {
        return ColdCalls.status(ColdCalls.callInt(NOTIFY.address(), id, event));
    }

    /**
     * {@code rdma_init_qp_attr}: fills an {@code ibv_qp_attr}, whose {@code qp_state} names the state wanted,
     * and the mask for {@link VerbsQueues#modifyQp}.
     *
     * @return 0, or the errno value
     */
    public static int initQpAttr(final long id, final long attributes, final long mask) {
        return ColdCalls.status(ColdCalls.callInt(INIT_QP_ATTR.address(), id, attributes, mask));
    }

    /**
     * {@code rdma_create_qp}: {@code attributes} is an {@code ibv_qp_init_attr}; the address is left in the
     * identifier.
     *
     * @return 0, or the errno value
     */
    public static int createQp(final long id, final long pd, final long attributes) {
        return ColdCalls.status(ColdCalls.callInt(CREATE_QP.address(), id, pd, attributes));
    }

    /**
     * {@code rdma_destroy_qp}.
     */
    public static void destroyQp(final long id) {
        ColdCalls.callVoid(DESTROY_QP.address(), id);
    }
}
