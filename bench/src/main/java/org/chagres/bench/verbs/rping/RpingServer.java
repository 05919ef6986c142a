package org.chagres.bench.verbs.rping;

import java.io.PrintWriter;
import java.lang.foreign.Arena;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import org.chagres.verbs.CmEvent;
import org.chagres.verbs.CmEventChannel;
import org.chagres.verbs.CmEventType;
import org.chagres.verbs.CmId;
import org.chagres.verbs.CmParameters;
import org.chagres.verbs.PortSpace;

/**
 * {@code rping -s}: serves one client. In each round the client names its source, the server reads it, says go ahead; the client names its sink, the
 * server writes what it read, and says go ahead.
 */
final class RpingServer {
    private static final Duration LOOK = Duration.ofMillis(500);

    private final CmEventChannel channel;
    private final int size;
    private final Arena arena;
    private final Optional<PrintWriter> verbose;

    RpingServer(final CmEventChannel channel, final int size, final Arena arena, final Optional<PrintWriter> verbose) {
        this.channel = channel;
        this.size = size;
        this.arena = arena;
        this.verbose = verbose;
    }

    /**
     * Waits for a client, as long as it takes, and serves it until it disconnects.
     *
     * @return rounds
     */
    int serve(final InetSocketAddress address, final Runnable listening) throws InterruptedException {
        final CmId listener = channel.createId(PortSpace.TCP);
        listener.bind(address);
        listener.listen(1);
        listening.run();
        final CmId client = request();
        final RpingConnection connection = new RpingConnection(channel, client, size, arena);
        client.accept(CmParameters.defaults());
        channel.expect(CmEventType.ESTABLISHED, RpingConnection.PATIENCE);
        final int rounds = rounds(connection);
        client.disconnect();
        return rounds;
    }

    private CmId request() throws InterruptedException {
        Optional<CmEvent> event = channel.awaitEvent(LOOK);
        while (event.isEmpty() || event.get().type() != CmEventType.CONNECT_REQUEST) {
            event = channel.awaitEvent(LOOK);
        }
        return event.get().id();
    }

    private int rounds(final RpingConnection connection) throws InterruptedException {
        int rounds = 0;
        Optional<RpingBuffer> source = connection.receive();
        while (source.isPresent()) {
            connection.read(source.get());
            say(connection);
            connection.send(RpingBuffer.of(connection.dataRegion()));
            final Optional<RpingBuffer> sink = connection.receive();
            if (sink.isEmpty()) {
                break;
            }
            connection.write(sink.get(), source.get().size());
            connection.send(RpingBuffer.of(connection.dataRegion()));
            rounds++;
            source = connection.receive();
        }
        return rounds;
    }

    private void say(final RpingConnection connection) {
        verbose.ifPresent(out -> out.println("server ping data: " + connection.data().getString(0)));
    }
}
