package org.chagres.verbs;

/** The state of a queue pair ({@code ibv_qp_state}). */
public enum QueuePairState {
    /** As it was made. Nothing can be posted. */
    RESET(0),
    /** Bound to a port. Receives can be posted. */
    INIT(1),
    /** Ready to receive: knows its peer, and answers it. */
    RTR(2),
    /** Ready to send. */
    RTS(3),
    /** Send queue drained: finishes what it has begun, and begins nothing. */
    SQD(4),
    /** Send queue error: a send of an unreliable queue pair failed; it still receives. */
    SQE(5),
    /** Error: what is or gets posted completes with WR_FLUSH_ERR. */
    ERR(6), UNKNOWN(7);

    private final int code;

    QueuePairState(final int code) {
        this.code = code;
    }

    /** The number of {@code ibv_qp_state}. */
    public int code() {
        return code;
    }

    /** The state with a number of {@code ibv_qp_state}; UNKNOWN for any other. */
    public static QueuePairState of(final int code) {
        for (final QueuePairState state : values()) {
            if (state.code == code) {
                return state;
            }
        }
        return UNKNOWN;
    }
}
