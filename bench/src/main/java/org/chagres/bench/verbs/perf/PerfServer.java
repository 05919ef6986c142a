package org.chagres.bench.verbs.perf;

import java.io.IOException;
import java.io.PrintWriter;
import java.lang.foreign.Arena;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.chagres.bench.UsageException;
import org.chagres.bench.verbs.LocalPort;
import org.chagres.bench.verbs.PeerLostException;
import org.chagres.verbs.Context;

/** Serves one test. Whoever connects but is no fitting client is refused, with one line, and the next one gets a chance. */
final class PerfServer {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Verb verb;
    private final boolean latency;
    private final PrintWriter complaints;

    /** @param complaints one line for each stranger */
    PerfServer(final Verb verb, final boolean latency, final PrintWriter complaints) {
        this.verb = verb;
        this.latency = latency;
        this.complaints = complaints;
    }

    /**
     * Listens; so that the caller may tell.
     *
     * @param address port 0 takes a free one
     */
    static ServerSocketChannel listen(final InetSocketAddress address) throws IOException {
        final ServerSocketChannel server = ServerSocketChannel.open();
        try {
            return server.bind(address);
        } catch (final IOException e) {
            server.close();
            throw new UsageException("cannot listen on port " + address.getPort() + " (" + e.getMessage()
                    + "): another server may run already; -p takes another port", e);
        }
    }

    /** A client whose test is accepted. */
    record Accepted(PeerLine line, Hello hello, SocketAddress from) {}

    /** Waits for a client, as long as it takes. */
    Accepted accept(final ServerSocketChannel server) throws IOException {
        while (true) {
            final SocketChannel channel = server.accept();
            final SocketAddress from = channel.getRemoteAddress();
            final PeerLine line = new PeerLine(channel);
            try {
                return new Accepted(line, hello(line), from);
            } catch (final ProtocolException | PeerLostException e) {
                line.giveUp("the server refuses: " + e.getMessage());
                line.close();
                complaints.println("chagres: refused " + from + ": " + e.getMessage());
                complaints.flush();
            }
        }
    }

    private Hello hello(final PeerLine line) throws IOException {
        final Hello hello = Hello.parse(line.receive(PATIENCE));
        final PerfSettings wanted = hello.settings();
        if (wanted.verb() != verb || wanted.latency() != latency) {
            throw new ProtocolException("it wants to measure " + wanted.name() + ", the server was started for "
                    + verb.label() + (latency ? "_lat" : "_bw"));
        }
        return hello;
    }

    /** Does its part of the test, to its end. */
    static void serve(final Accepted client, final Context context, final LocalPort port, final PerfTuning tuning,
            final Arena arena) throws IOException {
        try {
            final PerfEnd end = new PerfEnd(context, port, client.hello().settings(), tuning, arena);
            end.connect(client.hello().client());
            client.line().send(end.own().message());
            final PerfSession session = new PerfSession(client.line());
            session.serve(Part.ofServer(end, session.idle()), end.settings());
        } catch (final IOException | RuntimeException e) {
            client.line().giveUp("the server failed: " + e.getMessage());
            throw e;
        }
    }
}
