package org.chagres.verbs;

/** The packet format that a GID stands for. Both ends of a connection must use the same. */
public enum GidType {
    INFINIBAND("IB"),
    /** RDMA directly in Ethernet frames; does not pass routers. */
    ROCE_V1("RoCE v1"),
    /** RDMA in UDP datagrams, port 4791. */
    ROCE_V2("RoCE v2"), UNKNOWN("unknown");

    private final String text;

    GidType(final String text) {
        this.text = text;
    }

    /** The name that the kernel prints. */
    public String text() {
        return text;
    }

    /** The type with a number of {@code ibv_gid_type}; UNKNOWN for any other. */
    public static GidType of(final int code) {
        return switch (code) {
            case 0 -> INFINIBAND;
            case 1 -> ROCE_V1;
            case 2 -> ROCE_V2;
            default -> UNKNOWN;
        };
    }
}
