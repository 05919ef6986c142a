package org.chagres.collectives;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.chagres.bootstrap.DataConnections;
import org.chagres.bootstrap.Mailbox;
import org.chagres.bootstrap.Membership;
import org.chagres.bootstrap.Peer;
import org.chagres.bootstrap.PeerFailure;

/** Part of a membership, as {@link Communicator#split} and {@code shrink} make it: the same control plane under other rank numbers. */
final class SubMembership implements Membership {
    private static final int NOT_A_MEMBER = -1;
    private static final long POLL_NS = 1_000_000;

    private final Membership parent;
    private final int[] ranks;
    private final int rank;

    /** @param ranks the parent's ranks, by rank in this part */
    SubMembership(final Membership parent, final int[] ranks) {
        this.parent = parent;
        this.ranks = ranks.clone();
        this.rank = indexOf(parent.rank());
    }

    private int indexOf(final int parentRank) {
        for (int i = 0; i < ranks.length; i++) {
            if (ranks[i] == parentRank) {
                return i;
            }
        }
        return NOT_A_MEMBER;
    }

    /** The parent's number of a rank of this part. */
    int parentRank(final int member) {
        return ranks[member];
    }

    /** Whether a member has failed or left, or does within {@code patience}. */
    boolean losesAMember(final Duration patience) {
        final long start = System.nanoTime();
        while (true) {
            for (int r = 0; r < ranks.length; r++) {
                if (failureOf(r) != null || hasLeft(r)) {
                    return true;
                }
            }
            if (System.nanoTime() - start > patience.toNanos()) {
                return false;
            }
            LockSupport.parkNanos(POLL_NS);
        }
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int size() {
        return ranks.length;
    }

    /** The ranks of the whole world on this host: they share its cores, whichever communicators they are in. */
    @Override
    public int localSize() {
        return parent.localSize();
    }

    @Override
    public Peer peer(final int other) {
        return parent.peer(ranks[other]);
    }

    @Override
    public void send(final int to, final long topic, final byte[] body) {
        parent.send(ranks[to], topic, body);
    }

    @Override
    public Mailbox mailbox(final long topic) {
        return parent.mailbox(topic).mapped(this::indexOf);
    }

    @Override
    public void forget(final long topic) {
        parent.forget(topic);
    }

    @Override
    public DataConnections connections() {
        final DataConnections all = parent.connections();
        return new DataConnections() {
            @Override
            public InetSocketAddress address() {
                return all.address();
            }

            @Override
            public int connect(final InetSocketAddress at, final int peer, final long topic, final int index,
                    final Duration timeout) {
                return all.connect(at, ranks[peer], topic, index, timeout);
            }

            @Override
            public int accept(final int peer, final long topic, final int index, final Duration timeout,
                    final Runnable check) {
                return all.accept(ranks[peer], topic, index, timeout, check);
            }
        };
    }

    /** At least the number of members that have failed; it grows whenever one does. */
    @Override
    public int failures() {
        return parent.failures();
    }

    @Override
    public PeerFailure failure() {
        if (parent.failures() > 0) {
            for (int r = 0; r < ranks.length; r++) {
                final PeerFailure failure = failureOf(r);
                if (failure != null) {
                    return failure;
                }
            }
        }
        return null;
    }

    @Override
    public PeerFailure failureOf(final int other) {
        final PeerFailure failure = parent.failureOf(ranks[other]);
        return failure == null ? null : new PeerFailure(other, failure.reason());
    }

    @Override
    public boolean hasLeft(final int other) {
        return parent.hasLeft(ranks[other]);
    }

    @Override
    public void expel(final int other, final String reason) {
        parent.expel(ranks[other], reason);
    }

    @Override
    public boolean responds(final int other, final Duration patience) {
        return parent.responds(ranks[other], patience);
    }

    @Override
    public void close() {
        // The parent's membership is the parent's.
    }
}
