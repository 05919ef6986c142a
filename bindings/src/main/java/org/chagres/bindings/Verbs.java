package org.chagres.bindings;

import org.chagres.bindings.NativeLibrary.Since;
import org.chagres.bindings.verbs.ibv_gid_entry;

/**
 * libibverbs: devices, contexts, ports, tables and asynchronous events.
 * <p>
 * One method for each C function, named as in the manual pages, with addresses as {@code long}. A status is 0 or the
 * errno value, whichever way the C function reports it. A result that is an address is 0 on failure, and
 * {@link CallState#errno()} then says why. Without the library each call throws
 * {@link UnsupportedOperationException} with the reason; a wrong address crashes the JVM. All calls are thread-safe.
 */
public final class Verbs {
    /** libibverbs, or the reason why it is not there. */
    public static final NativeLibrary LIBRARY = NativeLibrary.load("libibverbs.so.1",
            "Debian package libibverbs1, with ibverbs-providers for the devices");

    private static final NativeFunction GET_DEVICE_LIST = LIBRARY.function("ibv_get_device_list");
    private static final NativeFunction FREE_DEVICE_LIST = LIBRARY.function("ibv_free_device_list");
    private static final NativeFunction GET_DEVICE_NAME = LIBRARY.function("ibv_get_device_name");
    private static final NativeFunction GET_DEVICE_GUID = LIBRARY.function("ibv_get_device_guid");
    private static final NativeFunction GET_DEVICE_INDEX = LIBRARY.function(new Since("rdma-core 30"),
            "ibv_get_device_index");
    private static final NativeFunction OPEN_DEVICE = LIBRARY.function("ibv_open_device");
    private static final NativeFunction CLOSE_DEVICE = LIBRARY.function("ibv_close_device");
    private static final NativeFunction FORK_INIT = LIBRARY.function("ibv_fork_init");
    private static final NativeFunction QUERY_DEVICE = LIBRARY.function("ibv_query_device");
    private static final NativeFunction QUERY_PORT = LIBRARY.function("ibv_query_port");
    private static final NativeFunction QUERY_GID = LIBRARY.function("ibv_query_gid");
    private static final NativeFunction QUERY_GID_EX = LIBRARY.function(new Since("rdma-core 32"), "_ibv_query_gid_ex");
    private static final NativeFunction QUERY_GID_TABLE = LIBRARY.function(new Since("rdma-core 32"),
            "_ibv_query_gid_table");
    private static final NativeFunction QUERY_PKEY = LIBRARY.function("ibv_query_pkey");
    private static final NativeFunction GET_PKEY_INDEX = LIBRARY.function("ibv_get_pkey_index");
    private static final NativeFunction GET_ASYNC_EVENT = LIBRARY.function("ibv_get_async_event");
    private static final NativeFunction ACK_ASYNC_EVENT = LIBRARY.function("ibv_ack_async_event");
    private static final NativeFunction NODE_TYPE_STR = LIBRARY.function("ibv_node_type_str");
    private static final NativeFunction PORT_STATE_STR = LIBRARY.function("ibv_port_state_str");
    private static final NativeFunction EVENT_TYPE_STR = LIBRARY.function("ibv_event_type_str");
    private static final NativeFunction WC_STATUS_STR = LIBRARY.function("ibv_wc_status_str");

    private Verbs() {
    }

    /**
     * {@code ibv_get_device_list}: the devices of this machine; {@link DeviceList} wraps it. Errno ENOSYS
     * means that the kernel has no RDMA support, hence no devices. {@code count} is the address of an {@code
     * int}, or 0.
     *
     * @return address of a NULL-terminated array of {@code ibv_device} addresses, to be freed; 0 on failure
     */
    public static long getDeviceList(final long count) {
        return ColdCalls.callLong(GET_DEVICE_LIST.address(), count);
    }

    /**
     * {@code ibv_free_device_list}: frees the array; devices that are not open become invalid.
     */
    public static void freeDeviceList(final long list) {
        ColdCalls.callVoid(FREE_DEVICE_LIST.address(), list);
    }

    /**
     * {@code ibv_get_device_name}.
     *
     * @return the kernel's name, such as {@code mlx5_0}
     */
    public static String getDeviceName(final long device) {
        return Pointers.readString(ColdCalls.callLong(GET_DEVICE_NAME.address(), device));
    }

    /**
     * {@code ibv_get_device_guid}.
     *
     * @return the node GUID in network byte order
     */
    public static long getDeviceGuid(final long device) {
        return ColdCalls.callLong(GET_DEVICE_GUID.address(), device);
    }

    /**
     * {@code ibv_get_device_index}.
     *
     * @return the kernel's index; -1 if unknown
     */
    public static int getDeviceIndex(final long device) {
        return ColdCalls.callInt(GET_DEVICE_INDEX.address(), device);
    }

    /**
     * {@code ibv_open_device}.
     *
     * @return address of an {@code ibv_context}, to be closed; 0 on failure
     */
    public static long openDevice(final long device) {
        return ColdCalls.callLong(OPEN_DEVICE.address(), device);
    }

