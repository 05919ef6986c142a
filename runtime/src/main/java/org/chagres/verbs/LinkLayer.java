package org.chagres.verbs;

/** What a port's wire carries. */
public enum LinkLayer {
    UNSPECIFIED("unspecified"), INFINIBAND("InfiniBand"), ETHERNET("Ethernet");

    private final String text;

    LinkLayer(final String text) {
        this.text = text;
    }

    /** A text for people. */
    public String text() {
        return text;
    }

    /** The layer with a number of {@code IBV_LINK_LAYER_*}; UNSPECIFIED for any other. */
    public static LinkLayer of(final int code) {
        return switch (code) {
            case 1 -> INFINIBAND;
            case 2 -> ETHERNET;
            default -> UNSPECIFIED;
        };
    }
}
