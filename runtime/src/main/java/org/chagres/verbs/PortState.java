package org.chagres.verbs;

/** The logical state of a port ({@code ibv_port_state}). Traffic flows only when it is ACTIVE. */
public enum PortState {
    NOP, DOWN, INIT, ARMED, ACTIVE, ACTIVE_DEFER, UNKNOWN;

    /** The state with a number of {@code ibv_port_state}; UNKNOWN for any other. */
    public static PortState of(final int code) {
        return switch (code) {
            case 0 -> NOP;
            case 1 -> DOWN;
            case 2 -> INIT;
            case 3 -> ARMED;
            case 4 -> ACTIVE;
            case 5 -> ACTIVE_DEFER;
            default -> UNKNOWN;
        };
    }
}
