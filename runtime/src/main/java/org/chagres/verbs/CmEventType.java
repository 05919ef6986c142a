package org.chagres.verbs;

/** What can happen on the way to a connection, and after ({@code rdma_cm_event_type}). */
public enum CmEventType {
    ADDR_RESOLVED(0, "device and port on the way to the destination are found"), ADDR_ERROR(1,
            "no way to the destination: is the address right, does the route to it leave by the network device of an RDMA device?"), ROUTE_RESOLVED(
                    2, "the route is found"), ROUTE_ERROR(3,
                            "no route to the destination; on InfiniBand, the subnet manager knows none"), CONNECT_REQUEST(
                                    4, "a peer wants to connect"), CONNECT_RESPONSE(5,
                                            "the peer accepted; the queue pair, made elsewhere, is to be made ready"), CONNECT_ERROR(
                                                    6, "connecting failed"), UNREACHABLE(7,
                                                            "the peer did not answer: is it up, is UDP port 4791 open on the way?"), REJECTED(
                                                                    8,
                                                                    "the peer refused: nobody listens on the port, or whoever does said no"), ESTABLISHED(
                                                                            9,
                                                                            "the connection is made"), DISCONNECTED(10,
                                                                                    "the connection has ended"), DEVICE_REMOVAL(
                                                                                            11,
                                                                                            "the device is gone"), MULTICAST_JOIN(
                                                                                                    12,
                                                                                                    "the group is joined"), MULTICAST_ERROR(
                                                                                                            13,
                                                                                                            "the group could not be joined, or is gone"), ADDR_CHANGE(
                                                                                                                    14,
                                                                                                                    "the address of the network device changed: connect again"), TIMEWAIT_EXIT(
                                                                                                                            15,
                                                                                                                            "the queue pair may be used for another connection"), UNKNOWN(
                                                                                                                                    -1,
                                                                                                                                    "an event that this version does not know");

    private final int code;
    private final String meaning;

    CmEventType(final int code, final String meaning) {
        this.code = code;
        this.meaning = meaning;
    }

    /** The number of {@code rdma_cm_event_type}. */
    public int code() {
        return code;
    }

    /** A sentence for people. */
    public String meaning() {
        return meaning;
    }

    /** The type with a number of {@code rdma_cm_event_type}; UNKNOWN for any other. */
    public static CmEventType of(final int code) {
        for (final CmEventType type : values()) {
            if (type.code == code) {
                return type;
            }
        }
        return UNKNOWN;
    }
}
