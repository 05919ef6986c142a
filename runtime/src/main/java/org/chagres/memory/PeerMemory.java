package org.chagres.memory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.chagres.bindings.LibC;
import org.chagres.bindings.ErrnoException;

/**
 * A peer's domain as this process sees it: tokens become addresses, mapped on first use and kept until the peer closes the region. Used by one
 * thread at a time.
 *
 * <p>Memory of a rank that is a thread of this process is mapped once more all the same: the owner may unmap its own mapping at any time, also while
 * this rank is writing, and that must not be the end of the process.
 */
public final class PeerMemory implements AutoCloseable {
    private static final int LEAST_ENTRIES = 16;
    /** Marks a free entry: no region has this token, for its index is beyond the table. */
    private static final long NO_TOKEN = -1;

    private final DomainAddress address;
    private final Mapping tableMapping;
    private final long table;
    private final List<Mapping> held = new ArrayList<>();
    private long[] tokens = new long[0];
    private long[] bases = new long[0];
    private long[] lengths = new long[0];
    private Mapping[] mappings = new Mapping[0];
    private boolean closed;

    /**
     * @throws IllegalStateException if the peer's memory cannot be opened; the message says why
     */
    public PeerMemory(final DomainAddress address) {
        this.address = address;
        this.tableMapping = map(address.tableFd(), RegionTable.BYTES, PageSize.BASE);
        this.table = tableMapping.address();
    }

    /**
     * The address, in this process, of {@code bytes} bytes at {@code offset} of the region that {@code token} names.
     *
     * @throws StaleTokenException if the peer has closed that region, or the range is outside it
     */
    public long resolve(final long token, final long offset, final long bytes) {
        final int index = RegionTable.index(token);
        if (index >= tokens.length || tokens[index] != token
                || Memory.getLongAcquire(entry(index)) != RegionTable.generation(token)) {
            open(index, token);
        }
        if (offset < 0 || bytes < 0 || offset > lengths[index] - bytes) {
            throw new StaleTokenException(
                    "bytes " + offset + " to " + (offset + bytes) + " are outside the peer's region of "
                            + lengths[index] + " bytes");
        }
        return bases[index] + offset;
    }

    /**
     * {@link #resolve} of the start of a region, for a caller that keeps the address: the mapping stays until this object is closed, even if the peer
     * closes the region.
     */
    public long hold(final long token, final long bytes) {
        final long address = resolve(token, 0, bytes);
        final Mapping mapping = mappings[RegionTable.index(token)];
        if (!held.contains(mapping)) {
            held.add(mapping);
        }
        return address;
    }

    private long entry(final int index) {
        return table + index * RegionTable.ENTRY;
    }

    private void open(final int index, final long token) {
        if (closed) {
            throw new IllegalStateException("the view of process " + address.pid() + "'s memory is closed");
        }
        final long generation = RegionTable.generation(token);
        if (index >= RegionTable.CAPACITY || generation == 0 || Memory.getLongAcquire(entry(index)) != generation) {
            throw stale(index, generation);
        }
        final long entry = entry(index);
        final long length = Memory.getLong(entry + RegionTable.LENGTH);
        final int fd = Memory.getInt(entry + RegionTable.DESCRIPTOR);
        final PageSize pages = PageSize.of(Memory.getInt(entry + RegionTable.PAGE_SIZE));
        unmapClosed();
        final Mapping mapping = map(index, generation, fd, pages.round(Math.max(length, 1)), pages);
        if (Memory.getLongAcquire(entry) != generation) {
            mapping.unmap();
            throw stale(index, generation);
        }
        grow(index);
        tokens[index] = token;
        mappings[index] = mapping;
        bases[index] = mapping.address();
        lengths[index] = length;
    }

    /** Maps a region that the peer may close in this moment, after which its descriptor is none or another. */
    private Mapping map(final int index, final long generation, final int fd, final long length, final PageSize pages) {
        try {
            return map(fd, length, pages);
        } catch (final IllegalStateException e) {
            throw Memory.getLongAcquire(entry(index)) == generation ? e : stale(index, generation);
        }
    }

    private void grow(final int index) {
        final int old = tokens.length;
        if (index >= old) {
            final int size = Math.max(Math.max(index + 1, LEAST_ENTRIES), old * 2);
            tokens = Arrays.copyOf(tokens, size);
            Arrays.fill(tokens, old, size, NO_TOKEN);
            bases = Arrays.copyOf(bases, size);
            lengths = Arrays.copyOf(lengths, size);
            mappings = Arrays.copyOf(mappings, size);
        }
    }

    /** Lets go of regions that the peer has closed; a mapping would keep their memory from being freed. */
    private void unmapClosed() {
        for (int i = 0; i < tokens.length; i++) {
            if (tokens[i] != NO_TOKEN && Memory.getLongAcquire(entry(i)) != RegionTable.generation(tokens[i])) {
                forget(i);
            }
        }
    }

    private void forget(final int i) {
        if (mappings[i] != null && !held.contains(mappings[i])) {
            mappings[i].unmap();
        }
        mappings[i] = null;
        tokens[i] = NO_TOKEN;
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

    /** Unmaps everything. Does nothing if closed already. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        for (int i = 0; i < tokens.length; i++) {
            forget(i);
        }
        held.forEach(Mapping::unmap);
        tableMapping.unmap();
    }
}
