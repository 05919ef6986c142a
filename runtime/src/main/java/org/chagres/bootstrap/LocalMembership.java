package org.chagres.bootstrap;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;

/** A world whose ranks are threads of this JVM. */
public final class LocalMembership implements Membership {
    private final Shared shared;
    private final int rank;

    private LocalMembership(final Shared shared, final int rank) {
        this.shared = shared;
        this.rank = rank;
    }

    /** One membership for each rank of a new world. */
    public static List<LocalMembership> world(final int size) {
        if (size < 1) {
            throw new IllegalArgumentException("a world of " + size + " ranks: there must be at least 1");
        }
        final Shared shared = new Shared(size);
        return IntStream.range(0, size).mapToObj(rank -> new LocalMembership(shared, rank)).toList();
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int size() {
        return shared.size;
    }

    @Override
    public int localSize() {
        return shared.size;
    }

    @Override
    public Peer peer(final int other) {
        return shared.connections.peer(other);
    }

    @Override
    public void send(final int to, final long topic, final byte[] body) {
        if (body.length > MAX_MESSAGE_BYTES) {
            throw new IllegalArgumentException("a control message of " + body.length + " bytes: the limit is "
                    + MAX_MESSAGE_BYTES);
        }
        shared.ranks[to].deliver(topic, new Mailbox.Letter(rank, body.clone()));
    }

    @Override
    public Mailbox mailbox(final long topic) {
        return shared.ranks[rank].mailbox(topic);
    }

    @Override
    public void forget(final long topic) {
        shared.ranks[rank].forget(topic);
    }

    @Override
    public DataConnections connections() {
        return shared.connections.of(rank);
    }

    /** Tells all ranks that this one cannot go on. */
    public void fail(final Throwable cause) {
        shared.fail(new PeerFailure(rank, cause.toString()), cause);
    }

    /** What the first rank that failed failed of, or null. */
    public Throwable firstCause() {
        return shared.cause;
    }

    @Override
    public int failures() {
        return shared.fates.failures();
    }

    @Override
    public PeerFailure failure() {
        return shared.fates.first();
    }

    @Override
    public PeerFailure failureOf(final int other) {
        return shared.fates.failureOf(other);
    }

    @Override
    public boolean hasLeft(final int other) {
        return shared.fates.hasLeft(other);
    }

    @Override
    public void expel(final int other, final String reason) {
        shared.fail(new PeerFailure(other, reason),
                new IllegalStateException("rank " + other + " was expelled: " + reason));
    }

    /** Threads of one JVM stop together. */
    @Override
    public boolean responds(final int other, final Duration patience) {
        return failureOf(other) == null && !hasLeft(other);
    }

    @Override
    public void close() {
        shared.leave(rank);
    }

    private static final class Shared {
        private final int size;
        private final Mailboxes[] ranks;
        private final Fates fates;
        private final LocalConnections connections;
        private final AtomicIntegerArray closed;
        private final AtomicInteger open;
        private volatile Throwable cause;

        Shared(final int size) {
            this.size = size;
            this.fates = new Fates(size);
            this.connections = new LocalConnections(size, fates);
            this.closed = new AtomicIntegerArray(size);
            this.open = new AtomicInteger(size);
            this.ranks = new Mailboxes[size];
            Arrays.setAll(ranks, r -> new Mailboxes());
        }

        synchronized void fail(final PeerFailure failure, final Throwable why) {
            if (cause == null) {
                cause = why;
            }
            fates.fail(failure);
        }

        void leave(final int rank) {
            fates.leave(rank);
            if (closed.compareAndSet(rank, 0, 1) && open.decrementAndGet() == 0) {
                connections.close();
            }
        }
    }
}
