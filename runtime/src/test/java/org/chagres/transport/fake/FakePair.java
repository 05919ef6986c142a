package org.chagres.transport.fake;

import java.util.ArrayDeque;
import java.util.Deque;
import org.chagres.bindings.Errno;
import org.chagres.verbs.CompletionStatus;
import org.chagres.verbs.PreparedReceives;
import org.chagres.verbs.PreparedSends;
import org.chagres.verbs.ProtectionDomain;
import org.chagres.verbs.QueuePairAttribute;
import org.chagres.verbs.QueuePairAttributes;
import org.chagres.verbs.QueuePairCapacities;
import org.chagres.verbs.QueuePairState;
import org.chagres.verbs.QueuePairType;

/** A reliable connected queue pair of a {@link FakeNetwork}. */
final class FakePair {
    final FakeNetwork network;
    final int number;
    final FakeQueue queue;
    final Deque<FakeRequest> sending = new ArrayDeque<>();
    final Deque<Long> receives = new ArrayDeque<>();
    private final FakeDevice.FakeDomain domain;
    private final Deque<Long> occupied = new ArrayDeque<>();
    private final int maxSends;
    private final int maxReceives;
    private final int inline;
    QueuePairState state = QueuePairState.RESET;
    int remoteNumber;

    FakePair(final FakeNetwork network, final FakeDevice.FakeDomain domain, final int number, final FakeQueue queue,
            final QueuePairCapacities capacities, final int inline) {
        this.network = network;
        this.domain = domain;
        this.number = number;
        this.queue = queue;
        this.maxSends = capacities.maxSendWr();
        this.maxReceives = capacities.maxRecvWr();
        this.inline = inline;
    }

    ProtectionDomain protectionDomain() {
        return Partial.of(ProtectionDomain.class, domain);
    }

    boolean hasWork() {
        return !sending.isEmpty();
    }

    int number() {
        return number;
    }

    QueuePairType type() {
        return QueuePairType.RC;
    }

    QueuePairState state() {
        return state;
    }

    QueuePairCapacities capacities() {
        return new QueuePairCapacities(maxSends, maxReceives, 2, 1, inline);
    }

    void modify(final QueuePairAttributes attributes) {
        synchronized (network) {
            state = attributes.state();
            if (attributes.has(QueuePairAttribute.DEST_QPN)) {
                remoteNumber = attributes.destQpn();
            }
        }
    }

    /** To the error state: everything is given back. */
    void breakDown() {
        state = QueuePairState.ERR;
        while (!receives.isEmpty()) {
            network.complete(this, receives.poll(), CompletionStatus.WR_FLUSH_ERR, true, 0, false);
        }
    }

    void close() {
        synchronized (network) {
            network.pairs.remove(number);
            sending.clear();
        }
    }

    /** A completion was taken: it and those before it are over. */
    void freeUpTo(final long id) {
        while (!occupied.isEmpty() && occupied.peek() <= id) {
            occupied.poll();
        }
    }

    PreparedSends prepareSends(final int slots, final int gatherEntries) {
        return Partial.of(PreparedSends.class, new Sends(new FakeRequest[slots]));
    }

    PreparedReceives prepareReceives(final int slots, final int scatterEntries) {
        return Partial.of(PreparedReceives.class, new Receives(new long[slots]));
    }

    private int post(final FakeRequest request) {
        if (occupied.size() == maxSends) {
            return Errno.ENOMEM;
        }
        if (request.has(PreparedSends.INLINE) && request.length() > inline) {
            throw new AssertionError(request.length() + " bytes inline, the limit is " + inline);
        }
        request.posted();
        occupied.add(request.id);
        sending.add(request);
        return 0;
    }

    /** Requests in the order of their slots. */
    final class Sends {
        private final FakeRequest[] slots;

        Sends(final FakeRequest[] slots) {
            this.slots = slots;
        }

        void write(final int slot, final long id, final long from, final int key, final int length, final long remote,
                final int remoteKey,
                final int flags) {
            slots[slot] = new FakeRequest(id, flags, false, 0, remote, remoteKey, new long[]{from }, new int[]{key },
                    new int[]{length });
        }

        void writeWithImmediate(final int slot, final long id, final long from, final int key, final int length,
                final long remote,
                final int remoteKey, final int immediate, final int flags) {
            slots[slot] = new FakeRequest(id, flags, true, immediate, remote, remoteKey, new long[]{from },
                    new int[]{key }, new int[]{length });
        }

        void signal(final int slot, final long id, final int immediate, final int flags) {
            slots[slot] = new FakeRequest(id, flags, true, immediate, 0, 0, new long[0], new int[0], new int[0]);
        }

        void entry(final int slot, final int entry, final long from, final int key, final int length) {
            final FakeRequest r = slots[slot];
            slots[slot] = new FakeRequest(r.id, r.flags, r.hasImmediate, r.immediate, r.remote, r.remoteKey,
                    new long[]{r.from[0], from },
                    new int[]{r.keys[0], key }, new int[]{r.lengths[0], length });
        }

        int post(final int first, final int count) {
            synchronized (network) {
                for (int i = 0; i < count; i++) {
                    final int failure = FakePair.this.post(slots[(first + i) % slots.length]);
                    if (failure != 0) {
                        return failure;
                    }
                }
                return 0;
            }
        }
    }

    /** Receive requests without memory. */
    final class Receives {
        private final long[] ids;

        Receives(final long[] ids) {
            this.ids = ids;
        }

        void receive(final int slot, final long id) {
            ids[slot] = id;
        }

        int post(final int first, final int count) {
            synchronized (network) {
                for (int i = 0; i < count; i++) {
                    if (receives.size() == maxReceives) {
                        return Errno.ENOMEM;
                    }
                    receives.add(ids[(first + i) % ids.length]);
                }
                return 0;
            }
        }
    }
}
