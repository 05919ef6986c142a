package org.chagres.verbs;

import java.util.Objects;

/**
 * A part of a memory region: an entry of a scatter or gather list.
 *
 * @param region the region
 * @param offset where it starts, in bytes
 * @param length in bytes; less than 4 GiB
 */
public record Slice(MemoryRegion region, long offset, long length) {
    private static final long MAX_LENGTH = 0xffff_ffffL;

    /** Checks that the part is inside the region. */
    public Slice {
        Objects.requireNonNull(region, "region");
        if (offset < 0 || length < 0 || offset > region.length() - length) {
            throw new IndexOutOfBoundsException(length + " bytes at " + offset + " are not inside " + region);
        }
        if (length > MAX_LENGTH) {
            throw new IllegalArgumentException(length + " bytes do not fit one entry of a request, which takes "
                    + MAX_LENGTH + " at most: split them");
        }
    }

    /** The address of the first byte. */
    public long address() {
        return region.address() + offset;
    }
}
