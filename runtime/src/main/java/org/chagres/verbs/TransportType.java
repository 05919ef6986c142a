package org.chagres.verbs;

/** The protocol family that a device speaks ({@code ibv_transport_type}); RoCE counts as InfiniBand. */
public enum TransportType {
    INFINIBAND("InfiniBand"), IWARP("iWARP"), USNIC("usNIC"), USNIC_UDP("usNIC over UDP"), UNSPECIFIED(
            "unspecified"), UNKNOWN("unknown");

    private final String text;

    TransportType(final String text) {
        this.text = text;
    }

    /** A text for people. */
    public String text() {
        return text;
    }

    /** The transport with a number of {@code ibv_transport_type}; UNKNOWN for any other. */
    public static TransportType of(final int code) {
        return switch (code) {
            case 0 -> INFINIBAND;
            case 1 -> IWARP;
            case 2 -> USNIC;
            case 3 -> USNIC_UDP;
            case 4 -> UNSPECIFIED;
            default -> UNKNOWN;
        };
    }
}
