package org.chagres.collectives;

import java.util.ArrayDeque;
import java.util.Iterator;
import org.chagres.memory.MemoryDomain;
import org.chagres.memory.PageSize;
import org.chagres.memory.Region;

/**
 * Registered memory that is free to stage through, so that operations on other memory need not map and unmap some each time. Keeps a few regions;
 * any contents. Thread-safe.
 */
final class StagingPool implements AutoCloseable {
    private static final long LEAST = 64 << 10;
    private static final int KEPT = 8;

    private final MemoryDomain domain;
    private final ArrayDeque<Region> free = new ArrayDeque<>();
    private boolean closed;

    StagingPool(final MemoryDomain domain) {
        this.domain = domain;
    }

    /** A region of at least {@code bytes} bytes, which belongs to the caller until it gives it back. */
    synchronized Region take(final long bytes) {
        for (final Iterator<Region> regions = free.iterator(); regions.hasNext();) {
            final Region region = regions.next();
            if (region.length() >= bytes) {
                regions.remove();
                return region;
            }
        }
        return domain.allocate(Math.max(LEAST, bytes), PageSize.BASE);
    }

    /** Takes back a region that no operation touches any more. */
    synchronized void give(final Region region) {
        free.addFirst(region);
        while (free.size() > (closed ? 0 : KEPT)) {
            free.removeLast().closeUnused();
        }
    }

    /** Gives the memory back to the domain, and with it what is still to be returned. */
    @Override
    public synchronized void close() {
        closed = true;
        free.forEach(Region::closeUnused);
        free.clear();
    }
}
