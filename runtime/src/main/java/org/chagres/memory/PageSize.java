package org.chagres.memory;

/** The pages that back a region. */
public enum PageSize {
    /** The system's base pages (4 KiB on x86-64). */
    BASE(4096),
    /**
     * Huge pages (2 MiB): reserved ones where the system has them ({@code vm.nr_hugepages}), else transparent ones, gathered when the region
     * is allocated. Where the kernel refuses both, the region has base pages and {@link Region#pageSize} says so.
     */
    HUGE(2 << 20);

    private final long bytes;

    PageSize(final long bytes) {
        this.bytes = bytes;
    }

    static PageSize of(final long bytes) {
        return bytes == HUGE.bytes ? HUGE : BASE;
    }

    public long bytes() {
        return bytes;
    }

    /** {@code length} rounded up to whole pages. */
    public long round(final long length) {
        return Math.addExact(length, bytes - 1) & -bytes;
    }
}
