package org.chagres.verbs;

import java.util.List;

/** How a request ended ({@code ibv_wc_status}), with what it means and what usually causes it, the likeliest first. */
public enum CompletionStatus {
    SUCCESS(0, "the request succeeded"), LOC_LEN_ERR(1, "a length did not fit",
            "the message received is longer than the memory of the receive request",
            "a datagram is longer than the path's MTU",
            "a message is longer than the port's maximum"), LOC_QP_OP_ERR(2,
                    "the queue pair could not process the request",
                    "the request or its scatter/gather list is malformed, or of a kind that the queue pair's type does not know",
                    "a read or atomic on a queue pair with max_rd_atomic 0"), LOC_EEC_OP_ERR(3,
                            "the end-to-end context could not process the request",
                            "reliable datagrams, which no device of today has"), LOC_PROT_ERR(4,
                                    "the request names local memory that it may not use",
                                    "the local key is stale: the region was closed",
                                    "an address or length outside the region",
                                    "the region belongs to another protection domain, or lacks LOCAL_WRITE for what is received or read"), WR_FLUSH_ERR(
                                            5, "the request was given up because the queue pair is in the error state",
                                            "an earlier request of this queue pair failed: the first completion with another status tells why",
                                            "the queue pair was moved to the error state or disconnected on purpose"), MW_BIND_ERR(
                                                    6, "a memory window could not be bound",
                                                    "the region does not allow it, or belongs to another protection domain"), BAD_RESP_ERR(
                                                            7,
                                                            "the peer's answer had an unexpected opcode or sequence number",
                                                            "packets of another connection with the same queue pair number",
                                                            "a damaged driver or device at the peer"), LOC_ACCESS_ERR(8,
                                                                    "the peer's RDMA write with immediate broke a protection rule here",
                                                                    "the peer's remote key or address does not fit the region"), REM_INV_REQ_ERR(
                                                                            9,
                                                                            "the peer refused the request as invalid",
                                                                            "the peer's queue pair does not allow this operation: its access flags, or max_dest_rd_atomic 0",
                                                                            "a message longer than the peer's receive request",
                                                                            "an atomic at an address that is not a multiple of 8"), REM_ACCESS_ERR(
                                                                                    10,
                                                                                    "the peer refused access to its memory",
                                                                                    "the remote key is stale or wrong: the peer closed or re-registered the region",
                                                                                    "an address or length outside the peer's region",
                                                                                    "the peer's region does not allow the operation: REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC"), REM_OP_ERR(
                                                                                            11,
                                                                                            "the peer could not complete the request",
                                                                                            "the peer's queue pair or receive request failed: look at the peer's completions",
                                                                                            "the peer's memory cannot be reached, as after it was unmapped"), RETRY_EXC_ERR(
                                                                                                    12,
                                                                                                    "the peer did not answer, however often the request was repeated",
                                                                                                    "the peer's process or queue pair is gone, or its queue pair is not yet ready to receive",
                                                                                                    "the peer's queue pair number, GID or sequence number is wrong: the connection data were mixed up",
                                                                                                    "no route between the GIDs: link-local or of the wrong type, another VLAN, a firewall that drops UDP port 4791, a port that is down",
                                                                                                    "packets lost beyond retry count and timeout: raise them, and look at flow control (PFC, ECN)",
                                                                                                    "an MTU that the network between does not carry"), RNR_RETRY_EXC_ERR(
                                                                                                            13,
                                                                                                            "the peer had no receive request ready, however often the request was repeated",
                                                                                                            "the peer posts receive requests too slowly or too few: credits avoid it",
                                                                                                            "rnr_retry is low: 7 repeats for ever"), LOC_RDD_VIOL_ERR(
                                                                                                                    14,
                                                                                                                    "the reliable datagram domains differ",
                                                                                                                    "reliable datagrams, which no device of today has"), REM_INV_RD_REQ_ERR(
                                                                                                                            15,
                                                                                                                            "the peer refused an invalid reliable datagram",
                                                                                                                            "reliable datagrams, which no device of today has"), REM_ABORT_ERR(
                                                                                                                                    16,
                                                                                                                                    "the peer aborted the operation",
                                                                                                                                    "the peer's queue pair or shared receive queue broke"), INV_EECN_ERR(
                                                                                                                                            17,
                                                                                                                                            "an invalid end-to-end context number",
                                                                                                                                            "reliable datagrams, which no device of today has"), INV_EEC_STATE_ERR(
                                                                                                                                                    18,
                                                                                                                                                    "an operation in the wrong state of the end-to-end context",
                                                                                                                                                    "reliable datagrams, which no device of today has"), FATAL_ERR(
                                                                                                                                                            19,
                                                                                                                                                            "the device is in a fatal state",
                                                                                                                                                            "the device or its driver broke: look at the kernel's log, then close and open it again"), RESP_TIMEOUT_ERR(
                                                                                                                                                                    20,
                                                                                                                                                                    "the peer's answer did not come in time",
                                                                                                                                                                    "the peer or the network is overloaded",
                                                                                                                                                                    "the peer is gone"), GENERAL_ERR(
                                                                                                                                                                            21,
                                                                                                                                                                            "another error",
                                                                                                                                                                            "the vendor error tells more"), TM_ERR(
                                                                                                                                                                                    22,
                                                                                                                                                                                    "tag matching failed",
                                                                                                                                                                                    "a tag operation that does not fit the shared receive queue"), TM_RNDV_INCOMPLETE(
                                                                                                                                                                                            23,
                                                                                                                                                                                            "a rendezvous of tag matching was not completed",
                                                                                                                                                                                            "the message must be fetched by software"), UNKNOWN(
                                                                                                                                                                                                    -1,
                                                                                                                                                                                                    "a status that this version does not know",
                                                                                                                                                                                                    "a newer driver; the number and the vendor error tell more");

    private static final CompletionStatus[] BY_CODE = byCode();

    private final int code;
    private final String meaning;
    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<String> causes;

    CompletionStatus(final int code, final String meaning, final String... causes) {
        this.code = code;
        this.meaning = meaning;
        this.causes = List.of(causes);
    }

    /** The number of {@code ibv_wc_status}. */
    public int code() {
        return code;
    }

    /** One sentence for people. */
    public String meaning() {
        return meaning;
    }

    /** What usually causes it, the likeliest first; none for SUCCESS. */
    public List<String> causes() {
        return causes;
    }

    /** The status with a number of {@code ibv_wc_status}; UNKNOWN for any other. Allocates nothing. */
    public static CompletionStatus of(final int code) {
        return code >= 0 && code < BY_CODE.length ? BY_CODE[code] : UNKNOWN;
    }

    private static CompletionStatus[] byCode() {
        final CompletionStatus[] table = new CompletionStatus[values().length - 1];
        for (final CompletionStatus status : values()) {
            if (status != UNKNOWN) {
                table[status.code] = status;
            }
        }
        return table;
    }
}
