package org.chagres.verbs;

/** What completed ({@code ibv_wc_opcode}). */
public enum CompletionOpcode {
    SEND(0),
    /** With immediate or without. */
    RDMA_WRITE(1), RDMA_READ(2), COMP_SWAP(3), FETCH_ADD(4), BIND_MW(5), LOCAL_INV(6), RECV(128),
    /** A receive request that a peer's RDMA write with immediate took. */
    RECV_RDMA_WITH_IMM(129), UNKNOWN(-1);

    private final int code;

    CompletionOpcode(final int code) {
        this.code = code;
    }

    /** The number of {@code ibv_wc_opcode}. */
    public int code() {
        return code;
    }

    /** Whether a receive request completed. */
    public boolean isReceive() {
        return this == RECV || this == RECV_RDMA_WITH_IMM;
    }

    /** The opcode with a number of {@code ibv_wc_opcode}; UNKNOWN for any other. */
    public static CompletionOpcode of(final int code) {
        for (final CompletionOpcode opcode : values()) {
            if (opcode.code == code) {
                return opcode;
            }
        }
        return UNKNOWN;
    }
}
