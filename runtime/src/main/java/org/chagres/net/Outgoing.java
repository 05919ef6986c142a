package org.chagres.net;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.chagres.bindings.Epoll;
import org.chagres.bindings.Errno;
import org.chagres.bindings.ErrnoException;
import org.chagres.bindings.LibC;
import org.chagres.bindings.Sockets;

/** The connecting side of a handshake: one attempt. */
public final class Outgoing implements EventLoop.Handler {
    private final EventLoop loop;
    private final InetSocketAddress to;
    private final Claim claim;
    private final Credentials credentials;
    private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    private final ByteBuffer challenge = ByteBuffer.allocate(Handshake.CHALLENGE_BYTES);
    private final ByteBuffer answer = ByteBuffer.allocate(Handshake.ANSWER_BYTES);
    private byte[] hello;
    private EventLoop.Timer deadline;
    private int fd = -1;
    private boolean connected;

    private Outgoing(final EventLoop loop, final InetSocketAddress to, final Claim claim,
            final Credentials credentials) {
        this.loop = loop;
        this.to = to;
        this.claim = claim;
        this.credentials = credentials;
    }

    /** How an attempt ended. */
    public sealed interface Outcome {
        /** Done; {@code fd} belongs to whoever gets it. */
        record Connected(int fd) implements Outcome {}

        /**
         * Not done.
         *
         * @param why for a person
         * @param transitory whether another attempt may do better: nobody listens yet, or the connection or the time ended without an answer
         */
        record Failed(String why, boolean transitory) implements Outcome {}
    }

    /** Begins to connect. Any thread may call; the outcome comes within {@code patience}, unless the loop is stuck. */
    public static CompletableFuture<Outcome> connect(final EventLoop loop, final InetSocketAddress to,
            final Claim claim, final Credentials credentials, final Duration patience) {
        final Outgoing attempt = new Outgoing(loop, to, claim, credentials);
        if (!loop.execute(() -> attempt.start(patience))) {
            attempt.fail("this rank has left", false);
        }
        return attempt.outcome;
    }

    /** Closes the connection that may yet come of an attempt nobody waits for any more. */
    public static void abandon(final CompletableFuture<Outcome> attempt) {
        final var unused = attempt.whenComplete((ended, never) -> {
            if (ended instanceof final Outcome.Connected connection) {
                LibC.close(connection.fd());
            }
        });
    }

    private void start(final Duration patience) {
        try {
            fd = Sockets.open(to.getAddress());
            Sockets.option(fd, Sockets.IPPROTO_TCP, Sockets.TCP_NODELAY, 1);
            deadline = loop.after(patience, () -> fail("no answer within " + patience.toMillis() + " ms", true));
            connected = Sockets.connect(fd, to);
            loop.add(fd, connected ? Epoll.IN : Epoll.OUT, this);
        } catch (final ErrnoException e) {
            fail(e);
        }
    }

    @Override
    public void ready(final int events) {
        try {
            if (!connected) {
                finishConnecting();
            } else if (challenge.hasRemaining()) {
                receive(challenge);
            } else {
                receive(answer);
            }
        } catch (final ErrnoException e) {
            fail(e);
        } catch (final ProtocolException e) {
            fail(e.getMessage(), false);
        }
    }

    private void finishConnecting() {
        final int errno = Sockets.error(fd);
        if (errno != 0) {
            throw new ErrnoException("connect", errno);
        }
        connected = true;
        loop.interest(fd, Epoll.IN);
    }

    private void receive(final ByteBuffer message) throws ProtocolException {
        if (loop.read(fd, message) < 0) {
            fail("the connection was closed during the handshake", true);
        } else if (!challenge.hasRemaining() && hello == null) {
            Handshake.checkChallenge(challenge.array());
            hello = Handshake.hello(claim, credentials, challenge.array());
            if (!loop.write(fd, ByteBuffer.wrap(hello))) {
                throw new ErrnoException("a short send", Errno.EAGAIN);
            }
        } else if (!answer.hasRemaining()) {
            conclude(Handshake.answer(answer.array(), credentials.key(), challenge.array(), hello));
        }
    }

    private void conclude(final Handshake.Answer said) {
        switch (said.status()) {
            case ADMITTED -> {
                detach();
                outcome.complete(new Outcome.Connected(fd));
            }
            case REFUSED -> fail(said.reason(), false);
            case OTHER_SECRET ->
                fail("it has another secret: set the same CHAGRES_SECRET or CHAGRES_SECRET_FILE on all ranks", false);
            case OTHER_WORLD -> fail("it is of another world: another job uses that port, or the ranks differ in"
                    + " CHAGRES_WORLD or in the job that their launcher names", false);
        }
    }

    private void fail(final ErrnoException e) {
        fail(Errno.describe(e.errno()), e.errno() == Errno.ECONNREFUSED || e.errno() == Errno.ECONNRESET);
    }

    private void fail(final String why, final boolean transitory) {
        if (!outcome.isDone()) {
            detach();
            if (fd >= 0) {
                LibC.close(fd);
            }
            outcome.complete(new Outcome.Failed(why, transitory));
        }
    }

    private void detach() {
        if (deadline != null) {
            loop.cancel(deadline);
            loop.remove(fd);
        }
    }

    @Override
    public void failed(final RuntimeException why) {
        fail(why.toString(), false);
    }

    @Override
    public void ended() {
        fail("this rank has left", false);
    }
}
