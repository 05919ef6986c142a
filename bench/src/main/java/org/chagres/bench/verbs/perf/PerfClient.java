package org.chagres.bench.verbs.perf;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.chagres.bench.UsageException;
import org.chagres.bench.verbs.PeerLostException;

/** Runs a test against a server, and measures. */
final class PerfClient implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final ThreadMXBean THREADS = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
    /** Warming up goes by short runs, because the JIT replaces a method when it is called again. */
    private static final int WARM_UP_RUN = 100;
    private static final long WARM_UP_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final String server;
    private final PeerLine line;

    /** Connects. */
    PerfClient(final String host, final int port) throws IOException {
        server = host + " port " + port;
        line = new PeerLine(open(host, port));
    }

    private static SocketChannel open(final String host, final int port) throws IOException {
        final InetAddress[] addresses;
        try {
            addresses = InetAddress.getAllByName(host);
        } catch (final IOException e) {
            throw new UsageException("there is no host called '" + host + "'", e);
        }
        IOException last = null;
        for (final InetAddress address : addresses) {
            final SocketChannel channel = SocketChannel.open();
            try {
                channel.socket().connect(new InetSocketAddress(address, port), (int) PATIENCE.toMillis());
                return channel;
            } catch (final IOException e) {
                channel.close();
                last = e;
            }
        }
        throw new UsageException("no server at " + host + " port " + port + " (" + last.getMessage()
                + "): start it there first, without a host", last);
    }

    /** A size's result, and what the measured loop allocated on the Java heap. */
    record Row(PerfResult result, long allocatedBytes) {}

    /**
     * Connects the queue pairs to the server's.
     *
     * @throws UsageException if the server refuses, or is none
     */
    void connect(final PerfEnd end) throws IOException {
        try {
            line.send(new Hello(end.settings(), end.own()).message());
            end.connect(Peer.parse(line.receive("ends", PATIENCE), end.settings().queuePairs()));
        } catch (final ProtocolException | PeerLostException e) {
            throw new UsageException(server + ": " + e.getMessage(), e);
        }
    }

    /**
     * All sizes.
     *
     * @param warmUp operations that go before, at most
     */
    void run(final PerfEnd end, final int warmUp, final Consumer<Row> rows) throws IOException {
        final PerfSettings settings = end.settings();
        try {
            final PerfSession session = new PerfSession(line);
            final Part.Measured part = Part.ofClient(end, session.idle());
            warmUp(session, part, settings.sizes().getFirst(), warmUp);
            for (final int size : settings.sizes()) {
                final Metered metered = new Metered(part);
                session.run(metered, size, settings.iterations());
                rows.accept(new Row(part.result(), metered.allocated));
            }
            session.bye();
        } catch (final IOException | RuntimeException e) {
            line.giveUp("the client failed: " + e.getMessage());
            throw e;
        }
    }

    private static void warmUp(final PerfSession session, final Part part, final int size, final int operations)
            throws IOException {
        final long start = System.nanoTime();
        for (int done = 0; done < operations && System.nanoTime() - start < WARM_UP_NANOS; done += WARM_UP_RUN) {
            session.run(part, size, Math.min(WARM_UP_RUN, operations - done));
        }
    }

    /** Counts what a part allocates while it runs. */
    private static final class Metered implements Part {
        private final Part part;
        private long allocated;

        Metered(final Part part) {
            this.part = part;
        }

        @Override
        public void prepare(final int size, final int iterations) {
            part.prepare(size, iterations);
        }

        @Override
        public void run() {
            final long before = THREADS.getCurrentThreadAllocatedBytes();
            part.run();
            allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
        }
    }

    @Override
    public void close() throws IOException {
        line.close();
    }
}
