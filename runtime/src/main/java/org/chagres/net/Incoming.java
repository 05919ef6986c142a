package org.chagres.net;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.chagres.bindings.Epoll;
import org.chagres.bindings.Errno;
import org.chagres.bindings.ErrnoException;
import org.chagres.bindings.LibC;
import org.chagres.bindings.Sockets;

/** The accepting side of a handshake: challenge, hello, answer. */
final class Incoming implements EventLoop.Handler {
    private final Acceptor acceptor;
    private final int fd;
    private final byte[] challenge = Handshake.challenge();
    private final ByteBuffer hello = ByteBuffer.allocate(Handshake.HELLO_BYTES);
    private EventLoop.Timer deadline;
    private InetSocketAddress remote;
    private boolean done;

    Incoming(final Acceptor acceptor, final int fd) {
        this.acceptor = acceptor;
        this.fd = fd;
    }

    void start(final Duration patience) {
        deadline = acceptor.loop()
                .after(patience, () -> refuse("it did not prove itself within " + patience.toMillis() + " ms"));
        acceptor.loop().add(fd, Epoll.IN, this);
        try {
            remote = Sockets.remoteAddress(fd);
            Sockets.option(fd, Sockets.IPPROTO_TCP, Sockets.TCP_NODELAY, 1);
            send(challenge);
        } catch (final ErrnoException e) {
            refuse(e.getMessage());
        }
    }

    /** All that is sent here fits into the buffer of a new socket. */
    private void send(final byte[] bytes) {
        if (!acceptor.loop().write(fd, ByteBuffer.wrap(bytes))) {
            throw new ErrnoException("a short send", Errno.EAGAIN);
        }
    }

    @Override
    public void ready(final int events) {
        try {
            if (acceptor.loop().read(fd, hello) < 0) {
                refuse("it hung up after " + hello.position() + " bytes");
            } else if (!hello.hasRemaining()) {
                judge(Handshake.hello(hello.array()));
            }
        } catch (final ErrnoException | ProtocolException e) {
            refuse(e.getMessage());
        }
    }

    private void judge(final Handshake.Hello said) {
        final Credentials credentials = acceptor.admission().credentials(said.claim().purpose());
        if (credentials == null) {
            refuse("nothing for " + said.claim().purpose() + " is accepted here");
        } else if (!Key.same(said.world(), credentials.world())) {
            answer(credentials, Handshake.Status.OTHER_WORLD, "");
            refuse("it is a rank of another world");
        } else if (!Handshake.proves(hello.array(), credentials.key(), challenge)) {
            answer(credentials, Handshake.Status.OTHER_SECRET, "");
            refuse("it does not know the secret");
        } else {
            final String why = acceptor.admission().refusal(said.claim());
            answer(credentials, why == null ? Handshake.Status.ADMITTED : Handshake.Status.REFUSED,
                    why == null ? "" : why);
            if (why == null) {
                admit(said.claim());
            } else {
                close();
            }
        }
    }

    private void answer(final Credentials credentials, final Handshake.Status status, final String reason) {
        send(Handshake.answer(new Handshake.Answer(status, reason), credentials.key(), challenge, hello.array()));
    }

    private void admit(final Claim claim) {
        detach();
        acceptor.admission().admitted(claim, fd, remote);
    }

    void refuse(final String why) {
        if (!done) {
            acceptor.refused(remote, why);
            close();
        }
    }

    @Override
    public void failed(final RuntimeException why) {
        refuse(why.toString());
    }

    @Override
    public void ended() {
        close();
    }

    void close() {
        if (!done) {
            detach();
            LibC.close(fd);
        }
    }

    private void detach() {
        done = true;
        acceptor.loop().cancel(deadline);
        acceptor.loop().remove(fd);
        acceptor.forget(this);
    }
}
