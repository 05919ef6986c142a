package org.chagres.verbs;

/** The service that connection manager ports belong to ({@code rdma_port_space}). */
public enum PortSpace {
    /** Reliable connections. */
    TCP(0x0106),
    /** Unreliable datagrams. */
    UDP(0x0111),
    /** Any type of queue pair, by InfiniBand service. */
    IB(0x013f);

    private final int code;

    PortSpace(final int code) {
        this.code = code;
    }

    /** The number of {@code rdma_port_space}. */
    public int code() {
        return code;
    }
}
