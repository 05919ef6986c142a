package org.chagres.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.chagres.bindings.LibC;

/**
 * Access to native memory by absolute address, for the hot path only: nothing here checks bounds or liveness. Callers validate at the public
 * interface and hold the regions that the addresses belong to.
 */
public final class Memory {
    /** All of the address space; its scope never closes, so accesses need no liveness check. */
    public static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    private static final VarHandle ALIGNED_LONG = ValueLayout.JAVA_LONG.varHandle();

    /** A bounded critical call: longer ones would hold up safepoints. */
    private static final long PIECE = 256 << 10;
    /** Up to here a loop of 8-byte moves beats the cost of a downcall. */
    private static final long SMALL = 64;

    private Memory() {
    }

    public static long getLong(final long address) {
        return ALL.get(LONG, address);
    }

    public static void putLong(final long address, final long value) {
        ALL.set(LONG, address, value);
    }

    public static int getInt(final long address) {
        return ALL.get(INT, address);
    }

    public static void putInt(final long address, final int value) {
        ALL.set(INT, address, value);
    }

    public static void putByte(final long address, final byte value) {
        ALL.set(BYTE, address, value);
    }

    /** Reads an 8-byte-aligned counter that another process raises; what it wrote before is visible after. */
    public static long getLongAcquire(final long address) {
        return (long) ALIGNED_LONG.getAcquire(ALL, address);
    }

    /** Writes an 8-byte-aligned counter after everything written before. */
    public static void putLongRelease(final long address, final long value) {
        ALIGNED_LONG.setRelease(ALL, address, value);
    }

    /** Copies {@code bytes} between ranges that do not overlap. */
    public static void copy(final long to, final long from, final long bytes) {
        if (bytes <= SMALL) {
            copySmall(to, from, (int) bytes);
        } else if (bytes <= PIECE) {
            LibC.memcpy(to, from, bytes);
        } else {
            copyPieces(to, from, bytes);
        }
    }

    private static void copyPieces(final long to, final long from, final long bytes) {
        for (long done = 0; done < bytes; done += PIECE) {
            LibC.memcpy(to + done, from + done, Math.min(PIECE, bytes - done));
        }
    }

    /** Copies few bytes without a downcall. */
    private static void copySmall(final long to, final long from, final int bytes) {
        int i = 0;
        for (; i + 8 <= bytes; i += 8) {
            putLong(to + i, getLong(from + i));
        }
        if (i + 4 <= bytes) {
            putInt(to + i, getInt(from + i));
            i += 4;
        }
        for (; i < bytes; i++) {
            ALL.set(BYTE, to + i, ALL.get(BYTE, from + i));
        }
    }
}
