package org.chagres.verbs.rdmacore;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.chagres.bindings.CallState;
import org.chagres.bindings.VerbsQueues;
import org.chagres.bindings.verbs.ibv_srq_attr;
import org.chagres.bindings.verbs.ibv_srq_init_attr;
import org.chagres.bindings.verbs.verbs_h;
import org.chagres.verbs.DeviceAttributes;
import org.chagres.verbs.PreparedReceives;
import org.chagres.verbs.ReceiveRequest;
import org.chagres.verbs.SharedReceiveQueue;

/** An {@code ibv_srq}. */
final class NativeSharedReceiveQueue extends NativeObject implements SharedReceiveQueue {
    private final NativeProtectionDomain domain;
    private final long address;
    private final int maxWr;
    private final int maxSge;

    private NativeSharedReceiveQueue(final NativeProtectionDomain domain, final long address, final int maxWr,
            final int maxSge) {
        super(domain);
        this.domain = domain;
        this.address = address;
        this.maxWr = maxWr;
        this.maxSge = maxSge;
        adopted();
        domain.context().eventSource(address, this);
    }

    static NativeSharedReceiveQueue create(final NativeProtectionDomain domain, final int maxWr, final int maxSge) {
        final DeviceAttributes device = domain.context().attributes();
        if (maxWr < 1 || maxWr > device.maxSrqWr() || maxSge < 0 || maxSge > device.maxSrqSge()) {
            throw new IllegalArgumentException(
                    "a shared receive queue of " + maxWr + " requests of " + maxSge + " entries: "
                            + domain.context().device().name() + " has up to " + device.maxSrqWr() + " of "
                            + device.maxSrqSge());
        }
        try (Arena call = Arena.ofConfined()) {
            final MemorySegment init = call.allocate(ibv_srq_init_attr.layout());
            final MemorySegment attributes = ibv_srq_init_attr.attr(init);
            ibv_srq_attr.max_wr(attributes, maxWr);
            ibv_srq_attr.max_sge(attributes, maxSge);
            final long queue = VerbsQueues.createSrq(domain.address(), init.address());
            if (queue == 0) {
                throw Failures.of(
                        "a shared receive queue of " + maxWr + " requests of " + maxSge + " entries in " + domain,
                        "ibv_create_srq",
                        CallState.errno());
            }
            return new NativeSharedReceiveQueue(domain, queue, ibv_srq_attr.max_wr(attributes),
                    ibv_srq_attr.max_sge(attributes));
        }
    }

    @Override
    public NativeProtectionDomain protectionDomain() {
        return domain;
    }

    @Override
    public int maxWr() {
        return maxWr;
    }

    @Override
    public int maxSge() {
        return maxSge;
    }

    @Override
    public synchronized void postReceive(final ReceiveRequest... requests) {
        checkOpen();
        ReceivePosting.post(requests, domain, maxSge, this,
                (first, bad) -> domain.context().ops().postSrqRecv(address, first, bad));
    }

    @Override
    public PreparedReceives prepareReceives(final int slots, final int scatterEntries) {
        Slots.check(this, slots, scatterEntries, maxSge);
        return locked(
                () -> new NativePreparedReceives(this, domain.context().ops(), address, true, slots, scatterEntries));
    }

    @Override
    public void armLimit(final int limit) {
        if (limit < 0 || limit > maxWr) {
            throw new IllegalArgumentException("a limit of " + limit + " requests: " + this + " holds " + maxWr);
        }
        locked(() -> {
            try (Arena call = Arena.ofConfined()) {
                final MemorySegment attributes = call.allocate(ibv_srq_attr.layout());
                ibv_srq_attr.srq_limit(attributes, limit);
                Failures.check(VerbsQueues.modifySrq(address, attributes.address(), verbs_h.IBV_SRQ_LIMIT()),
                        "the limit of " + this, "ibv_modify_srq");
            }
            return null;
        });
    }

    @Override
    public int limit() {
        return locked(() -> {
            try (Arena call = Arena.ofConfined()) {
                final MemorySegment attributes = call.allocate(ibv_srq_attr.layout());
                Failures.check(VerbsQueues.querySrq(address, attributes.address()), "the limit of " + this,
                        "ibv_query_srq");
                return ibv_srq_attr.srq_limit(attributes);
            }
        });
    }

    long address() {
        return address;
    }

    @Override
    void destroy() {
        Failures.check(VerbsQueues.destroySrq(address), this + " cannot be closed", "ibv_destroy_srq");
        domain.context().noEventSource(address);
    }

    @Override
    public String toString() {
        return "shared receive queue 0x" + Long.toHexString(address) + " of " + domain.context().device().name();
    }
}
