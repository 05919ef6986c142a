package org.chagres.collectives;

import java.lang.foreign.MemorySegment;
import org.chagres.memory.Region;

/** Registered memory through which operations on other memory pass. Grows to the largest operation seen; used by one operation at a time. */
final class Staging implements AutoCloseable {
    private final StagingPool pool;
    private Region region;

    Staging(final StagingPool pool) {
        this.pool = pool;
    }

    /** A region of at least {@code bytes} bytes, with any contents. */
    Region atLeast(final long bytes) {
        if (region == null || region.length() < bytes) {
            close();
            region = pool.take(bytes);
        }
        return region;
    }

    /** A copy of {@code from}, which may be heap or native memory. */
    Region copyOf(final MemorySegment from, final long bytes) {
        final Region staged = atLeast(bytes);
        MemorySegment.copy(from, 0, staged.segment(), 0, bytes);
        return staged;
    }

    @Override
    public void close() {
        if (region != null) {
            pool.give(region);
            region = null;
        }
    }
}
