package org.chagres.verbs;

/** What can happen outside of any request ({@code ibv_event_type}). */
public enum AsyncEventType {
    CQ_ERR(0, true, "the completion queue overran, or broke otherwise; its queue pairs cannot go on"), QP_FATAL(1, true,
            "the queue pair broke and is in the error state"), QP_REQ_ERR(2, true,
                    "the queue pair received an invalid request and is in the error state"), QP_ACCESS_ERR(3, true,
                            "the queue pair received a request for memory that it may not access and is in the error state"), COMM_EST(
                                    4, false,
                                    "the queue pair received its first packet before it was ready to send"), SQ_DRAINED(
                                            5, false, "the send queue has finished what it had begun"), PATH_MIG(6,
                                                    false, "the connection moved to its alternate path"), PATH_MIG_ERR(
                                                            7, false,
                                                            "the connection could not move to its alternate path"), DEVICE_FATAL(
                                                                    8, true,
                                                                    "the device broke: close everything and open it again"), PORT_ACTIVE(
                                                                            9, false, "the port came up"), PORT_ERR(10,
                                                                                    true,
                                                                                    "the port went down: a cable, the switch or the network device beneath"), LID_CHANGE(
                                                                                            11, false,
                                                                                            "the subnet manager gave the port another local identifier"), PKEY_CHANGE(
                                                                                                    12, false,
                                                                                                    "the partition key table changed"), SM_CHANGE(
                                                                                                            13, false,
                                                                                                            "another subnet manager took over"), SRQ_ERR(
                                                                                                                    14,
                                                                                                                    true,
                                                                                                                    "the shared receive queue broke"), SRQ_LIMIT_REACHED(
                                                                                                                            15,
                                                                                                                            false,
                                                                                                                            "the shared receive queue holds fewer requests than its limit"), QP_LAST_WQE_REACHED(
                                                                                                                                    16,
                                                                                                                                    false,
                                                                                                                                    "the queue pair, in the error state, has taken its last request from the shared receive queue"), CLIENT_REREGISTER(
                                                                                                                                            17,
                                                                                                                                            false,
                                                                                                                                            "the subnet manager asks for all registrations again"), GID_CHANGE(
                                                                                                                                                    18,
                                                                                                                                                    false,
                                                                                                                                                    "the GID table changed: an address was added to or removed from the network device beneath"), WQ_FATAL(
                                                                                                                                                            19,
                                                                                                                                                            true,
                                                                                                                                                            "the work queue broke"), UNKNOWN(
                                                                                                                                                                    -1,
                                                                                                                                                                    false,
                                                                                                                                                                    "an event that this version does not know");

    private final int code;
    private final boolean failure;
    private final String meaning;

    AsyncEventType(final int code, final boolean failure, final String meaning) {
        this.code = code;
        this.failure = failure;
        this.meaning = meaning;
    }

    /** The number of {@code ibv_event_type}. */
    public int code() {
        return code;
    }

    /** Whether something does not work from then on. */
    public boolean isFailure() {
        return failure;
    }

    /** A sentence for people. */
    public String meaning() {
        return meaning;
    }

    /** The type with a number of {@code ibv_event_type}; UNKNOWN for any other. */
    public static AsyncEventType of(final int code) {
        for (final AsyncEventType type : values()) {
            if (type.code == code) {
                return type;
            }
        }
        return UNKNOWN;
    }
}
