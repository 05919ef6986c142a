package org.chagres.bootstrap;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.chagres.bindings.LibC;
import org.chagres.net.Acceptor;
import org.chagres.net.Admission;
import org.chagres.net.Claim;
import org.chagres.net.Credentials;
import org.chagres.net.EventLoop;
import org.chagres.net.Outgoing;

/** The data connections of one rank: makes those that it asks for, and keeps those that came until somebody accepts them. */
final class DataHub implements DataConnections, Admission {
    private static final long LOOK_MS = 20;
    private static final Duration ATTEMPT = Acceptor.PATIENCE;

    private final EventLoop loop;
    private final InetSocketAddress address;
    private final Credentials credentials;
    private final int rank;
    private final Peers peers;
    private final Map<Slot, CompletableFuture<Integer>> slots = new ConcurrentHashMap<>();

    DataHub(final EventLoop loop, final InetSocketAddress address, final Credentials credentials, final int rank,
            final Peers peers) {
        this.loop = loop;
        this.address = address;
        this.credentials = credentials;
        this.rank = rank;
        this.peers = peers;
    }

    private record Slot(int peer, long topic, int index) {}

    /** What the hub must know of the others. */
    interface Peers {
        Peer peer(int rank);

        int size();

        Fates fates();

        /** {@code at}, or where {@code peer} has been reached if {@code at} says no more than "any address of it". */
        InetSocketAddress reachable(int peer, InetSocketAddress at);
    }

    @Override
    public InetSocketAddress address() {
        return address;
    }

    @Override
    public int connect(final InetSocketAddress at, final int peer, final long topic, final int index,
            final Duration timeout) {
        checkPeer(peer);
        final InetSocketAddress to = peers.reachable(peer, at);
        final Claim claim = Claim.data(rank, peer, peers.size(), topic, index);
        final long deadline = System.nanoTime() + timeout.toNanos();
        String last = "no time";
        while (deadline - System.nanoTime() > 0) {
            final Duration patience = Duration
                    .ofNanos(Math.min(ATTEMPT.toNanos(), Math.max(1, deadline - System.nanoTime())));
            switch (await(Outgoing.connect(loop, to, claim, credentials, patience), peer)) {
                case Outgoing.Outcome.Connected(final int fd) -> {
                    return fd;
                }
                case Outgoing.Outcome.Failed(final String why, final boolean transitory) -> {
                    if (!transitory) {
                        throw new JoinException(cannot("connect to", peer, to) + why);
                    }
                    last = why;
                }
            }
            rest();
        }
        throw new JoinException(cannot("connect to", peer, to) + last + ", for " + timeout.toMillis() + " ms");
    }

    private Outgoing.Outcome await(final CompletableFuture<Outgoing.Outcome> attempt, final int peer) {
        try {
            while (true) {
                try {
                    return attempt.get(LOOK_MS, TimeUnit.MILLISECONDS);
                } catch (final TimeoutException e) {
                    checkAlive(peer);
                }
            }
        } catch (final InterruptedException e) {
            Outgoing.abandon(attempt);
            throw interrupted(peer, e);
        } catch (final ExecutionException e) {
            throw new IllegalStateException("an attempt to connect threw", e);
        } catch (final JoinException e) {
            Outgoing.abandon(attempt);
            throw e;
        }
    }

    private void rest() {
        try {
            Thread.sleep(LOOK_MS);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new JoinException("interrupted while connecting", e);
        }
    }

    @Override
    public int accept(final int peer, final long topic, final int index, final Duration timeout, final Runnable check) {
        checkPeer(peer);
        final Slot slot = new Slot(peer, topic, index);
        final CompletableFuture<Integer> arrival = slots.computeIfAbsent(slot, s -> new CompletableFuture<>());
        try {
            final int fd = await(arrival, peer, timeout, check);
            if (slots.remove(slot, arrival)) {
                return fd;
            }
            throw new JoinException(cannot("accept a data connection from", peer, address) + "this rank has left");
        } catch (final JoinException e) {
            if (slots.remove(slot, arrival)) {
                discard(arrival);
            }
            throw e;
        }
    }

