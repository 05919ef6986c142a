package org.chagres.bench.verbs.perf;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.chagres.bench.UsageException;
import org.chagres.bench.verbs.LocalPort;
import org.chagres.verbs.Access;
import org.chagres.verbs.CompletionBatch;
import org.chagres.verbs.CompletionQueue;
import org.chagres.verbs.ConnectionOptions;
import org.chagres.verbs.Context;
import org.chagres.verbs.Endpoint;
import org.chagres.verbs.GidEntry;
import org.chagres.verbs.MemoryRegion;
import org.chagres.verbs.Mtu;
import org.chagres.verbs.PreparedReceives;
import org.chagres.verbs.PreparedSends;
import org.chagres.verbs.ProtectionDomain;
import org.chagres.verbs.QueuePair;
import org.chagres.verbs.QueuePairOptions;
import org.chagres.verbs.VerbsException;

/**
 * The queue pairs, the memory and the prepared requests of one end. Belongs to a context, and is closed with it. Both ends lay their memory out alike, as
 * {@link PerfSettings} says.
 */
final class PerfEnd {
    /** Receives that are posted for each queue pair; more than the peer has in flight. */
    private static final int RX_DEPTH = 512;
    private static final int PAGE = 4096;
    private static final int BATCH = 16;

    private final PerfSettings settings;
    private final LocalPort port;
    private final ConnectionOptions options;
    private final MemorySegment memory;
    private final MemoryRegion region;
    private final CompletionQueue sendQueue;
    private final CompletionQueue receiveQueue;
    private final CompletionBatch sendBatch;
    private final CompletionBatch receiveBatch;
    private final List<QueuePair> queuePairs = new ArrayList<>();
    private final List<Endpoint> endpoints = new ArrayList<>();
    private final PreparedSends[] sends;
    private final PreparedReceives[] receives;
    private Mtu mtu = Mtu.MTU_256;
    private Peer peer;

    /** @param arena lives longer than the context */
    PerfEnd(final Context context, final LocalPort port, final PerfSettings settings, final PerfTuning tuning,
            final Arena arena) {
        this.settings = settings;
        this.port = port;
        this.options = port.connection().serviceLevel(tuning.serviceLevel());
        refuseLongMessages();
        final ProtectionDomain domain = context.allocateProtectionDomain();
        memory = arena.allocate(settings.memoryBytes(), PAGE);
        region = domain.register(memory, Access.ALL);
        sendQueue = context.createCompletionQueue(settings.queuePairs() * settings.txDepth());
        receiveQueue = context.createCompletionQueue(settings.queuePairs() * receiveDepth());
        sendBatch = sendQueue.prepareBatch(BATCH);
        receiveBatch = receiveQueue.prepareBatch(BATCH);
        sends = new PreparedSends[settings.queuePairs()];
        receives = new PreparedReceives[settings.queuePairs()];
        for (int q = 0; q < sends.length; q++) {
            final QueuePair queuePair = tuning.create(domain, QueuePairOptions.rc(sendQueue)
                    .receiveQueue(receiveQueue)
                    .sends(settings.txDepth(), 1)
                    .receives(receiveDepth(), 1), settings);
            queuePair.initialize(options);
            queuePairs.add(queuePair);
            endpoints.add(tuning.limit(queuePair.endpoint(options)));
            sends[q] = queuePair.prepareSends(slots(), 1);
            receives[q] = queuePair.prepareReceives(receiveDepth(), 1);
        }
    }

    private void refuseLongMessages() {
        final int longest = Collections.max(settings.sizes());
        if (longest > port.attributes().maxMessageBytes()) {
            throw new UsageException("-s " + longest + " is above the port's longest message of "
                    + port.attributes().maxMessageBytes() + " bytes");
        }
    }

    private int receiveDepth() {
        return settings.verb() == Verb.SEND ? RX_DEPTH : 1;
    }

    /** Enough for every moderation to divide them, and for a list that is posted in one call. */
    private int slots() {
        int slots = 1;
        for (final int size : settings.sizes()) {
            slots = Math.max(slots, Ring.slots(settings.moderation(size), settings.postList()));
        }
        return slots;
    }

