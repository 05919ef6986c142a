package org.chagres.memory;

import org.chagres.bindings.LibC;
import org.chagres.bindings.ErrnoException;

/** A shared mapping of a file, aligned to the page size asked for. Not thread-safe; whoever maps, unmaps. */
final class Mapping {
    private final long address;
    private final long length;
    private final boolean huge;

    private Mapping(final long address, final long length, final boolean huge) {
        this.address = address;
        this.length = length;
        this.huge = huge;
    }

    /** Maps all {@code length} bytes, a multiple of {@code pages}. Transparent huge pages are a request: see {@link #huge}. */
    static Mapping of(final int fd, final long length, final PageSize pages) {
        final int access = LibC.PROT_READ | LibC.PROT_WRITE;
        if (pages == PageSize.BASE) {
            return new Mapping(LibC.mmap(0, length, access, LibC.MAP_SHARED, fd, 0), length, false);
        }
        final long alignment = pages.bytes();
        final long reserved = LibC.mmap(0, length + alignment, LibC.PROT_NONE,
                LibC.MAP_PRIVATE | LibC.MAP_ANONYMOUS | LibC.MAP_NORESERVE, -1, 0);
        final long aligned = reserved + alignment - 1 & -alignment;
        try {
            LibC.mmap(aligned, length, access, LibC.MAP_SHARED | LibC.MAP_FIXED, fd, 0);
        } catch (final ErrnoException e) {
            LibC.munmap(reserved, length + alignment);
            throw e;
        }
        if (aligned > reserved) {
            LibC.munmap(reserved, aligned - reserved);
        }
        final long tail = reserved + alignment - aligned;
        if (tail > 0) {
            LibC.munmap(aligned + length, tail);
        }
        return new Mapping(aligned, length, LibC.madvise(aligned, length, LibC.MADV_COLLAPSE) == 0);
    }

    long address() {
        return address;
    }

    long length() {
        return length;
    }

    /** Whether the kernel gathered the pages into transparent huge ones. */
    boolean huge() {
        return huge;
    }

    void unmap() {
        LibC.munmap(address, length);
    }
}
