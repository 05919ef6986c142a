package org.chagres.bench.perf;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.chagres.collectives.Buffer;
import org.chagres.collectives.Communicator;
import org.chagres.collectives.DataType;

/** Registered memory with a page of guard bytes before and after whatever part is in use. Not thread-safe. */
final class GuardedBuffer implements AutoCloseable {
    static final long GUARD = 4096;
    private static final byte UNTOUCHED = (byte) 0xa5;

    private final Buffer buffer;
    private final MemorySegment whole;

    /** @param bytes the most that {@link #area} will be asked for */
    GuardedBuffer(final Communicator comm, final long bytes) {
        buffer = comm.allocate(DataType.UINT8, bytes + 2 * GUARD);
        whole = buffer.segment();
    }

    /** The first {@code bytes} bytes between the guards; starts on a page. */
    MemorySegment area(final long bytes) {
        return whole.asSlice(GUARD, bytes);
    }

    /** Readies the guards around {@link #area area(bytes)}. */
    void armGuards(final long bytes) {
        whole.asSlice(0, GUARD).fill(UNTOUCHED);
        whole.asSlice(GUARD + bytes, GUARD).fill(UNTOUCHED);
    }

    /** Counts the guard bytes around {@link #area area(bytes)} that were overwritten. */
    long overwrittenGuards(final long bytes) {
        return changed(whole.asSlice(0, GUARD)) + changed(whole.asSlice(GUARD + bytes, GUARD));
    }

    /** Fills {@code segment} so that {@link #changed} notices every write. */
    static void markUntouched(final MemorySegment segment) {
        segment.fill(UNTOUCHED);
    }

    /** Counts the bytes written since {@link #markUntouched}. */
    static long changed(final MemorySegment segment) {
        long changed = 0;
        for (long i = 0; i < segment.byteSize(); i++) {
            changed += segment.get(ValueLayout.JAVA_BYTE, i) == UNTOUCHED ? 0 : 1;
        }
        return changed;
    }

    @Override
    public void close() {
        buffer.close();
    }
}
