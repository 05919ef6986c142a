package org.chagres.bootstrap;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** A rank other than 0. A daemon thread reads what the coordinator says. */
final class Participant implements Membership {
    private static final int RETRY_MS = 20;

    private final WorldInfo info;
    private final Duration timeout;
    private final Connection coordinator;
    private final BlockingQueue<Frame> answers = new LinkedBlockingQueue<>();
    private final AtomicIntegerArray left;
    private volatile PeerFailure failure;
    private volatile boolean closed;

    private Participant(final WorldInfo info, final Duration timeout, final Connection coordinator) {
        this.info = info;
        this.timeout = timeout;
        this.coordinator = coordinator;
        this.left = new AtomicIntegerArray(info.size());
        Thread.ofPlatform().daemon().name("chagres-membership").start(this::listen);
    }

    static Participant open(final WorldInfo info, final Duration timeout) {
        final long deadline = System.nanoTime() + timeout.toNanos();
        final Connection connection = connect(info, deadline, timeout);
        try {
            connection.write(new Hello(Hello.VERSION, info.size(), info.rank()).frame());
            connection.readTimeout((int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
            final Frame answer = connection.read();
            if (answer.kind() == Frame.Kind.REFUSED) {
                throw new JoinException(Connection.text(answer));
            }
            if (answer.kind() != Frame.Kind.WELCOME) {
                throw new JoinException("the coordinator answered " + answer.kind() + " instead of WELCOME");
            }
            connection.readTimeout(0);
            return new Participant(info, timeout, connection);
        } catch (final IOException e) {
            connection.close();
            throw new JoinException(
                    "rank " + info.rank() + " lost the coordinator at " + where(info) + " while joining ("
                            + e.getMessage() + "): see what rank 0 reported",
                    e);
        } catch (final JoinException e) {
            connection.close();
            throw e;
        }
    }

    private static Connection connect(final WorldInfo info, final long deadline, final Duration timeout) {
        IOException last = null;
        while (System.nanoTime() < deadline) {
            final Socket socket = new Socket();
            try {
                final InetAddress address = InetAddress.getByName(info.masterAddress());
                socket.connect(new InetSocketAddress(address, info.masterPort()),
                        (int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
                return new Connection(socket);
            } catch (final UnknownHostException e) {
                throw new JoinException(
                        "MASTER_ADDR=" + info.masterAddress()
                                + " cannot be resolved: use the name or address of rank 0's host",
                        e);
            } catch (final IOException e) {
                last = e;
                pause(socket);
            }
        }
        throw new JoinException(
                "rank " + info.rank() + " could not reach the coordinator at " + where(info) + " within "
                        + timeout.toMillis()
                        + " ms (" + (last == null ? "no time" : last.getMessage())
                        + "): is rank 0 running, and MASTER_ADDR and MASTER_PORT the same on all ranks?",
                last);
    }

    private static void pause(final Socket socket) {
        try {
            socket.close();
            Thread.sleep(RETRY_MS);
        } catch (final IOException e) {
            throw new JoinException("closing a socket failed: " + e.getMessage(), e);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new JoinException("interrupted while joining", e);
        }
    }

    private static String where(final WorldInfo info) {
        return info.masterAddress() + ":" + info.masterPort();
    }

    private void listen() {
        try {
            while (!closed) {
                final Frame frame = coordinator.read();
                switch (frame.kind()) {
                    case FAILED -> failure = Connection.failure(frame);
                    case LEFT -> left.set(ByteBuffer.wrap(frame.payload()).getInt(), 1);
                    case BYE -> {
                        left.set(0, 1);
                        return;
                    }
                    default -> answers.add(frame);
                }
            }
        } catch (final IOException e) {
            if (!closed && failure == null) {
                failure = new PeerFailure(0,
                        "its rendezvous connection ended without a goodbye (" + e.getMessage() + ")");
            }
        }
    }

    @Override
    public int rank() {
        return info.rank();
    }

    @Override
    public int size() {
        return info.size();
    }

    @Override
    public int localSize() {
        return info.localSize() > 0 ? info.localSize() : info.size();
    }

    public byte[][] allGather(final byte[] mine) {
        try {
            coordinator.write(new Frame(Frame.Kind.MINE, mine));
            final long deadline = System.nanoTime() + timeout.toNanos();
            while (true) {
                final Frame answer = answers.poll(RETRY_MS, TimeUnit.MILLISECONDS);
                if (answer != null) {
                    return split(answer, info.size());
                }
                if (failure != null) {
                    throw new JoinException("rank " + failure.rank() + " failed while rank " + info.rank()
                            + " waited for it: " + failure.reason());
                }
                if (System.nanoTime() > deadline) {
                    throw new JoinException("rank " + info.rank() + " waited " + timeout.toMillis()
                            + " ms for an exchange with all ranks: one of them is stuck");
                }
            }
        } catch (final IOException e) {
            throw new JoinException("rank " + info.rank() + " lost the coordinator: " + e.getMessage(), e);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new JoinException("interrupted while waiting for the other ranks", e);
        }
    }

    static byte[][] split(final Frame frame, final int size) {
        if (frame.kind() != Frame.Kind.ALL) {
            throw new JoinException("expected an exchange, got " + frame.kind());
        }
        final ByteBuffer in = ByteBuffer.wrap(frame.payload());
        final byte[][] all = new byte[size][];
        for (int r = 0; r < size; r++) {
            all[r] = new byte[in.getInt()];
            in.get(all[r]);
        }
        return all;
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
        if (!closed) {
            closed = true;
            try {
                coordinator.write(Frame.Kind.BYE, "");
            } catch (final IOException e) {
                // The coordinator has already gone: there is nobody left to say goodbye to.
                failure = failure == null ? new PeerFailure(0, "it left before this rank said goodbye") : failure;
            }
            coordinator.close();
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