    private int await(final CompletableFuture<Integer> arrival, final int peer, final Duration timeout,
            final Runnable check) {
        final long deadline = System.nanoTime() + timeout.toNanos();
        try {
            while (true) {
                final long left = Math.clamp(deadline - System.nanoTime(), 0, LOOK_MS * 1_000_000);
                try {
                    return arrival.get(left, TimeUnit.NANOSECONDS);
                } catch (final TimeoutException e) {
                    checkAlive(peer);
                    check.run();
                    if (left == 0) {
                        throw new JoinException(cannot("accept a data connection from", peer, address)
                                + "none came within " + timeout.toMillis() + " ms", e);
                    }
                }
            }
        } catch (final InterruptedException e) {
            throw interrupted(peer, e);
        } catch (final ExecutionException | CancellationException e) {
            throw new JoinException(cannot("accept a data connection from", peer, address) + "this rank has left", e);
        }
    }

    /** Called by who has taken {@code arrival} out of the table: the connection is that one's to close, if it came. */
    private static void discard(final CompletableFuture<Integer> arrival) {
        if (!arrival.cancel(false) && !arrival.isCompletedExceptionally()) {
            LibC.close(arrival.join());
        }
    }

    private void checkPeer(final int peer) {
        if (peer < 0 || peer >= peers.size() || peer == rank) {
            throw new IllegalArgumentException("rank " + rank + " has no data connection with rank " + peer + " of "
                    + peers.size());
        }
        checkAlive(peer);
    }

    private void checkAlive(final int peer) {
        final PeerFailure failure = peers.fates().failureOf(peer);
        if (failure != null) {
            throw new JoinException(peers.peer(peer).describe() + " failed while rank " + rank
                    + " made a data connection with it: " + failure.reason());
        }
        if (peers.fates().hasLeft(peer)) {
            throw new JoinException(peers.peer(peer).describe() + " left while rank " + rank
                    + " made a data connection with it: see what it reported");
        }
    }

    private String cannot(final String what, final int peer, final InetSocketAddress at) {
        return "rank " + rank + " cannot " + what + " " + peers.peer(peer).describe() + " at " + at.getAddress()
                .getHostAddress() + ":" + at.getPort() + ": ";
    }

    private JoinException interrupted(final int peer, final InterruptedException e) {
        Thread.currentThread().interrupt();
        return new JoinException("interrupted while making a data connection with rank " + peer, e);
    }

    @Override
    public Credentials credentials(final Claim.Purpose purpose) {
        return purpose == Claim.Purpose.DATA ? credentials : null;
    }

    @Override
    public String refusal(final Claim claim) {
        final String what = "a data connection of rank " + claim.from() + " to rank " + claim.to();
        if (claim.to() != rank || claim.from() < 0 || claim.from() >= peers.size() || claim.from() == rank) {
            return what + " came to rank " + rank + " of " + peers.size();
        }
        if (peers.fates().gone(claim.from())) {
            return what + ", which counts it as gone";
        }
        final CompletableFuture<Integer> arrival = slots.get(slot(claim));
        return arrival != null && arrival.isDone() ? what + " for topic " + claim.topic() + " came twice" : null;
    }

    private static Slot slot(final Claim claim) {
        return new Slot(claim.from(), claim.topic(), claim.index());
    }

    @Override
    public void admitted(final Claim claim, final int fd, final InetSocketAddress remote) {
        if (!slots.computeIfAbsent(slot(claim), s -> new CompletableFuture<>()).complete(fd)) {
            // Whoever waited for it has just given up, or this rank has left.
            LibC.close(fd);
        }
    }

    /** Closes the connections that nobody has accepted. Called when no more can come. */
    void close() {
        slots.forEach((slot, arrival) -> {
            if (slots.remove(slot, arrival)) {
                discard(arrival);
            }
        });
    }
}
