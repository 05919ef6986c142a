package org.chagres.bootstrap;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rank 0: accepts the others, carries their exchanges, and passes on failures. Each connection has its own virtual thread, so that a stranger who
 * connects and stays silent holds up nobody.
 */
final class Coordinator implements Membership {
    private static final Logger LOG = LoggerFactory.getLogger(Coordinator.class);
    private static final int HELLO_TIMEOUT_MS = 5_000;

    private final WorldInfo info;
    private final Duration timeout;
    private final Connection[] connections;
    private final AtomicIntegerArray left;
    private byte[][] gathering;
    private int gathered;
    private Frame complete;
    private long rounds;
    private String refusal;
    private volatile PeerFailure failure;
    private volatile boolean closed;

    private Coordinator(final WorldInfo info, final Duration timeout) {
        this.info = info;
        this.timeout = timeout;
        this.connections = new Connection[info.size()];
        this.left = new AtomicIntegerArray(info.size());
        this.gathering = new byte[info.size()][];
    }

    static Coordinator open(final WorldInfo info, final Duration timeout) {
        final Coordinator coordinator = new Coordinator(info, timeout);
        try (ServerSocket server = new ServerSocket()) {
            server.setReuseAddress(true);
            server.bind(new InetSocketAddress(InetAddress.getByName(info.masterAddress()), info.masterPort()),
                    info.size());
            Thread.ofVirtual().name("chagres-accept").start(() -> coordinator.accept(server));
            coordinator.awaitAll();
            return coordinator;
        } catch (final IOException e) {
            throw new JoinException("rank 0 cannot listen at MASTER_ADDR:MASTER_PORT " + info.masterAddress() + ":"
                    + info.masterPort() + " ("
                    + e.getMessage() + "): choose a free port and an address of this host", e);
        } catch (final JoinException e) {
            coordinator.abandon(e.getMessage());
            throw e;
        }
    }

    private void accept(final ServerSocket server) {
        while (!server.isClosed()) {
            try {
                final Socket socket = server.accept();
                Thread.ofVirtual().name("chagres-join").start(() -> admit(socket));
            } catch (final IOException e) {
                if (!server.isClosed()) {
                    LOG.warn("accepting a rank failed: {}", e.getMessage());
                }
            }
        }
    }

    private void admit(final Socket socket) {
        try {
            final Connection connection = new Connection(socket);
            connection.readTimeout(HELLO_TIMEOUT_MS);
            final Hello hello = Hello.of(connection.read());
            final String why = register(hello, connection);
            if (why != null) {
                connection.write(Frame.Kind.REFUSED, why);
                connection.close();
                return;
            }
            connection.readTimeout(0);
            serve(hello.rank(), connection);
        } catch (final IOException e) {
            LOG.warn("refused a connection from {}: {}", socket.getRemoteSocketAddress(), e.getMessage());
            closeQuietly(socket);
        }
    }

    private static void closeQuietly(final Socket socket) {
        try {
            socket.close();
        } catch (final IOException e) {
            LOG.debug("closing a refused connection failed: {}", e.getMessage());
        }
    }

    /** Admits the rank, or returns why it is refused; a contradiction that concerns everybody ends the joining for all. */
    private synchronized String register(final Hello hello, final Connection connection) {
        if (refusal != null) {
            return refusal;
        }
        final String why;
        if (hello.version() != Hello.VERSION) {
            why = "rank " + hello.rank() + " speaks rendezvous version " + hello.version() + ", rank 0 version "
                    + Hello.VERSION
                    + ": run the same Chagres on all ranks";
        } else if (hello.size() != info.size()) {
            why = "rank " + hello.rank() + " has WORLD_SIZE=" + hello.size() + ", rank 0 has WORLD_SIZE=" + info.size()
                    + ": set the same on all ranks";
        } else if (hello.rank() < 1 || hello.rank() >= info.size() || connections[hello.rank()] != null) {
            why = "two processes claim rank " + hello.rank() + " of " + info.size()
                    + ": give every process its own RANK";
        } else {
            connections[hello.rank()] = connection;
            notifyAll();
            return null;
        }
        refusal = why;
        notifyAll();
        return why;
    }

