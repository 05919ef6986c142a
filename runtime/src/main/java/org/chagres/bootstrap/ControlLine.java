package org.chagres.bootstrap;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.chagres.bindings.Sockets;
import org.chagres.net.EventLoop;
import org.chagres.net.Frame;
import org.chagres.net.FramedConnection;
import org.chagres.net.ProtocolException;

/** The control connection with one peer, and what it says of the peer's life. Any thread may call; what comes is dealt with on the loop's thread. */
final class ControlLine implements FramedConnection.Receiver {
    static final Duration LINGER = Duration.ofSeconds(2);
    private static final long POLL_NS = 200_000;

    private final Peer peer;
    private final Fates fates;
    private final Mailboxes mailboxes;
    private final Duration liveness;
    private final InetAddress address;
    private final AtomicLong asked = new AtomicLong();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private FramedConnection connection;
    private volatile long answered;

    private ControlLine(final Peer peer, final Fates fates, final Mailboxes mailboxes, final Duration liveness,
            final InetAddress address) {
        this.peer = peer;
        this.fates = fates;
        this.mailboxes = mailboxes;
        this.liveness = liveness;
        this.address = address;
    }

    /**
     * Takes over a socket. Called by the loop's thread.
     *
     * @param remote whether the peer's host is another: then its kernel must keep acknowledging what is sent, or it counts as gone
     * @param liveness how long it may take to
     */
    static ControlLine start(final EventLoop loop, final int fd, final Peer peer, final Fates fates,
            final Mailboxes mailboxes, final boolean remote, final Duration liveness) {
        final ControlLine line = new ControlLine(peer, fates, mailboxes, liveness,
                Sockets.remoteAddress(fd).getAddress());
        if (remote) {
            Sockets.option(fd, Sockets.IPPROTO_TCP, Sockets.TCP_USER_TIMEOUT, (int) liveness.toMillis());
        }
        line.connection = FramedConnection.start(loop, fd, line);
        return line;
    }

    @Override
    public void received(final Frame frame) throws ProtocolException {
        switch (frame.kind()) {
            case MESSAGE -> mailboxes.deliver(frame.number(), new Mailbox.Letter(peer.rank(),
                    Arrays.copyOfRange(frame.body(), Long.BYTES, frame.body().length)));
            case PING -> connection.send(Frame.of(Frame.Kind.PONG, frame.number()));
            case PONG -> answered = frame.number();
            case HEARTBEAT -> {
                // That it could be sent is all it says; that it was acknowledged is what the other side learns.
            }
            case BYE -> {
                fates.leave(peer.rank());
                connection.finish(LINGER);
            }
            case EXPELLED -> {
                fates.fail(new PeerFailure(peer.rank(), "it has expelled this rank: " + frame.text()));
                connection.finish(LINGER);
            }
            default -> throw new ProtocolException("a " + frame.kind() + " after joining");
        }
    }

    @Override
    public void ended(final FramedConnection.Ending ending) {
        fates.fail(new PeerFailure(peer.rank(), switch (ending.cause()) {
            case END_OF_STREAM, RESET -> "its process ended without a goodbye (" + ending.detail() + ")";
            case UNREACHABLE -> "no answer from its host for " + liveness.toMillis()
                    + " ms: host down or link cut (" + ending.detail() + ")";
            case MISBEHAVIOUR -> ending.detail();
        }));
    }

    @Override
    public void closed() {
        closed.complete(null);
    }

    int rank() {
        return peer.rank();
    }

    /** Where the peer's host is, as seen from this one. */
    InetAddress address() {
        return address;
    }

    CompletableFuture<Void> whenClosed() {
        return closed;
    }

    void send(final long topic, final byte[] body) {
        connection.send(new Frame(Frame.Kind.MESSAGE,
                ByteBuffer.allocate(Long.BYTES + body.length).putLong(topic).put(body).array()));
    }

    /** Gives the peer's kernel something to acknowledge, unless something else waits to be. */
    void beat() {
        if (!fates.gone(peer.rank()) && connection.queued() == 0) {
            connection.send(Frame.of(Frame.Kind.HEARTBEAT));
        }
    }

    boolean responds(final Duration patience) {
        final long end = System.nanoTime() + patience.toNanos();
        final long number = asked.incrementAndGet();
        connection.send(Frame.of(Frame.Kind.PING, number));
        while (answered < number) {
            if (fates.gone(peer.rank()) || end - System.nanoTime() <= 0) {
                return false;
            }
            LockSupport.parkNanos(POLL_NS);
        }
        return true;
    }

    /** Sends the last message and closes, once the peer has done so too, or after a while. */
    void finish(final Frame last) {
        connection.finish(last, LINGER);
    }
}