    /**
     * {@code ibv_close_device}: close everything made from the context first.
     *
     * @return 0, or the errno value
     */
    public static int closeDevice(final long context) {
        return ColdCalls.status(ColdCalls.callInt(CLOSE_DEVICE.address(), context));
    }

    /**
     * {@code ibv_fork_init}: makes registered memory survive fork; call it before anything else.
     *
     * @return 0, or the errno value
     */
    public static int forkInit() {
        return ColdCalls.status(ColdCalls.callInt(FORK_INIT.address()));
    }

    /**
     * {@code ibv_query_device}: fills an {@code ibv_device_attr}; see {@link VerbsContext#queryDeviceEx}.
     *
     * @return 0, or the errno value
     */
    public static int queryDevice(final long context, final long attributes) {
        return ColdCalls.status(ColdCalls.callInt(QUERY_DEVICE.address(), context, attributes));
    }

    /**
     * The exported {@code ibv_query_port}, which fills only the first version of {@code ibv_port_attr}.
     *
     * @return 0, or the errno value
     */
    static int queryPortShort(final long context, final int port, final long attributes) {
        return ColdCalls.status(ColdCalls.callInt(QUERY_PORT.address(), context, ColdCalls.u8(port), attributes));
    }

    /**
     * {@code ibv_query_gid}: fills an {@code ibv_gid}, 16 bytes in network byte order.
     *
     * @return 0, or the errno value
     */
    public static int queryGid(final long context, final int port, final int index, final long gid) {
        return ColdCalls.status(ColdCalls.callInt(QUERY_GID.address(), context, ColdCalls.u8(port), index, gid));
    }

    /**
     * {@code ibv_query_gid_ex}: fills an {@code ibv_gid_entry} with a row's GID, type and network device.
     *
     * @return 0, or the errno value; ENODATA for an empty row
     */
    public static int queryGidEx(final long context, final int port, final int index, final long entry) {
        final int flags = 0;
        return ColdCalls.status(ColdCalls.callInt(QUERY_GID_EX.address(), context, port, index, entry, flags,
                ibv_gid_entry.sizeof()));
    }

    /**
     * {@code ibv_query_gid_table}: fills an array of {@code ibv_gid_entry} with the rows in use of all ports.
     *
     * @return the number of entries filled, at most {@code max}; the negative errno value on failure
     */
    public static long queryGidTable(final long context, final long entries, final long max) {
        final int flags = 0;
        return ColdCalls.callLong(QUERY_GID_TABLE.address(), context, entries, max, flags, ibv_gid_entry.sizeof());
    }

    /**
     * {@code ibv_query_pkey}: fills 2 bytes in network byte order.
     *
     * @return 0, or the errno value
     */
    public static int queryPkey(final long context, final int port, final int index, final long pkey) {
        return ColdCalls.status(ColdCalls.callInt(QUERY_PKEY.address(), context, ColdCalls.u8(port), index, pkey));
    }

    /**
     * {@code ibv_get_pkey_index}: {@code pkey} is in network byte order.
     *
     * @return the index in the table; -1 if it is not there
     */
    public static int getPkeyIndex(final long context, final int port, final int pkey) {
        return ColdCalls.callInt(GET_PKEY_INDEX.address(), context, ColdCalls.u8(port), ColdCalls.u16(pkey));
    }

    /**
     * {@code ibv_get_async_event}: waits for an event and fills an {@code ibv_async_event}, to be
     * acknowledged. Blocks unless the context's {@code async_fd} is non-blocking.
     *
     * @return 0, or the errno value
     */
    public static int getAsyncEvent(final long context, final long event) {
        return ColdCalls.status(ColdCalls.callInt(GET_ASYNC_EVENT.address(), context, event));
    }

    /**
     * {@code ibv_ack_async_event}: an object cannot be destroyed while an event of it is not acknowledged.
     */
    public static void ackAsyncEvent(final long event) {
        ColdCalls.callVoid(ACK_ASYNC_EVENT.address(), event);
    }

    /**
     * {@code ibv_node_type_str}.
     *
     * @return a text for an {@code ibv_node_type}
     */
    public static String nodeTypeStr(final int type) {
        return Pointers.readString(ColdCalls.callLong(NODE_TYPE_STR.address(), type));
    }

    /**
     * {@code ibv_port_state_str}.
     *
     * @return a text for an {@code ibv_port_state}
     */
    public static String portStateStr(final int state) {
        return Pointers.readString(ColdCalls.callLong(PORT_STATE_STR.address(), state));
    }

    /**
     * {@code ibv_event_type_str}.
     *
     * @return a text for an {@code ibv_event_type}
     */
    public static String eventTypeStr(final int event) {
        return Pointers.readString(ColdCalls.callLong(EVENT_TYPE_STR.address(), event));
    }

    /**
     * {@code ibv_wc_status_str}.
     *
     * @return a text for an {@code ibv_wc_status}
     */
    public static String wcStatusStr(final int status) {
        return Pointers.readString(ColdCalls.callLong(WC_STATUS_STR.address(), status));
    }
}
