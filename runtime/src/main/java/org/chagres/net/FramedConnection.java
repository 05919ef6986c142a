package org.chagres.net;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.chagres.bindings.Epoll;
import org.chagres.bindings.Errno;
import org.chagres.bindings.ErrnoException;
import org.chagres.bindings.LibC;
import org.chagres.bindings.Sockets;

/**
 * An authenticated connection that carries frames. {@link #send} and {@link #finish} may be called from any thread and never block; the rest belongs to the
 * loop's thread.
 */
public final class FramedConnection implements EventLoop.Handler {
    /** What may wait to be sent before the peer counts as stuck. */
    public static final long MAX_QUEUED_BYTES = 64L << 20;
    /** Reads before other connections get their turn. */
    private static final int READS = 16;

    private final EventLoop loop;
    private final int fd;
    private final Receiver receiver;
    private final Queue<ByteBuffer> queue = new ConcurrentLinkedQueue<>();
    private final AtomicLong queued = new AtomicLong();
    private final AtomicBoolean flushing = new AtomicBoolean();
    private final FrameReader reader = new FrameReader();
    private ByteBuffer sending;
    private boolean waitsToWrite;
    /** Nothing more will be sent, and what comes is dropped. */
    private boolean finishing;
    private boolean halfClosed;
    private boolean closed;

    private FramedConnection(final EventLoop loop, final int fd, final Receiver receiver) {
        this.loop = loop;
        this.fd = fd;
        this.receiver = receiver;
    }

    /** Gets what a connection brings, on the loop's thread. */
    public interface Receiver {
        /**
         * A frame has come.
         *
         * @throws ProtocolException if it is not one that may come here: the connection ends
         */
        void received(Frame frame) throws ProtocolException;

        /** The connection has ended, and not by {@link #finish} or {@link #close}. */
        void ended(Ending ending);

        /** The descriptor is closed: the last call. */
        default void closed() {
        }
    }

    /** Why a connection ended. */
    public enum Cause {
        /** In good order, from the other side. */
        END_OF_STREAM,
        /** The other side's kernel ended it. */
        RESET,
        /** The other side's host did not acknowledge what was sent, or cannot be reached. */
        UNREACHABLE,
        /** It sent what the protocol does not allow, or did not take what was sent. */
        MISBEHAVIOUR
    }

    /** Why, and what was seen, for a person. */
    public record Ending(Cause cause, String detail) {}

    /** Takes over a connected socket. Called by the loop's thread. */
    public static FramedConnection start(final EventLoop loop, final int fd, final Receiver receiver) {
        final FramedConnection connection = new FramedConnection(loop, fd, receiver);
        loop.add(fd, Epoll.IN, connection);
        return connection;
    }

    /** Sends a frame after those before; if too much waits already, the connection ends instead. */
    public void send(final Frame frame) {
        final ByteBuffer bytes = ByteBuffer.wrap(frame.encode());
        if (queued.addAndGet(bytes.remaining()) > MAX_QUEUED_BYTES) {
            queued.addAndGet(-bytes.remaining());
            loop.execute(() -> end(new Ending(Cause.MISBEHAVIOUR,
                    "it has left " + (MAX_QUEUED_BYTES >> 20) + " MiB of control messages unread")));
            return;
        }
        queue.add(bytes);
        if (flushing.compareAndSet(false, true)) {
            loop.execute(this::flush);
        }
    }

    /** Bytes that wait to be sent. */
    public long queued() {
        return queued.get();
    }

    /** Sends what waits, ends this side of the stream, and closes when the other side has ended too, or after {@code patience}. */
    public void finish(final Duration patience) {
        finish(null, patience);
    }

    /** Sends {@code last}, unless it is null, and finishes: what the other side does about it is no failure any more. */
    public void finish(final Frame last, final Duration patience) {
        loop.execute(() -> {
            if (!closed && !finishing) {
                finishing = true;
                if (last != null) {
                    final ByteBuffer bytes = ByteBuffer.wrap(last.encode());
                    queued.addAndGet(bytes.capacity());
                    queue.add(bytes);
                }
                loop.after(patience, this::close);
                flush();
            }
        });
    }

    private void flush() {
        flushing.set(false);
        if (closed) {
            return;
        }
        try {
            while (advance()) {
                if (!loop.write(fd, sending)) {
                    watchWrites(true);
                    return;
                }
                queued.addAndGet(-sending.capacity());
            }
            watchWrites(false);
            if (finishing && !halfClosed) {
                halfClosed = true;
                Sockets.shutdown(fd, Sockets.SHUT_WR);
            }
        } catch (final ErrnoException e) {
            broken(e);
        }
    }

    /** Whether something is left to send. */
    private boolean advance() {
        if (sending == null || !sending.hasRemaining()) {
            sending = halfClosed ? null : queue.poll();
        }
        return sending != null;
    }

    private void watchWrites(final boolean wanted) {
        if (waitsToWrite != wanted) {
            waitsToWrite = wanted;
            loop.interest(fd, wanted ? Epoll.IN | Epoll.OUT : Epoll.IN);
        }
    }

    @Override
    public void ready(final int events) {
        if ((events & Epoll.OUT) != 0) {
            flush();
        }
        try {
            for (int i = 0; i < READS && !closed; i++) {
                final ByteBuffer input = loop.scratch().clear();
                final int got = loop.read(fd, input);
                if (got <= 0) {
                    if (got < 0) {
                        end(new Ending(Cause.END_OF_STREAM, "its end of the connection was closed"));
                    }
                    return;
                }
                deliver(input.flip());
            }
        } catch (final ErrnoException e) {
            broken(e);
        } catch (final ProtocolException e) {
            end(new Ending(Cause.MISBEHAVIOUR, "it sent " + e.getMessage()));
        }
    }

    private void deliver(final ByteBuffer bytes) throws ProtocolException {
        while (bytes.hasRemaining() && !finishing) {
            final Frame frame = reader.next(bytes);
            if (frame != null) {
                receiver.received(frame);
            }
        }
    }

    private void broken(final ErrnoException e) {
        final Cause cause = switch (e.errno()) {
            case Errno.ETIMEDOUT, Errno.EHOSTUNREACH, Errno.EHOSTDOWN, Errno.ENETUNREACH, Errno.ENETDOWN ->
                Cause.UNREACHABLE;
            default -> Cause.RESET;
        };
        end(new Ending(cause, Errno.describe(e.errno())));
    }

    private void end(final Ending ending) {
        if (!closed) {
            final boolean expected = finishing;
            close();
            if (!expected) {
                receiver.ended(ending);
            }
        }
    }

    @Override
    public void failed(final RuntimeException why) {
        end(new Ending(Cause.MISBEHAVIOUR, "this rank failed: " + why));
    }

    /** Whoever waits for the peer must not wait on when nobody listens to it any more. */
    @Override
    public void ended() {
        end(new Ending(Cause.MISBEHAVIOUR, "the thread that runs this rank's control connections has ended"));
    }

    /** Closes at once; what waits to be sent is lost. */
    public void close() {
        if (!closed) {
            closed = true;
            queue.clear();
            loop.remove(fd);
            LibC.close(fd);
            receiver.closed();
        }
    }
}
