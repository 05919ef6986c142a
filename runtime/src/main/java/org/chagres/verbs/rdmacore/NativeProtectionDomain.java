package org.chagres.verbs.rdmacore;

import java.lang.foreign.MemorySegment;
import java.util.Set;
import org.chagres.bindings.VerbsMemory;
import org.chagres.verbs.Access;
import org.chagres.verbs.AddressHandle;
import org.chagres.verbs.AddressVector;
import org.chagres.verbs.Completion;
import org.chagres.verbs.MemoryRegion;
import org.chagres.verbs.ProtectionDomain;
import org.chagres.verbs.QueuePair;
import org.chagres.verbs.QueuePairOptions;
import org.chagres.verbs.SharedReceiveQueue;

/** An {@code ibv_pd}. */
final class NativeProtectionDomain extends NativeObject implements ProtectionDomain {
    private final NativeContext context;
    private final long address;

    NativeProtectionDomain(final NativeContext context, final long address) {
        super(context);
        this.context = context;
        this.address = address;
        adopted();
    }

    @Override
    public NativeContext context() {
        return context;
    }

    @Override
    public MemoryRegion register(final MemorySegment segment, final Set<Access> access) {
        if (!segment.isNative()) {
            throw new IllegalArgumentException(segment
                    + " lies in the Java heap, where the garbage collector moves it: allocate it from an Arena");
        }
        if (segment.isReadOnly() && access.contains(Access.LOCAL_WRITE)) {
            throw new IllegalArgumentException(segment + " is read-only, which " + access + " would get around");
        }
        Registration.check(segment.byteSize(), access);
        return locked(() -> Registration.of(this, segment, segment.address(), segment.byteSize(), access));
    }

    @Override
    public MemoryRegion register(final long start, final long length, final Set<Access> access) {
        Registration.check(length, access);
        return locked(() -> Registration.of(this, MemorySegment.NULL, start, length, access));
    }

    @Override
    public MemoryRegion registerDmabuf(final long offset, final long length, final long iova, final int fd,
            final Set<Access> access) {
        Registration.check(length, access);
        return locked(() -> Registration.ofDmabuf(this, offset, length, iova, fd, access));
    }

    @Override
    public SharedReceiveQueue createSharedReceiveQueue(final int maxWr, final int maxSge) {
        return locked(() -> NativeSharedReceiveQueue.create(this, maxWr, maxSge));
    }

    @Override
    public QueuePair createQueuePair(final QueuePairOptions options) {
        return locked(() -> QueuePairMaker.create(this, options));
    }

    @Override
    public AddressHandle createAddressHandle(final AddressVector vector) {
        return locked(() -> NativeAddressHandle.create(this, vector));
    }

    @Override
    public AddressHandle createAddressHandle(final Completion.Success received, final MemorySegment routingHeader,
            final int port) {
        return locked(() -> NativeAddressHandle.reply(this, received, routingHeader, port));
    }

    long address() {
        return address;
    }

    @Override
    void destroy() {
        Failures.check(VerbsMemory.deallocPd(address), this + " cannot be closed", "ibv_dealloc_pd");
    }

    @Override
    public String toString() {
        return "protection domain 0x" + Long.toHexString(address) + " of " + context.device().name();
    }
}
