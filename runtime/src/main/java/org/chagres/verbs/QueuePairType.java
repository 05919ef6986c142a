package org.chagres.verbs;

/** The transport service of a queue pair ({@code ibv_qp_type}). */
public enum QueuePairType {
    /** Reliable connection: everything, in order, acknowledged. */
    RC(2),
    /** Unreliable connection: sends and RDMA writes, in order, possibly lost. */
    UC(3),
    /** Unreliable datagrams: sends of at most one MTU to any queue pair, possibly lost. */
    UD(4);

    private final int code;

    QueuePairType(final int code) {
        this.code = code;
    }

    /** The number of {@code ibv_qp_type}. */
    public int code() {
        return code;
    }

    /** Whether it has one peer. */
    public boolean isConnected() {
        return this != UD;
    }
}
