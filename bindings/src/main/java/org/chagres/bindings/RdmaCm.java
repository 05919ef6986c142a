package org.chagres.bindings;

/**
 * librdmacm: event channels, identifiers, options, multicast; {@link RdmaCmConnection} connects them.
 * <p>
 * One method for each C function, named as in the manual pages, with addresses as {@code long}. A status is 0 or the
 * errno value, whichever way the C function reports it. A result that is an address is 0 on failure, and
 * {@link CallState#errno()} then says why. Without the library each call throws
 * {@link UnsupportedOperationException} with the reason; a wrong address crashes the JVM. All calls are
 * thread-safe, but an event belongs to the thread that got it.
 */
public final class RdmaCm {
    /** librdmacm, or the reason why it is not there. */
    public static final NativeLibrary LIBRARY = NativeLibrary.load("librdmacm.so.1", "Debian package librdmacm1");

    private static final NativeFunction CREATE_EVENT_CHANNEL = LIBRARY.function("rdma_create_event_channel");
    private static final NativeFunction DESTROY_EVENT_CHANNEL = LIBRARY.function("rdma_destroy_event_channel");
    private static final NativeFunction GET_CM_EVENT = LIBRARY.function("rdma_get_cm_event");
    private static final NativeFunction ACK_CM_EVENT = LIBRARY.function("rdma_ack_cm_event");
    private static final NativeFunction EVENT_STR = LIBRARY.function("rdma_event_str");
    private static final NativeFunction CREATE_ID = LIBRARY.function("rdma_create_id");
    private static final NativeFunction DESTROY_ID = LIBRARY.function("rdma_destroy_id");
    private static final NativeFunction MIGRATE_ID = LIBRARY.function("rdma_migrate_id");
    private static final NativeFunction GETADDRINFO = LIBRARY.function("rdma_getaddrinfo");
    private static final NativeFunction FREEADDRINFO = LIBRARY.function("rdma_freeaddrinfo");
    private static final NativeFunction SET_OPTION = LIBRARY.function("rdma_set_option");
    private static final NativeFunction JOIN_MULTICAST = LIBRARY.function("rdma_join_multicast");
    private static final NativeFunction LEAVE_MULTICAST = LIBRARY.function("rdma_leave_multicast");
    private static final NativeFunction GET_DEVICES = LIBRARY.function("rdma_get_devices");
    private static final NativeFunction FREE_DEVICES = LIBRARY.function("rdma_free_devices");

    private RdmaCm() {
    }

    /**
     * {@code rdma_create_event_channel}: fails with ENODEV where the kernel has no rdma_cm.
     *
     * @return address of an {@code rdma_event_channel}; 0 on failure
     */
    public static long createEventChannel() {
        return ColdCalls.callLong(CREATE_EVENT_CHANNEL.address());
    }

    /**
     * {@code rdma_destroy_event_channel}: destroy its identifiers first.
     */
    public static void destroyEventChannel(final long channel) {
        ColdCalls.callVoid(DESTROY_EVENT_CHANNEL.address(), channel);
    }

    /**
     * {@code rdma_get_cm_event}: waits for an event and fills in the address of an {@code rdma_cm_event}, to
     * be acknowledged. Blocks unless the channel's {@code fd} is non-blocking.
     *
     * @return 0, or the errno value
     */
    public static int getCmEvent(final long channel, final long event) {
        return ColdCalls.status(ColdCalls.callInt(GET_CM_EVENT.address(), channel, event));
    }

    /**
     * {@code rdma_ack_cm_event}: frees the event; an identifier cannot be destroyed before its events are.
     *
     * @return 0, or the errno value
     */
    public static int ackCmEvent(final long event) {
        return ColdCalls.status(ColdCalls.callInt(ACK_CM_EVENT.address(), event));
    }

    /**
     * {@code rdma_event_str}.
     *
     * @return a text for an {@code rdma_cm_event_type}
     */
    public static String eventStr(final int event) {
        return Pointers.readString(ColdCalls.callLong(EVENT_STR.address(), event));
    }

    /**
     * {@code rdma_create_id}: fills in the address of an {@code rdma_cm_id}; with channel 0 its calls block.
     *
     * @return 0, or the errno value
     */
    public static int createId(final long channel, final long id, final long cookie, final int portSpace) {
        return ColdCalls.status(ColdCalls.callInt(CREATE_ID.address(), channel, id, cookie, portSpace));
    }

    /**
     * {@code rdma_destroy_id}: destroy its queue pair and acknowledge its events first.
     *
     * @return 0, or the errno value
     */
    public static int destroyId(final long id) {
        return ColdCalls.status(ColdCalls.callInt(DESTROY_ID.address(), id));
    }

    /**
     * {@code rdma_migrate_id}: moves an identifier and its waiting events to another channel.
     *
     * @return 0, or the errno value
     */
    public static int migrateId(final long id, final long channel) {
        return ColdCalls.status(ColdCalls.callInt(MIGRATE_ID.address(), id, channel));
    }

    /**
     * {@code rdma_getaddrinfo}: fills in the address of a list of {@code rdma_addrinfo}, to be freed.
     *
     * @return 0, or a negative code of {@code getaddrinfo}; after -1 {@link CallState#errno()} may say more
     */
    public static int getaddrinfo(final long node, final long service, final long hints, final long result) {
        return ColdCalls.callInt(GETADDRINFO.address(), node, service, hints, result);
    }

    /**
     * {@code rdma_freeaddrinfo}.
     */
    public static void freeaddrinfo(final long result) {
        ColdCalls.callVoid(FREEADDRINFO.address(), result);
    }

    /**
     * {@code rdma_set_option}: type of service, address reuse, acknowledge timeout ({@code RDMA_OPTION_ID_}).
     *
     * @return 0, or the errno value
     */
    public static int setOption(final long id, final int level, final int option, final long value, final long length) {
        return ColdCalls.status(ColdCalls.callInt(SET_OPTION.address(), id, level, option, value, length));
    }

    /**
     * {@code rdma_join_multicast}: {@code address} is a {@code sockaddr}.
     *
     * @return 0, or the errno value
     */
    public static int joinMulticast(final long id, final long address, final long cookie) {
        return ColdCalls.status(ColdCalls.callInt(JOIN_MULTICAST.address(), id, address, cookie));
    }

    /**
     * {@code rdma_leave_multicast}.
     *
     * @return 0, or the errno value
     */
    public static int leaveMulticast(final long id, final long address) {
        return ColdCalls.status(ColdCalls.callInt(LEAVE_MULTICAST.address(), id, address));
    }

    /**
     * {@code rdma_get_devices}: {@code count} is the address of an {@code int}, or 0.
     *
     * @return address of a NULL-terminated array of {@code ibv_context} addresses, to be freed; 0 on failure
     */
    public static long getDevices(final long count) {
        return ColdCalls.callLong(GET_DEVICES.address(), count);
    }

    /**
     * {@code rdma_free_devices}.
     */
    public static void freeDevices(final long list) {
        ColdCalls.callVoid(FREE_DEVICES.address(), list);
    }
}
