package org.chagres.verbs.rdmacore;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Native memory by address, for the hot path: no bounds, no liveness. The caller answers for both, once for all fields of a request; a segment would
 * check them with each field, which makes the setters too large for the compiler to inline.
 */
final class RawMemory {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfInt NETWORK_INT = INT.withOrder(ByteOrder.BIG_ENDIAN);
    private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private RawMemory() {
    }

    static long getLong(final long address) {
        return ALL.get(LONG, address);
    }

    static void putLong(final long address, final long value) {
        ALL.set(LONG, address, value);
    }

    static int getInt(final long address) {
        return ALL.get(INT, address);
    }

    static void putInt(final long address, final int value) {
        ALL.set(INT, address, value);
    }

    /** Of a number in network byte order. */
    static int getNetworkInt(final long address) {
        return ALL.get(NETWORK_INT, address);
    }

    /** To a number in network byte order. */
    static void putNetworkInt(final long address, final int value) {
        ALL.set(NETWORK_INT, address, value);
    }
}
