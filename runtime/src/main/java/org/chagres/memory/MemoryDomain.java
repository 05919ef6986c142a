package org.chagres.memory;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.chagres.bindings.LibC;
import org.chagres.bindings.ErrnoException;

/**
 * All memory of one rank that peers may address, and the table by which they find it. Closing it closes its regions. Thread-safe.
 */
public final class MemoryDomain implements AutoCloseable {
    /** As many regions may be open at a time. */
    public static final int MAX_REGIONS = RegionTable.CAPACITY;

    private final Map<String, String> environment;
    private final int tableFd;
    private final Mapping table;
    private final List<RegionUser> users = new CopyOnWriteArrayList<>();
    private final Region[] byIndex = new Region[RegionTable.CAPACITY];
    /** The open regions by ascending address, replaced as a whole so that lookups need no lock. */
    private volatile Region[] byAddress = {};
    private long lastGeneration;
    private boolean closed;

    /**
     * @param environment settings, of which {@code CHAGRES_SHM_DIR} matters here
     * @throws MemoryExhaustedException if not even the table finds room
     */
    public MemoryDomain(final Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
        this.tableFd = SharedFile.create(RegionTable.BYTES, environment);
        this.table = map(tableFd, RegionTable.BYTES, PageSize.BASE);
    }

    /** How peers reach this domain. */
    public DomainAddress address() {
        return new DomainAddress(ProcessHandle.current().pid(), tableFd);
    }

    /**
     * Allocates zeroed memory that peers can map.
     *
     * @param bytes at least 0; rounded up to whole pages in memory
     * @throws IllegalArgumentException if {@code bytes} is negative
     * @throws IllegalStateException if the domain is closed or already has 4096 regions
     * @throws MemoryExhaustedException if there is no room
     */
    public synchronized Region allocate(final long bytes, final PageSize wanted) {
        if (bytes < 0) {
            throw new IllegalArgumentException("a region of " + bytes + " bytes: the length must be 0 or more");
        }
        if (closed) {
            throw new IllegalStateException("the memory domain is closed: no region can be allocated");
        }
        if (bytes > Long.MAX_VALUE - wanted.bytes()) {
            throw SharedFile.exhausted(bytes, environment, null);
        }
        final int index = freeIndex();
        final long length = wanted.round(Math.max(bytes, 1));
        final int reserved = wanted == PageSize.HUGE ? SharedFile.createFromReservedHugePages(length) : -1;
        final int fd = reserved >= 0 ? reserved : SharedFile.create(length, environment);
        final Mapping mapping = map(fd, length, wanted);
        final PageSize got = reserved >= 0 || mapping.huge() ? PageSize.HUGE : PageSize.BASE;
        final long generation = ++lastGeneration;
        final Region region = new Region(this, mapping, fd, RegionTable.token(index, generation), bytes, got);
        publish(index, region, generation, fd, wanted);
        byIndex[index] = region;
        final Region[] next = Arrays.copyOf(byAddress, byAddress.length + 1);
        next[byAddress.length] = region;
        Arrays.sort(next, (a, b) -> Long.compareUnsigned(a.address(), b.address()));
        byAddress = next;
        return region;
    }

    /** The open region that holds all of {@code address .. address + bytes}, or null. Allocates nothing. */
    public Region find(final long address, final long bytes) {
        final Region[] regions = byAddress;
        int low = 0;
        int high = regions.length - 1;
        while (low <= high) {
            final int middle = low + high >>> 1;
            final Region region = regions[middle];
            if (address < region.address()) {
                high = middle - 1;
            } else if (address >= region.address() + region.length()) {
                low = middle + 1;
            } else {
                return address + bytes <= region.address() + region.length() ? region : null;
            }
        }
        return null;
    }

    /**
     * The address of a range that a peer names by the token of a region of this domain; 0 if the region is closed or the range not inside it. Allocates
     * nothing. The address is good while the caller keeps the region from being closed, as a {@link RegionUser} does.
     */
    public long resolve(final long token, final long offset, final long bytes) {
        final Region region = find(token);
        if (region == null || offset < 0 || bytes < 0 || offset > region.length() - bytes) {
            return 0;
        }
        return region.address() + offset;
    }

    /** The open region that {@code token} names, or null. Allocates nothing. */
    public Region find(final long token) {
        final int index = index(token);
        final Region region = index < byIndex.length ? byIndex[index] : null;
        return region == null || region.token() != token || region.isClosed() ? null : region;
    }

    /** A small number that tokens of regions which are open at the same time do not share; below {@link #MAX_REGIONS} for all that a domain made. */
    public static int index(final long token) {
        return RegionTable.index(token);
    }

    /** Registers someone to wait for before a region goes. */
    public void addUser(final RegionUser user) {
        users.add(user);
    }

    public void removeUser(final RegionUser user) {
        users.remove(user);
    }

    void close(final Region region, final boolean quiesce) {
        synchronized (this) {
            if (region.isClosed()) {
                return;
            }
            region.markClosed();
        }
        try {
            for (final RegionUser user : quiesce ? users : List.<RegionUser>of()) {
                user.quiesce(region);
            }
            region.closeSegment();
        } catch (final RuntimeException e) {
            region.reopen();
            throw e;
        }
        try {
            users.forEach(user -> user.released(region));
        } finally {
            forget(region);
        }
    }

    private synchronized void forget(final Region region) {
        final int index = RegionTable.index(region.token());
        if (!closed) {
            Memory.putLongRelease(table.address() + index * RegionTable.ENTRY, 0);
        }
        byIndex[index] = null;
        byAddress = Arrays.stream(byAddress).filter(r -> r != region).toArray(Region[]::new);
        region.release();
    }

    /**
     * Closes all regions, then the table.
     *
     * @throws IllegalStateException if a region is still in use; all others are closed then, and closing may be tried again
     */
    @Override
    public void close() {
        RuntimeException refused = null;
        for (final Region region : byAddress) {
            try {
                close(region, true);
            } catch (final RuntimeException e) {
                refused = e;
            }
        }
        if (refused != null) {
            throw refused;
        }
        synchronized (this) {
            if (!closed) {
                closed = true;
                table.unmap();
                LibC.close(tableFd);
            }
        }
    }

    /** Maps a file that is this domain's: if there is no address space for it, it goes. */
    private Mapping map(final int fd, final long length, final PageSize pages) {
        try {
            return Mapping.of(fd, length, pages);
        } catch (final ErrnoException e) {
            LibC.close(fd);
            throw SharedFile.exhausted(length, environment, e);
        }
    }

    private int freeIndex() {
        for (int i = 0; i < byIndex.length; i++) {
            if (byIndex[i] == null) {
                return i;
            }
        }
        throw new IllegalStateException(
                "this rank already has " + byIndex.length + " regions: allocate fewer, larger ones");
    }

    private void publish(final int index, final Region region, final long generation, final int fd,
            final PageSize wanted) {
        final long entry = table.address() + index * RegionTable.ENTRY;
        Memory.putLong(entry + RegionTable.LENGTH, region.length());
        Memory.putInt(entry + RegionTable.DESCRIPTOR, fd);
        Memory.putInt(entry + RegionTable.PAGE_SIZE, (int) wanted.bytes());
        Memory.putLongRelease(entry, generation);
    }
}
