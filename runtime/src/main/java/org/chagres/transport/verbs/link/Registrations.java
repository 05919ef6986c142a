package org.chagres.transport.verbs.link;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.chagres.memory.MemoryDomain;
import org.chagres.memory.Region;
import org.chagres.memory.RegionUser;
import org.chagres.verbs.Access;
import org.chagres.verbs.ProtectionDomain;
import org.chagres.verbs.VerbsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The regions of one memory domain that one device knows: each is registered once, at its first use, and until it is closed. So there are never more than
 * {@link MemoryDomain#MAX_REGIONS}. Shared by all transports of the domain over the device; any thread may call. Finding one allocates nothing.
 */
final class Registrations implements RegionUser {
    private static final Logger LOG = LoggerFactory.getLogger(Registrations.class);

    private final MemoryDomain regions;
    private final ProtectionDomain device;
    private final Set<Access> access;
    /** By ascending address, replaced as a whole so that lookups need no lock. */
    private volatile Registration[] byAddress = {};
    /** The tokens of regions that the device did not take. */
    private final Set<Long> refused = ConcurrentHashMap.newKeySet();
    private int users = 1;

    /** Has one user. */
    Registrations(final MemoryDomain regions, final ProtectionDomain device, final Set<Access> access) {
        this.regions = regions;
        this.device = device;
        this.access = access;
        regions.addUser(this);
    }

    MemoryDomain regions() {
        return regions;
    }

    void retain() {
        users++;
    }

    /** Ends a use; returns whether it was the last and all registrations are gone. */
    boolean release() {
        users--;
        if (users > 0) {
            return false;
        }
        regions.removeUser(this);
        synchronized (this) {
            final Registration[] all = byAddress;
            byAddress = new Registration[0];
            Arrays.stream(all).forEach(Registration::close);
        }
        return true;
    }

    /** The registration that holds all of these bytes, or null. */
    Registration find(final long address, final long bytes) {
        final Registration[] all = byAddress;
        int low = 0;
        int high = all.length - 1;
        while (low <= high) {
            final int middle = low + high >>> 1;
            final Registration one = all[middle];
            if (address < one.address()) {
                high = middle - 1;
            } else if (address >= one.end()) {
                low = middle + 1;
            } else {
                return one.holds(address, bytes) ? one : null;
            }
        }
        return null;
    }

    /**
     * The registration of a region, made if there is none yet.
     *
     * @throws VerbsException if the device refuses
     */
    Registration of(final Region region) {
        final Registration found = find(region.address(), region.length());
        return found != null ? found : register(region);
    }

    /**
     * The registration of memory that is only to be read, made if there is none yet; null if the memory is in no region of the domain, or cannot be
     * registered: then it must be copied.
     */
    Registration forReading(final long address, final long bytes) {
        final Region region = regions.find(address, bytes);
        if (region == null || refused.contains(region.token())) {
            return null;
        }
        try {
            return of(region);
        } catch (final VerbsException e) {
            if (refused.add(region.token())) {
                LOG.warn(
                        "data of a region of {} bytes are copied before they are sent, because it cannot be registered: {}",
                        region.length(), e.getMessage());
            }
            return null;
        }
    }

    private synchronized Registration register(final Region region) {
        final Registration found = find(region.address(), region.length());
        if (found != null) {
            return found;
        }
        final Registration made = new Registration(region,
                device.register(MemorySegment.ofAddress(region.address()).reinterpret(region.length()), access));
        final Registration[] next = Arrays.copyOf(byAddress, byAddress.length + 1);
        next[byAddress.length] = made;
        Arrays.sort(next, (a, b) -> Long.compareUnsigned(a.address(), b.address()));
        byAddress = next;
        return made;
    }

    @Override
    public void quiesce(final Region region) {
        // Who started an operation waits for its end.
    }

    @Override
    public synchronized void released(final Region region) {
        refused.remove(region.token());
        final Registration made = find(region.address(), 0);
        if (made != null && made.region() == region) {
            byAddress = Arrays.stream(byAddress).filter(one -> one != made).toArray(Registration[]::new);
            made.close();
        }
    }
}
