package org.chagres.verbs;

/** How far the atomicity of a device's atomic operations reaches ({@code ibv_atomic_cap}). */
public enum AtomicCapability {
    /** The device has no atomic operations. */
    NONE,
    /** Atomic among the queue pairs of this device only. */
    HCA,
    /** Atomic towards the CPU and other devices too. */
    GLOBAL;

    /** The capability with a number of {@code ibv_atomic_cap}; NONE for any other. */
    public static AtomicCapability of(final int code) {
        return switch (code) {
            case 1 -> HCA;
            case 2 -> GLOBAL;
            default -> NONE;
        };
    }
}
