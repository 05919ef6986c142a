package org.chagres.verbs.device;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.chagres.verbs.Destination;
import org.chagres.verbs.PreparedReceives;
import org.chagres.verbs.PreparedSends;
import org.chagres.verbs.QueuePair;
import org.chagres.verbs.ReceiveRequest;
import org.chagres.verbs.SendFlag;
import org.chagres.verbs.SendRequest;
import org.chagres.verbs.Slice;

/** The two ways to post the same request: as an object, or laid out in native memory. */
enum Way {
    OBJECTS {
        @Override
        void post(final QueuePair pair, final SendRequest... requests) {
            pair.post(requests);
        }

        @Override
        void receive(final QueuePair pair, final ReceiveRequest... requests) {
            pair.postReceive(requests);
        }
    },
    PREPARED {
        @Override
        void post(final QueuePair pair, final SendRequest... requests) {
            try (PreparedSends sends = pair.prepareSends(requests.length, MOST_ENTRIES)) {
                for (int slot = 0; slot < requests.length; slot++) {
                    lay(sends, slot, requests[slot]);
                }
                assertEquals(0, sends.post(0, requests.length));
            }
        }

        @Override
        void receive(final QueuePair pair, final ReceiveRequest... requests) {
            try (PreparedReceives receives = pair.prepareReceives(requests.length, MOST_ENTRIES)) {
                for (int slot = 0; slot < requests.length; slot++) {
                    lay(receives, slot, requests[slot]);
                }
                assertEquals(0, receives.post(0, requests.length));
            }
        }
    };

    /** Entries of a request that the queue pairs of these tests take. */
    static final int MOST_ENTRIES = 4;

    /** Posts all in one call; nothing may be refused. */
    abstract void post(QueuePair pair, SendRequest... requests);

    /** The same for receives. */
    abstract void receive(QueuePair pair, ReceiveRequest... requests);

    /** Fills a slot with what an object says. */
    static void lay(final PreparedSends sends, final int slot, final SendRequest request) {
        final Slice first = request.slices().isEmpty() ? null : request.slices().getFirst();
        final long address = first == null ? 0 : first.address();
        final int key = first == null ? 0 : first.region().localKey();
        final int length = first == null ? 0 : (int) first.length();
        final int flags = request.flags().stream().mapToInt(SendFlag::bit).sum();
        final long id = request.id();
        switch (request) {
            case SendRequest.Send s -> sends.send(slot, id, address, key, length, flags);
            case SendRequest.SendWithImmediate s ->
                sends.sendWithImmediate(slot, id, address, key, length, s.immediate(), flags);
            case SendRequest.Write w -> sends.write(slot, id, address, key, length, w.remote().address(),
                    w.remote().key(), flags);
            case SendRequest.WriteWithImmediate w -> {
                if (first == null) {
                    sends.signal(slot, id, w.immediate(), flags);
                } else {
                    sends.writeWithImmediate(slot, id, address, key, length, w.remote().address(), w.remote().key(),
                            w.immediate(), flags);
                }
            }
            case SendRequest.Read r -> sends.read(slot, id, address, key, length, r.remote().address(),
                    r.remote().key(), flags);
            case SendRequest.FetchAndAdd f -> sends.fetchAndAdd(slot, id, address, key, f.remote().address(),
                    f.remote().key(), f.add(), flags);
            case SendRequest.CompareAndSwap c -> sends.compareAndSwap(slot, id, address, key, c.remote().address(),
                    c.remote().key(), c.compare(), c.swap(), flags);
        }
        for (int i = 1; i < request.slices().size(); i++) {
            final Slice slice = request.slices().get(i);
            sends.entry(slot, i, slice.address(), slice.region().localKey(), (int) slice.length());
        }
        destination(request).ifPresent(to -> sends.destination(slot, to.address(), to.queuePairNumber(), to.qkey()));
    }

    private static java.util.Optional<Destination> destination(final SendRequest request) {
        return switch (request) {
            case SendRequest.Send s -> s.destination();
            case SendRequest.SendWithImmediate s -> s.destination();
            default -> java.util.Optional.empty();
        };
    }

    /** Fills a slot with what an object says. */
    static void lay(final PreparedReceives receives, final int slot, final ReceiveRequest request) {
        if (request.scatter().isEmpty()) {
            receives.receive(slot, request.id());
            return;
        }
        final Slice first = request.scatter().getFirst();
        receives.receive(slot, request.id(), first.address(), first.region().localKey(), (int) first.length());
        for (int i = 1; i < request.scatter().size(); i++) {
            final Slice slice = request.scatter().get(i);
            receives.entry(slot, i, slice.address(), slice.region().localKey(), (int) slice.length());
        }
    }
}
