package org.chagres.memory;

/**
 * The layout of the table, itself in shared memory, by which peers find a domain's regions. An entry is written before its generation and
 * taken back by zeroing the generation, so a reader checks the generation before and after.
 *
 * <pre>
 * entry i, at i * 32:  0 generation (8 bytes, 0 = free)   8 length in bytes, not rounded to pages   16 descriptor (4)   20 page size (4)
 * </pre>
 */
final class RegionTable {
    static final int CAPACITY = 4096;
    static final long ENTRY = 32;
    static final long BYTES = CAPACITY * ENTRY;
    static final long LENGTH = 8;
    static final long DESCRIPTOR = 16;
    static final long PAGE_SIZE = 20;
    private static final int INDEX_BITS = 16;

    private RegionTable() {
    }

    /** A token packs the entry's index with its generation, which never repeats within a domain. */
    static long token(final int index, final long generation) {
        return generation << INDEX_BITS | index;
    }

    static int index(final long token) {
        return (int) (token & (1 << INDEX_BITS) - 1);
    }

    static long generation(final long token) {
        return token >>> INDEX_BITS;
    }
}
