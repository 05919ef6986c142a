package org.chagres.bootstrap;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;

/** A world whose ranks are threads of this JVM. Each rank's membership is used by its own thread. */
public final class LocalMembership implements Membership {
    private final Shared shared;
    private final int rank;

    private LocalMembership(final Shared shared, final int rank) {
        this.shared = shared;
        this.rank = rank;
    }

    /** One membership for each rank of a new world; {@code timeout} bounds every exchange. */
    public static List<LocalMembership> world(final int size, final Duration timeout) {
        if (size < 1) {
            throw new IllegalArgumentException("a world of " + size + " ranks: there must be at least 1");
        }
        final Shared shared = new Shared(size, timeout);
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
    public byte[][] allGather(final byte[] mine) {
        return shared.allGather(rank, mine.clone());
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
    public PeerFailure failure() {
        return shared.failure;
    }

    @Override
    public boolean hasLeft(final int other) {
        return shared.left.get(other) != 0;
    }

    @Override
    public void close() {
        shared.left.set(rank, 1);
    }

    private static final class Shared {
        private final int size;
        private final Duration timeout;
        private final AtomicIntegerArray left;
        private byte[][] gathering;
        private int arrived;
        private volatile PeerFailure failure;
        private volatile Throwable cause;

        Shared(final int size, final Duration timeout) {
            this.size = size;
            this.timeout = timeout;
            this.left = new AtomicIntegerArray(size);
            this.gathering = new byte[size][];
        }

        synchronized byte[][] allGather(final int rank, final byte[] mine) {
            final byte[][] round = gathering;
            round[rank] = mine;
            if (++arrived == size) {
                arrived = 0;
                gathering = new byte[size][];
                notifyAll();
                return Arrays.copyOf(round, size);
            }
            final long deadline = System.nanoTime() + timeout.toNanos();
            while (round == gathering && failure == null) {
                final long left = deadline - System.nanoTime();
                if (left <= 0) {
                    throw new JoinException("rank " + rank + " waited " + timeout.toSeconds() + " s for ranks "
                            + IntStream.range(0, size).filter(r -> round[r] == null).boxed().toList() + " of " + size);
                }
                try {
                    wait(Math.max(1, left / 1_000_000));
                } catch (final InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new JoinException("rank " + rank + " was interrupted while it waited for its peers", e);
                }
            }
            if (round == gathering) {
                throw new JoinException("rank " + failure.rank() + " failed while rank " + rank + " waited for it: "
                        + failure.reason());
            }
            return Arrays.copyOf(round, size);
        }

        synchronized void fail(final PeerFailure first, final Throwable why) {
            if (failure == null) {
                cause = why;
                failure = first;
            }
            notifyAll();
        }
    }
}
