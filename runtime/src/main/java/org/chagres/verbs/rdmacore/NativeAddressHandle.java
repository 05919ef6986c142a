package org.chagres.verbs.rdmacore;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.chagres.bindings.CallState;
import org.chagres.bindings.Errno;
import org.chagres.bindings.VerbsQueues;
import org.chagres.bindings.verbs.ibv_ah_attr;
import org.chagres.bindings.verbs.ibv_wc;
import org.chagres.bindings.verbs.verbs_h;
import org.chagres.verbs.AddressHandle;
import org.chagres.verbs.AddressVector;
import org.chagres.verbs.Completion;
import org.chagres.verbs.VerbsException;

/** An {@code ibv_ah}. */
final class NativeAddressHandle extends NativeObject implements AddressHandle {
    private final NativeProtectionDomain domain;
    private final long address;

    private NativeAddressHandle(final NativeProtectionDomain domain, final long address) {
        super(domain);
        this.domain = domain;
        this.address = address;
        adopted();
    }

    static NativeAddressHandle create(final NativeProtectionDomain domain, final AddressVector vector) {
        try (Arena call = Arena.ofConfined()) {
            final MemorySegment attributes = call.allocate(ibv_ah_attr.layout());
            AddressLayout.write(attributes, vector);
            final long handle = VerbsQueues.createAh(domain.address(), attributes.address());
            if (handle == 0) {
                throw failure("ibv_create_ah", CallState.errno(), domain, vector.toString());
            }
            return new NativeAddressHandle(domain, handle);
        }
    }

    static NativeAddressHandle reply(final NativeProtectionDomain domain, final Completion.Success received,
            final MemorySegment routingHeader,
            final int port) {
        try (Arena call = Arena.ofConfined()) {
            final MemorySegment header = call.allocate(ROUTING_HEADER_BYTES, Long.BYTES)
                    .copyFrom(routingHeader.asSlice(0, ROUTING_HEADER_BYTES));
            final MemorySegment wc = call.allocate(ibv_wc.layout());
            ibv_wc.src_qp(wc, received.sourceQueuePair());
            ibv_wc.slid(wc, (short) received.sourceLid());
            ibv_wc.sl(wc, (byte) received.serviceLevel());
            ibv_wc.dlid_path_bits(wc, (byte) received.pathBits());
            ibv_wc.wc_flags(wc, received.routingHeader() ? verbs_h.IBV_WC_GRH() : 0);
            final long handle = VerbsQueues.createAhFromWc(domain.address(), wc.address(), header.address(), port);
            if (handle == 0) {
                throw failure("ibv_create_ah_from_wc", CallState.errno(), domain, "the sender of a datagram");
            }
            return new NativeAddressHandle(domain, handle);
        }
    }

    private static VerbsException failure(final String call, final int errno, final NativeProtectionDomain domain,
            final String to) {
        return Failures.of("an address handle in " + domain + " for " + to, call, errno,
                errno == Errno.ENOMEM ? "" : AddressLayout.advice(errno));
    }

    @Override
    public NativeProtectionDomain protectionDomain() {
        return domain;
    }

    long address() {
        return address;
    }

    @Override
    void destroy() {
        Failures.check(VerbsQueues.destroyAh(address), this + " cannot be closed", "ibv_destroy_ah");
    }

    @Override
    public String toString() {
        return "address handle 0x" + Long.toHexString(address) + " of " + domain.context().device().name();
    }
}
