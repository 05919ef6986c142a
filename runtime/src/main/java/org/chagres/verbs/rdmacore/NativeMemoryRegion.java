package org.chagres.verbs.rdmacore;

import java.lang.foreign.MemorySegment;
import java.util.Set;
import org.chagres.bindings.VerbsMemory;
import org.chagres.bindings.verbs.ibv_mr;
import org.chagres.verbs.Access;
import org.chagres.verbs.MemoryRegion;

/** An {@code ibv_mr}. */
final class NativeMemoryRegion extends NativeObject implements MemoryRegion {
    private final NativeProtectionDomain domain;
    private final long region;
    /** Keeps memory of an automatic arena from being freed while the device may use it. */
    private final MemorySegment owner;
    private final long start;
    private final long length;
    private final int localKey;
    private final int remoteKey;
    private final Set<Access> access;

    NativeMemoryRegion(final NativeProtectionDomain domain, final long region, final MemorySegment owner,
            final long start,
            final Set<Access> access) {
        super(domain);
        this.domain = domain;
        this.region = region;
        this.owner = owner;
        this.start = start;
        this.access = Set.copyOf(access);
        final MemorySegment fields = MemorySegment.ofAddress(region).reinterpret(ibv_mr.sizeof());
        this.length = ibv_mr.length(fields);
        this.localKey = ibv_mr.lkey(fields);
        this.remoteKey = ibv_mr.rkey(fields);
        adopted();
    }

    @Override
    public NativeProtectionDomain protectionDomain() {
        return domain;
    }

    @Override
    public long address() {
        return start;
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public int localKey() {
        return localKey;
    }

    @Override
    public int remoteKey() {
        return remoteKey;
    }

    @Override
    public Set<Access> access() {
        return access;
    }

    /** Refuses a region whose memory may belong to someone else by now. */
    void checkUsable() {
        checkOpen();
        if (!owner.scope().isAlive()) {
            throw new IllegalStateException(
                    "the memory of " + this + " was freed with its arena: close the region before the arena");
        }
    }

    @Override
    void destroy() {
        Failures.check(VerbsMemory.deregMr(region), this + " cannot be closed", "ibv_dereg_mr");
    }

    @Override
    public String toString() {
        return "memory region of " + length + " bytes at 0x" + Long.toHexString(start) + " of "
                + domain.context().device().name();
    }
}
