package org.chagres.verbs;

/** What kind of node a device is ({@code ibv_node_type}). */
public enum NodeType {
    CA("channel adapter"), SWITCH("switch"), ROUTER("router"), RNIC("RDMA NIC (iWARP)"), USNIC("usNIC"), USNIC_UDP(
            "usNIC over UDP"), UNSPECIFIED("unspecified"), UNKNOWN("unknown");

    private final String text;

    NodeType(final String text) {
        this.text = text;
    }

    /** A text for people. */
    public String text() {
        return text;
    }

    /** The kind with a number of {@code ibv_node_type}; UNKNOWN for any other. */
    public static NodeType of(final int code) {
        return switch (code) {
            case 1 -> CA;
            case 2 -> SWITCH;
            case 3 -> ROUTER;
            case 4 -> RNIC;
            case 5 -> USNIC;
            case 6 -> USNIC_UDP;
            case 7 -> UNSPECIFIED;
            default -> UNKNOWN;
        };
    }
}
