package org.chagres.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Off-heap memory, in whole pages, that peers can address by its {@link #token}. Owned by a {@link MemoryDomain}, which closes it if its user
 * has not.
 *
 * <p>The segment may be used from any thread; using it after {@link #close} is an exception. {@link #close} waits for an operation that
 * another thread is running on it.
 */
public final class Region implements AutoCloseable {
    private final MemoryDomain domain;
    private final Mapping mapping;
    private final int fd;
    private final long token;
    private final PageSize pageSize;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment segment;
    private volatile boolean closed;

    Region(final MemoryDomain domain, final Mapping mapping, final int fd, final long token, final long bytes,
            final PageSize pageSize) {
        this.domain = domain;
        this.mapping = mapping;
        this.fd = fd;
        this.token = token;
        this.pageSize = pageSize;
        this.segment = MemorySegment.ofAddress(mapping.address()).reinterpret(bytes, arena, null);
    }

    /** All of the region; its length is what was asked for, not rounded to pages. */
    public MemorySegment segment() {
        return segment;
    }

    /** The address of the first byte in this process. */
    public long address() {
        return mapping.address();
    }

    /** The length in bytes that was asked for. */
    public long length() {
        return segment.byteSize();
    }

    /** What a peer needs to address this region; see {@link PeerMemory}. */
    public long token() {
        return token;
    }

    /** The pages that the kernel gave, which may be smaller than those asked for. */
    public PageSize pageSize() {
        return pageSize;
    }

    public boolean isClosed() {
        return closed;
    }

    /**
     * Withdraws the token, waits for running operations, and unmaps. Does nothing if closed already.
     *
     * @throws IllegalStateException if an asynchronous operation still uses the region: await it first
     */
    @Override
    public void close() {
        domain.close(this, true);
    }

    /** Closes a region of which its user knows that no operation touches it, without waiting for any. */
    public void closeUnused() {
        domain.close(this, false);
    }

    void markClosed() {
        closed = true;
    }

    void reopen() {
        closed = false;
    }

    /**
     * Ends access through the segment, after which nothing of this process may touch the memory.
     *
     * @throws IllegalStateException if a system call, such as a read from a file, is at work on it
     */
    void closeSegment() {
        arena.close();
    }

    void release() {
        mapping.unmap();
        org.chagres.bindings.LibC.close(fd);
    }
}