    /** What the peer must know. */
    Peer own() {
        return new Peer(endpoints, gidType(), region.address(), region.remoteKey());
    }

    private String gidType() {
        return port.gid().map(GidEntry::type).map(Enum::name).orElse("LID");
    }

    /** Makes all queue pairs ready to receive and to send. */
    void connect(final Peer remote) {
        if (!remote.gidType().equals(gidType())) {
            throw new UsageException("this end's GID is of type " + gidType() + ", the peer's of " + remote.gidType()
                    + ": choose rows of the same type with -x");
        }
        for (int q = 0; q < sends.length; q++) {
            if (remote.endpoints().get(q).gid().isIpv4Mapped() != endpoints.get(q).gid().isIpv4Mapped()) {
                throw new UsageException("this end's GID is " + endpoints.get(q).gid() + ", the peer's "
                        + remote.endpoints().get(q).gid() + ": choose two of IPv4 or two of IPv6 with -x");
            }
            mtu = Mtu.min(endpoints.get(q).mtu(), remote.endpoints().get(q).mtu());
            queuePairs.get(q).connect(endpoints.get(q), remote.endpoints().get(q), options.mtu(mtu));
        }
        peer = remote;
    }

    PerfSettings settings() {
        return settings;
    }

    MemorySegment memory() {
        return memory;
    }

    CompletionQueue sendQueue() {
        return sendQueue;
    }

    CompletionBatch sendBatch() {
        return sendBatch;
    }

    CompletionQueue receiveQueue() {
        return receiveQueue;
    }

    CompletionBatch receiveBatch() {
        return receiveBatch;
    }

    PreparedSends sends(final int queuePair) {
        return sends[queuePair];
    }

    PreparedReceives receives(final int queuePair) {
        return receives[queuePair];
    }

    /** Bytes that the device takes inline. */
    int maxInline() {
        return queuePairs.getFirst().capacities().maxInlineData();
    }

    /** The path's MTU: the smaller of what both ends want. */
    Mtu mtu() {
        return mtu;
    }

    /** Lays out one request of the test. */
    void fill(final int queuePair, final int slot, final long id, final int size, final boolean signalled) {
        final long local = region.address() + settings.sendOffset(queuePair);
        final long remote = peer.address() + settings.receiveOffset(queuePair);
        final int flags = signalled ? PreparedSends.SIGNALED : 0;
        final int inline = size <= maxInline() ? flags | PreparedSends.INLINE : flags;
        final PreparedSends requests = sends[queuePair];
        final int key = region.localKey();
        switch (settings.verb()) {
            case WRITE -> requests.write(slot, id, local, key, size, remote, peer.key(), inline);
            case SEND -> requests.send(slot, id, local, key, size, inline);
            case READ -> requests.read(slot, id, local, key, size, remote, peer.key(), flags);
            case ATOMIC -> {
                if (settings.compareAndSwap()) {
                    requests.compareAndSwap(slot, id, local, key, remote, peer.key(), 0, 1, flags);
                } else {
                    requests.fetchAndAdd(slot, id, local, key, remote, peer.key(), 1, flags);
                }
            }
        }
    }

    /** Lays out receives for messages of any size: one that is posted for a short message may get a long one. */
    void fillReceives() {
        final int longest = Collections.max(settings.sizes());
        for (int q = 0; q < receives.length; q++) {
            for (int slot = 0; slot < receives[q].slots(); slot++) {
                receives[q].receive(slot, q, region.address() + settings.receiveOffset(q), region.localKey(),
                        longest);
            }
        }
    }

    /** For the hot path: what a call that posts returned. */
    static void checkPosted(final int errno) {
        if (errno != 0) {
            throw new VerbsException("a request was not posted, errno " + errno + (errno == 12
                    ? ": the queue is full; use a smaller -t"
                    : ""), "ibv_post_send", errno);
        }
    }

    /** For the hot path: throws what went wrong if one of {@code count} completions failed, or the queue broke. */
    static void check(final CompletionBatch batch, final int count) {
        if (count < 0) {
            throw new VerbsException("the completion queue broke");
        }
        for (int i = 0; i < count; i++) {
            if (batch.status(i) != 0) {
                batch.completion(i).orThrow();
            }
        }
    }
}
