package org.chagres.transport;

import java.time.Duration;
import java.util.Arrays;
import java.util.function.LongConsumer;
import org.chagres.bindings.PollSet;
import org.chagres.memory.MemoryDomain;

/** The data connections of one communicator. */
public final class TcpTransport implements Transport {
    /** How long closing waits for a peer's host to take what is pending, for all connections together. */
    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(10);
    /**
     * Up to so many connections are polled one by one; of more, the kernel says in one call which are worth it. Polling 4, 16 and 64 idle ones took 8, 28
     * and 146 us one by one, and 2.6, 6 and 28 this way (busy 2-core VM, AMD Zen 3).
     */
    private static final int FEW = 2;

    private final MemoryDomain domain;
    private TcpConnection[] connections = {};
    private PollSet set = new PollSet();

    /**
     * Makes a transport without connections.
     *
     * @param domain this rank's memory, into which peers write by token
     */
    public TcpTransport(final MemoryDomain domain) {
        this.domain = domain;
    }

    /**
     * Takes over a connected, non-blocking socket.
     *
     * @param fd closed with this object
     * @param peer the peer's rank in the communicator
     */
    public TcpConnection connection(final int fd, final int peer) {
        final TcpConnection connection = new TcpConnection(fd, peer, domain);
        connections = Arrays.copyOf(connections, connections.length + 1);
        connections[connections.length - 1] = connection;
        set = newSet();
        return connection;
    }

    /** Whether there is nothing to poll. */
    public boolean isEmpty() {
        return connections.length == 0;
    }

    @Override
    public boolean poll() {
        return connections.length > FEW ? pollReady() : pollAll();
    }

    private boolean pollAll() {
        boolean moved = false;
        for (final TcpConnection connection : connections) {
            moved |= connection.poll();
        }
        return moved;
    }

    private boolean pollReady() {
        if (await(set, 0) == 0) {
            return false;
        }
        boolean moved = false;
        for (int i = 0; i < connections.length; i++) {
            if (set.ready(i)) {
                moved |= connections[i].poll();
            }
        }
        return moved;
    }

    @Override
    public LongConsumer sleeper() {
        final PollSet own = newSet();
        return nanos -> await(own, nanos);
    }

    private PollSet newSet() {
        return new PollSet(Arrays.stream(connections).mapToInt(TcpConnection::descriptor).toArray());
    }

    private int await(final PollSet of, final long nanos) {
        for (int i = 0; i < connections.length; i++) {
            of.interest(i, connections[i].interest());
        }
        return of.await(nanos);
    }

    /** Cuts the connections at once: what the peers have not taken yet is of no use to anyone. */
    public void abandon() {
        close(Duration.ZERO);
    }

    @Override
    public void close() {
        close(CLOSE_PATIENCE);
    }

    private void close(final Duration patience) {
        final long deadline = System.nanoTime() + patience.toNanos();
        for (final TcpConnection connection : connections) {
            connection.close(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
        }
    }
}
