package org.chagres.bench.verbs.rping;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.chagres.bench.verbs.PeerLostException;
import org.chagres.verbs.MemoryRegion;
import org.chagres.verbs.RemoteMemory;

/**
 * Where the client's data are: {@code struct rping_rdma_info} of {@code librdmacm/examples/rping.c}, all numbers in network byte order. The server's
 * answers have the same length, and their content means nothing.
 *
 * @param memory the first byte
 * @param size in bytes
 */
record RpingBuffer(RemoteMemory memory, int size) {
    /** The length of a message. */
    static final int BYTES = 16;

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final long KEY = 8;
    private static final long SIZE = 12;

    static RpingBuffer of(final MemoryRegion region) {
        return new RpingBuffer(region.remote(0), (int) region.length());
    }

    void write(final MemorySegment to) {
        to.set(LONG, 0, memory.address());
        to.set(INT, KEY, memory.key());
        to.set(INT, SIZE, size);
    }

    /**
     * Reads a message.
     *
     * @param length what was received
     * @param limit the largest size that this end takes
     */
    static RpingBuffer read(final MemorySegment from, final long length, final int limit) {
        checkLength(length);
        final int size = from.get(INT, SIZE);
        if (size < 1 || size > limit) {
            throw new PeerLostException("the peer offers a buffer of " + Integer.toUnsignedLong(size)
                    + " bytes, this end takes 1 to " + limit + ": give both ends the same -S");
        }
        return new RpingBuffer(new RemoteMemory(from.get(LONG, 0), from.get(INT, KEY)), size);
    }

    /** All messages have the same length, whatever they mean. */
    static void checkLength(final long length) {
        if (length != BYTES) {
            throw new PeerLostException("the peer sent a message of " + length + " bytes, not of " + BYTES
                    + ": it is no rping");
        }
    }
}