    private synchronized void awaitAll() {
        final long deadline = System.nanoTime() + timeout.toNanos();
        while (true) {
            if (refusal != null) {
                throw new JoinException(refusal);
            }
            if (failure != null) {
                throw new JoinException("rank " + failure.rank() + " failed while others were still to join: "
                        + failure.reason() + "; see what it reported");
            }
            final List<Integer> missing = missing();
            if (missing.isEmpty()) {
                welcome();
                return;
            }
            final long left = deadline - System.nanoTime();
            if (left <= 0) {
                throw new JoinException("after " + timeout.toMillis() + " ms these of " + info.size()
                        + " ranks have not joined: " + missing
                        + "; start them, or raise " + Rendezvous.TIMEOUT_VARIABLE);
            }
            try {
                wait(Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)));
            } catch (final InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new JoinException("interrupted while waiting for ranks " + missing, e);
            }
        }
    }

    private List<Integer> missing() {
        final List<Integer> missing = new ArrayList<>();
        for (int r = 1; r < connections.length; r++) {
            if (connections[r] == null) {
                missing.add(r);
            }
        }
        return missing;
    }

    private void welcome() {
        for (int r = 1; r < connections.length; r++) {
            try {
                connections[r].write(Frame.Kind.WELCOME, "");
            } catch (final IOException e) {
                throw new JoinException("rank " + r + " went away while joining: " + e.getMessage(), e);
            }
        }
    }

    /** Tells all who have come, and whoever comes late, why the world cannot form. */
    private synchronized void abandon(final String why) {
        refusal = why;
        for (final Connection connection : connections) {
            if (connection != null) {
                try {
                    connection.write(Frame.Kind.REFUSED, why);
                } catch (final IOException e) {
                    LOG.debug("a rank left before it heard why the world cannot form: {}", e.getMessage());
                }
                connection.close();
            }
        }
    }

    private void serve(final int rank, final Connection connection) {
        try {
            while (true) {
                final Frame frame = connection.read();
                switch (frame.kind()) {
                    case MINE -> contribute(rank, frame.payload());
                    case FAILED -> fail(Connection.failure(frame));
                    case BYE -> {
                        markLeft(rank);
                        return;
                    }
                    default -> throw new IOException("unexpected " + frame.kind());
                }
            }
        } catch (final IOException e) {
            if (!closed) {
                fail(new PeerFailure(rank,
                        "its rendezvous connection ended without a goodbye (" + e.getMessage() + ")"));
            }
        }
    }

    private synchronized void markLeft(final int rank) {
        left.set(rank, 1);
        final byte[] who = ByteBuffer.allocate(Integer.BYTES).putInt(rank).array();
        tellOthers(rank, new Frame(Frame.Kind.LEFT, who));
    }

    /** Called under the lock. */
    private void tellOthers(final int about, final Frame news) {
        for (int r = 1; r < connections.length; r++) {
            if (r != about && connections[r] != null && left.get(r) == 0) {
                try {
                    connections[r].write(news);
                } catch (final IOException e) {
                    LOG.debug("rank {} could not be told of rank {}: {}", r, about, e.getMessage());
                }
            }
        }
    }

    private synchronized void fail(final PeerFailure first) {
        if (failure != null) {
            return;
        }
        failure = first;
        notifyAll();
        tellOthers(first.rank(), Connection.frame(first));
    }

    private synchronized void contribute(final int rank, final byte[] mine) throws IOException {
        gathering[rank] = mine;
        if (++gathered < gathering.length) {
            return;
        }
        int bytes = 0;
        for (final byte[] part : gathering) {
            bytes += Integer.BYTES + part.length;
        }
        final ByteBuffer all = ByteBuffer.allocate(bytes);
        for (final byte[] part : gathering) {
            all.putInt(part.length).put(part);
        }
        gathering = new byte[gathering.length][];
        gathered = 0;
        complete = new Frame(Frame.Kind.ALL, all.array());
        rounds++;
        notifyAll();
        for (int r = 1; r < connections.length; r++) {
            connections[r].write(complete);
        }
    }

    @Override
    public int rank() {
        return 0;
    }

    @Override
    public int size() {
        return info.size();
    }

    @Override
    public int localSize() {
        return info.localSize() > 0 ? info.localSize() : info.size();
    }

    public synchronized byte[][] allGather(final byte[] mine) {
        final long round = rounds;
        final long deadline = System.nanoTime() + timeout.toNanos();
        try {
            contribute(0, mine);
            while (rounds == round) {
                if (failure != null) {
                    throw new JoinException(
                            "rank " + failure.rank() + " failed while rank 0 waited for it: " + failure.reason());
                }
                final long remaining = deadline - System.nanoTime();
                if (remaining <= 0) {
                    throw new JoinException("rank 0 waited " + timeout.toMillis()
                            + " ms for an exchange with all ranks: one of them is stuck");
                }
                wait(Math.max(1, TimeUnit.NANOSECONDS.toMillis(remaining)));
            }
            return Participant.split(complete, info.size());
        } catch (final IOException e) {
            throw new JoinException("a rank went away during an exchange: " + e.getMessage(), e);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new JoinException("interrupted while waiting for the other ranks", e);
        }
    }

    @Override
    public PeerFailure failure() {
        return failure;
    }

    @Override
    public boolean hasLeft(final int rank) {
        return left.get(rank) != 0;
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        for (final Connection connection : connections) {
            if (connection != null) {
                try {
                    connection.write(Frame.Kind.BYE, "");
                } catch (final IOException e) {
                    LOG.debug("a rank left before rank 0 said goodbye: {}", e.getMessage());
                }
                connection.close();
            }
        }
    }

    // Replaced with the mesh of control connections.
    @Override
    public Peer peer(final int other) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void send(final int to, final long topic, final byte[] body) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Mailbox mailbox(final long topic) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void forget(final long topic) {
        throw new UnsupportedOperationException();
    }

    @Override
    public DataConnections connections() {
        throw new UnsupportedOperationException();
    }

    @Override
    public int failures() {
        return failure == null ? 0 : 1;
    }

    @Override
    public PeerFailure failureOf(final int rank) {
        return failure != null && failure.rank() == rank ? failure : null;
    }

    @Override
    public void expel(final int other, final String reason) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean responds(final int other, final Duration patience) {
        throw new UnsupportedOperationException();
    }
}
