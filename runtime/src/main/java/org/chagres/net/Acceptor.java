package org.chagres.net;

import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.Set;
import org.chagres.bindings.Epoll;
import org.chagres.bindings.ErrnoException;
import org.chagres.bindings.LibC;
import org.chagres.bindings.Sockets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A listening socket that lets in who knows the secret. It holds a bounded number of connections that have not proved themselves, each with a small buffer
 * and a deadline; the oldest makes room for the next.
 */
public final class Acceptor implements EventLoop.Handler {
    private static final Logger LOG = LoggerFactory.getLogger(Acceptor.class);
    /** How long a connection may take to prove itself. */
    public static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final int STRANGERS = 128;
    private static final int BATCH = 64;
    private static final int BACKLOG = 4096;
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final EventLoop loop;
    private final int fd;
    private final InetSocketAddress address;
    private final int limit;
    private final Strangers strangers;
    private final Set<Incoming> unproven = new LinkedHashSet<>();
    private Admission admission;
    private boolean closed;

    private Acceptor(final EventLoop loop, final int fd, final int limit, final Strangers strangers) {
        this.loop = loop;
        this.fd = fd;
        this.address = Sockets.localAddress(fd);
        this.limit = limit;
        this.strangers = strangers;
    }

    /**
     * Listens: who connects from now on waits until {@link #start}. Any thread may call.
     *
     * @param at where; port 0 takes a free one; {@code ::} means the addresses of both families
     * @param expected how many ranks may come at once
     * @throws ErrnoException if the address is not this host's, or in use
     */
    public static Acceptor open(final EventLoop loop, final InetSocketAddress at, final int expected,
            final Strangers strangers) {
        final int fd = Sockets.open(at.getAddress());
        try {
            Sockets.option(fd, Sockets.SOL_SOCKET, Sockets.SO_REUSEADDR, 1);
            if (at.getAddress() instanceof Inet6Address && at.getAddress().isAnyLocalAddress()) {
                Sockets.option(fd, Sockets.IPPROTO_IPV6, Sockets.IPV6_V6ONLY, 0);
            }
            Sockets.bind(fd, at);
            Sockets.listen(fd, BACKLOG);
            return new Acceptor(loop, fd, STRANGERS + expected, strangers);
        } catch (final RuntimeException e) {
            LibC.close(fd);
            throw e;
        }
    }

    /** Where it listens. */
    public InetSocketAddress address() {
        return address;
    }

    /** Begins to let in whom {@code who} admits. Any thread may call. */
    public void start(final Admission who) {
        loop.execute(() -> {
            admission = who;
            if (!closed) {
                loop.add(fd, Epoll.IN, this);
            }
        });
    }

    @Override
    public void ready(final int events) {
        try {
            for (int i = 0; i < BATCH; i++) {
                final int accepted = Sockets.accept(fd);
                if (accepted < 0) {
                    return;
                }
                receive(accepted);
            }
        } catch (final ErrnoException e) {
            pause(e);
        }
    }

    private void receive(final int accepted) {
        if (unproven.size() >= limit) {
            unproven.iterator().next().refuse("it made room for newer connections before it had proved itself");
        }
        final Incoming incoming = new Incoming(this, accepted);
        unproven.add(incoming);
        incoming.start(PATIENCE);
    }

    /** Without a descriptor to accept with, the socket would stay ready and the loop would spin. */
    private void pause(final ErrnoException why) {
        LOG.warn("accepting connections at {} failed, and goes on in {} ms: {}", address, PAUSE.toMillis(),
                why.getMessage());
        loop.interest(fd, 0);
        loop.after(PAUSE, () -> {
            if (!closed) {
                loop.interest(fd, Epoll.IN);
            }
        });
    }

    @Override
    public void failed(final RuntimeException why) {
        LOG.error("no more connections are accepted at {}: {}", address, why.toString(), why);
        close();
    }

    @Override
    public void ended() {
        close();
    }

    /** Closes the socket and all connections that have not proved themselves. Called by the loop's thread. */
    public void close() {
        if (!closed) {
            closed = true;
            new ArrayList<>(unproven).forEach(Incoming::close);
            loop.remove(fd);
            LibC.close(fd);
        }
    }

    EventLoop loop() {
        return loop;
    }

    Admission admission() {
        return admission;
    }

    void forget(final Incoming incoming) {
        unproven.remove(incoming);
    }

    void refused(final InetSocketAddress from, final String why) {
        strangers.refused(from, address, why);
    }
}
