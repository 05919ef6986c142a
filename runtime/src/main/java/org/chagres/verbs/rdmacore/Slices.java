package org.chagres.verbs.rdmacore;

import java.util.List;
import org.chagres.verbs.Access;
import org.chagres.verbs.Slice;

/** Checks the local memory of requests. */
final class Slices {
    private Slices() {
    }

    /**
     * Checks that slices fit a request.
     *
     * @param needed what the device does with the memory; null if it only reads
     * @param what the request, for messages
     */
    static void check(final List<Slice> slices, final NativeProtectionDomain domain, final int maxEntries,
            final Access needed, final String what) {
        if (slices.size() > maxEntries) {
            throw new IllegalArgumentException(
                    what + " has " + slices.size() + " entries, but its queue was made for " + maxEntries);
        }
        for (final Slice slice : slices) {
            final NativeMemoryRegion region = Family.member(slice.region(), NativeMemoryRegion.class, "memory region");
            region.checkUsable();
            if (region.protectionDomain() != domain) {
                throw new IllegalArgumentException(
                        what + " names " + region + ", which belongs to another protection domain than its queue");
            }
            if (needed != null && !region.access().contains(needed)) {
                throw new IllegalArgumentException(what + " changes " + region + ", which was registered for "
                        + region.access() + ": it needs " + needed);
            }
        }
    }

    /** The bytes of all slices. */
    static long bytes(final List<Slice> slices) {
        long bytes = 0;
        for (final Slice slice : slices) {
            bytes += slice.length();
        }
        return bytes;
    }
}
