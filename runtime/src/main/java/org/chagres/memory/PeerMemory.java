package org.chagres.memory;

import java.util.Arrays;
import org.chagres.bindings.LibC;
import org.chagres.bindings.ErrnoException;

/**
 * A peer's domain as this process sees it: tokens become addresses, mapped on first use and kept until the peer closes the region. Used by one
 * thread at a time.
 */
public final class PeerMemory implements AutoCloseable {
    private final DomainAddress address;
    private final boolean sameProcess;
    private final Mapping tableMapping;
    private final long table;
    private long[] tokens = new long[16];
    private long[] bases = new long[16];
    private long[] lengths = new long[16];
    private Mapping[] mappings = new Mapping[16];

    /**
     * @throws IllegalStateException if the peer's memory cannot be opened; the message says why
     */
    public PeerMemory(final DomainAddress address) {
        this.address = address;
        this.sameProcess = address.pid() == ProcessHandle.current().pid();
        this.tableMapping = sameProcess ? null : map(address.tableFd(), RegionTable.BYTES, PageSize.BASE);
        this.table = sameProcess ? address.tableAddress() : tableMapping.address();
    }

    /**
     * The address, in this process, of {@code bytes} bytes at {@code offset} of the region that {@code token} names.
     *
     * @throws StaleTokenException if the peer has closed that region, or the range is outside it
     */
    public long resolve(final long token, final long offset, final long bytes) {
        final int index = RegionTable.index(token);
        if (index >= tokens.length || tokens[index] != token
                || Memory.getLongAcquire(table + index * RegionTable.ENTRY) != RegionTable.generation(token)) {
            open(index, token);
        }
        if (offset < 0 || bytes < 0 || offset > lengths[index] - bytes) {
            throw new StaleTokenException(
                    "bytes " + offset + " to " + (offset + bytes) + " are outside the peer's region of "
                            + lengths[index] + " bytes");
        }
        return bases[index] + offset;
    }

    private void open(final int index, final long token) {
        final long generation = RegionTable.generation(token);
        final long entry = table + index * RegionTable.ENTRY;
        if (index >= RegionTable.CAPACITY || generation == 0 || Memory.getLongAcquire(entry) != generation) {
            throw stale(index, generation);
        }
        final long length = Memory.getLong(entry + RegionTable.LENGTH);
        final long owner = Memory.getLong(entry + RegionTable.ADDRESS);
        final int fd = Memory.getInt(entry + RegionTable.DESCRIPTOR);
        final PageSize pages = PageSize.of(Memory.getInt(entry + RegionTable.PAGE_SIZE));
        unmapClosed();
        final Mapping mapping = sameProcess ? null : map(fd, length, pages);
        if (Memory.getLongAcquire(entry) != generation) {
            if (mapping != null) {
                mapping.unmap();
            }
            throw stale(index, generation);
        }
        grow(index);
        tokens[index] = token;
        mappings[index] = mapping;
        bases[index] = sameProcess ? owner : mapping.address();
        lengths[index] = length;
    }

    private void grow(final int index) {
        if (index >= tokens.length) {
            final int size = Math.max(index + 1, tokens.length * 2);
            tokens = Arrays.copyOf(tokens, size);
            bases = Arrays.copyOf(bases, size);
            lengths = Arrays.copyOf(lengths, size);
            mappings = Arrays.copyOf(mappings, size);
        }
    }

    /** Lets go of regions that the peer has closed; a mapping would keep their memory from being freed. */
    private void unmapClosed() {
        for (int i = 0; i < tokens.length; i++) {
            if (tokens[i] != 0
                    && Memory.getLongAcquire(table + i * RegionTable.ENTRY) != RegionTable.generation(tokens[i])) {
                forget(i);
            }
        }
    }

    private void forget(final int i) {
        if (mappings[i] != null) {
            mappings[i].unmap();
            mappings[i] = null;
        }
        tokens[i] = 0;
    }

    private StaleTokenException stale(final int index, final long generation) {
        return new StaleTokenException("process " + address.pid() + " has closed its region " + index + " (generation "
                + generation + "): keep a region open until every rank has finished with it");
    }

    private Mapping map(final int fd, final long length, final PageSize pages) {
        final String path = "/proc/" + address.pid() + "/fd/" + fd;
        try {
            final int opened = LibC.open(path, LibC.O_RDWR | LibC.O_CLOEXEC, 0);
            try {
                final long actual = LibC.length(opened);
                if (actual != length) {
                    throw new StaleTokenException(
                            "the shared memory of process " + address.pid() + " has " + actual + " bytes, not "
                                    + length);
                }
                return Mapping.of(opened, length, pages);
            } finally {
                LibC.close(opened);
            }
        } catch (final ErrnoException e) {
            throw new IllegalStateException(
                    "cannot map the shared memory of process " + address.pid() + " (" + e.getMessage()
                            + "): the ranks of a host must run as the same user and see each other's processes"
                            + " (one container, or containers that share a PID namespace)",
                    e);
        }
    }

    @Override
    public void close() {
        for (int i = 0; i < tokens.length; i++) {
            forget(i);
        }
        if (tableMapping != null) {
            tableMapping.unmap();
        }
    }
}
