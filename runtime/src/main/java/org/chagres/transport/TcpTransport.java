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

    private final MemoryDomain domain;
    private TcpConnection[] connections = {};

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
        return connection;
    }

    /** Whether there is nothing to poll. */
    public boolean isEmpty() {
        return connections.length == 0;
    }

    @Override
    public boolean poll() {
        boolean moved = false;
        for (final TcpConnection connection : connections) {
            moved |= connection.poll();
        }
        return moved;
    }

    @Override
    public LongConsumer sleeper() {
        final TcpConnection[] all = connections;
        final PollSet set = new PollSet(Arrays.stream(all).mapToInt(TcpConnection::descriptor).toArray());
        return nanos -> {
            for (int i = 0; i < all.length; i++) {
                set.interest(i, all[i].interest());
            }
            set.await(nanos);
        };
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
