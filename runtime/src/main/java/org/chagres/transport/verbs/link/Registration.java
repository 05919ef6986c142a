package org.chagres.transport.verbs.link;

import org.chagres.memory.Region;
import org.chagres.verbs.MemoryRegion;

/** A region that a device knows. Any thread may ask. */
final class Registration {
    private final Region region;
    private final MemoryRegion memory;
    private final long address;
    private final long end;
    private final int localKey;
    private final int remoteKey;
    private volatile boolean gone;

    Registration(final Region region, final MemoryRegion memory) {
        this.region = region;
        this.memory = memory;
        this.address = memory.address();
        this.end = address + memory.length();
        this.localKey = memory.localKey();
        this.remoteKey = memory.remoteKey();
    }

    Region region() {
        return region;
    }

    long address() {
        return address;
    }

    long end() {
        return end;
    }

    int localKey() {
        return localKey;
    }

    int remoteKey() {
        return remoteKey;
    }

    /** Whether it still exists and holds all of these bytes. */
    boolean holds(final long from, final long bytes) {
        return !gone && from >= address && from + bytes <= end;
    }

    /** Takes it back: from now on the device refuses its keys. */
    void close() {
        gone = true;
        memory.close();
    }
}
