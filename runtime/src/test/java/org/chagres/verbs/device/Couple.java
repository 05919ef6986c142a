package org.chagres.verbs.device;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.chagres.verbs.Access;
import org.chagres.verbs.AddressHandle;
import org.chagres.verbs.AddressVector;
import org.chagres.verbs.CompletionQueue;
import org.chagres.verbs.ConnectionOptions;
import org.chagres.verbs.Context;
import org.chagres.verbs.Destination;
import org.chagres.verbs.Endpoint;
import org.chagres.verbs.MemoryRegion;
import org.chagres.verbs.ProtectionDomain;
import org.chagres.verbs.QueuePair;
import org.chagres.verbs.QueuePairOptions;
import org.chagres.verbs.QueuePairType;
import org.chagres.verbs.QueuePairs;
import org.chagres.verbs.ReceiveRequest;

/** Two queue pairs of one process, {@code a} and {@code b}, with a region and a completion queue each, on one device. */
final class Couple implements AutoCloseable {
    /** The bytes of each region. */
    static final int BYTES = 1 << 16;
    /** What datagrams carry. */
    static final int QKEY = 0x11112222;

    private static final int ENTRIES = 256;

    final Context context;
    final ProtectionDomain domain;
    final End a;
    final End b;

    private final Arena arena = Arena.ofShared();

    /** One end. */
    record End(QueuePair pair, CompletionQueue queue, MemoryRegion region, MemorySegment memory) {
        /** The bytes of a part of its memory. */
        byte[] bytes(final long offset, final long length) {
            return memory.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
        }

        /** Posts a receive request for a part of its memory. */
        void receive(final long id, final long offset, final long length) {
            pair.postReceive(ReceiveRequest.of(id, region.slice(offset, length)));
        }
    }

    private Couple(final QueuePairType type, final UnaryOperator<QueuePairOptions> options, final Set<Access> access) {
        this.context = Rdma.open();
        this.domain = context.allocateProtectionDomain();
        this.a = end(type, options, Access.ALL);
        this.b = end(type, options, access);
    }

    /** Not yet connected. */
    static Couple unconnected(final QueuePairType type, final UnaryOperator<QueuePairOptions> options) {
        return new Couple(type, options, Access.ALL);
    }

    /** Ready to use. */
    static Couple of(final QueuePairType type) {
        return of(type, options -> options, Access.ALL);
    }

    /** Ready to use. {@code access} is what {@code b}'s region allows. */
    static Couple of(final QueuePairType type, final UnaryOperator<QueuePairOptions> options,
            final Set<Access> access) {
        final Couple couple = new Couple(type, options, access);
        couple.connect(ConnectionOptions.defaults());
        return couple;
    }

    /** Ready to use, reliable, and quick to give up. */
    static Couple hasty(final UnaryOperator<ConnectionOptions> options) {
        final Couple couple = unconnected(QueuePairType.RC, o -> o);
        couple.connect(options.apply(ConnectionOptions.defaults().timeout(8).retryCount(1).rnrRetry(1).minRnrTimer(1)));
        return couple;
    }

    private End end(final QueuePairType type, final UnaryOperator<QueuePairOptions> options, final Set<Access> access) {
        final CompletionQueue queue = context.createCompletionQueue(ENTRIES);
        final MemorySegment memory = arena.allocate(BYTES, 1 << 12);
        return new End(
                domain.createQueuePair(options.apply(QueuePairOptions.of(type, queue).sends(64, 4).receives(64, 4))),
                queue, domain.register(memory, access), memory);
    }

    /** Makes both ends ready. */
    void connect(final ConnectionOptions options) {
        if (a.pair.type().isConnected()) {
            QueuePairs.connect(a.pair, b.pair, options);
        } else {
            a.pair.activate(options.port(), QKEY);
            b.pair.activate(options.port(), QKEY);
        }
    }

    /** How {@code a} sends a datagram to {@code b}. */
    Destination toB() {
        final Endpoint end = b.pair.endpoint(ConnectionOptions.defaults());
        final AddressHandle address = domain
                .createAddressHandle(AddressVector.of(1, gidIndex(), end.gid()));
        return new Destination(address, end.queuePairNumber(), QKEY);
    }

    /** The row that connections are made from. */
    int gidIndex() {
        return org.chagres.verbs.GidEntry.preferred(context.gids(1)).orElseThrow().index();
    }

    @Override
    public void close() {
        context.close();
        arena.close();
    }
}
