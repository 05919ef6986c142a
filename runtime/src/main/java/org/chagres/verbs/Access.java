package org.chagres.verbs;

import java.util.EnumSet;
import java.util.Set;

/** What may be done with a memory region, or through a queue pair ({@code ibv_access_flags}). Reading by the own device is always allowed. */
public enum Access {
    /** The own device may write: receives, results of reads and atomics. The next two need it as well. */
    LOCAL_WRITE(1),
    /** Peers may write. */
    REMOTE_WRITE(1 << 1),
    /** Peers may read. */
    REMOTE_READ(1 << 2),
    /** Peers may run atomic operations. */
    REMOTE_ATOMIC(1 << 3),
    /** Pages are not pinned but brought in when needed; only some devices can. */
    ON_DEMAND(1 << 6),
    /**
     * Writes may become visible in another order than they were sent, which lets PCIe go faster; the completion still says that all are there. Only for
     * bulk data. A device, kernel or library that does not know it ignores it.
     */
    RELAXED_ORDERING(1 << 20);

    /** Everything that local and remote requests can do. */
    public static final Set<Access> ALL = Set.of(LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC);
    /** What the own device alone does. */
    public static final Set<Access> LOCAL = Set.of(LOCAL_WRITE);

    private final int bit;

    Access(final int bit) {
        this.bit = bit;
    }

    /** The bit of {@code ibv_access_flags}. */
    public int bit() {
        return bit;
    }

    /** The bits of a set. */
    public static int bits(final Set<Access> access) {
        int bits = 0;
        for (final Access one : access) {
            bits |= one.bit;
        }
        return bits;
    }

    /** The set with these bits; bits without a name are left out. */
    public static Set<Access> of(final int bits) {
        final Set<Access> access = EnumSet.noneOf(Access.class);
        for (final Access one : values()) {
            if ((bits & one.bit) != 0) {
                access.add(one);
            }
        }
        return access;
    }

    /**
     * Checks that a set may be asked for a memory region.
     *
     * @throws IllegalArgumentException if remote writes or atomics are allowed without local ones, which no device takes
     */
    public static void checkRegion(final Set<Access> access) {
        if ((access.contains(REMOTE_WRITE) || access.contains(REMOTE_ATOMIC)) && !access.contains(LOCAL_WRITE)) {
            throw new IllegalArgumentException(
                    "access " + access + " lets peers change memory that the own device may not: add LOCAL_WRITE");
        }
    }
}
