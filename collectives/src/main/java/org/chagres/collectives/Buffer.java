package org.chagres.collectives;

import java.lang.foreign.MemorySegment;
import org.chagres.memory.PageSize;
import org.chagres.memory.Region;

/**
 * A tensor in registered off-heap memory: a region, or a part of one, with a data type. Its bytes may be used from any thread; while an operation runs
 * on it, only as that operation allows. The communicator that allocated it owns it and closes it at the latest.
 */
public final class Buffer implements AutoCloseable {
    private final Region region;
    private final MemorySegment segment;
    private final DataType type;
    private final long count;

    Buffer(final Region region, final MemorySegment segment, final DataType type, final long count) {
        this.region = region;
        this.segment = segment;
        this.type = type;
        this.count = count;
    }

    /** The memory, {@code count * type.size()} bytes; zeroed at first. */
    public MemorySegment segment() {
        return segment;
    }

    public DataType type() {
        return type;
    }

    /** Elements. */
    public long count() {
        return count;
    }

    /** The pages that the kernel gave. */
    public PageSize pageSize() {
        return region.pageSize();
    }

    /**
     * A part of this buffer; closing either closes the memory of both.
     *
     * @param offset the first element
     * @param length elements
     * @throws IndexOutOfBoundsException if the part is not within this buffer
     */
    public Buffer slice(final long offset, final long length) {
        java.util.Objects.checkFromIndexSize(offset, length, count);
        return new Buffer(region, segment.asSlice(offset * type.size(), length * type.size()), type, length);
    }

    /** Releases the memory. Waits for an operation that another thread runs on it; refuses while an asynchronous one is pending. */
    @Override
    public void close() {
        region.close();
    }
}
