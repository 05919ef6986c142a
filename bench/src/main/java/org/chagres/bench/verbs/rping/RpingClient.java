package org.chagres.bench.verbs.rping;

import java.io.PrintWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.chagres.bench.verbs.PeerLostException;
import org.chagres.verbs.Access;
import org.chagres.verbs.CmEventChannel;
import org.chagres.verbs.CmEventType;
import org.chagres.verbs.CmId;
import org.chagres.verbs.CmParameters;
import org.chagres.verbs.MemoryRegion;
import org.chagres.verbs.PortSpace;

/** {@code rping -c}; see {@link RpingServer}. Always compares what comes back with what it sent, as {@code rping -V}. */
final class RpingClient {
    private static final int FIRST = 'A';
    private static final int LETTERS = 'z' - 'A' + 1;

    private final CmEventChannel channel;
    private final int size;
    private final Arena arena;
    private final Optional<PrintWriter> verbose;

    RpingClient(final CmEventChannel channel, final int size, final Arena arena, final Optional<PrintWriter> verbose) {
        this.channel = channel;
        this.size = size;
        this.arena = arena;
        this.verbose = verbose;
    }

    /**
     * Connects, goes through the rounds, and disconnects.
     *
     * @return rounds in which other data came back than were sent
     */
    int run(final InetSocketAddress server, final int rounds) throws InterruptedException {
        final CmId id = channel.createId(PortSpace.TCP);
        id.resolveAddress(server, RpingConnection.PATIENCE);
        channel.expect(CmEventType.ADDR_RESOLVED, RpingConnection.PATIENCE);
        id.resolveRoute(RpingConnection.PATIENCE);
        channel.expect(CmEventType.ROUTE_RESOLVED, RpingConnection.PATIENCE);
        final RpingConnection connection = new RpingConnection(channel, id, size, arena);
        final MemorySegment source = arena.allocate(size);
        final MemoryRegion sourceRegion = connection.domain().register(source, Access.ALL);
        id.connect(CmParameters.defaults());
        channel.expect(CmEventType.ESTABLISHED, RpingConnection.PATIENCE);
        int wrong = 0;
        for (int round = 0; round < rounds; round++) {
            fill(source, round);
            ask(connection, RpingBuffer.of(sourceRegion), round);
            ask(connection, RpingBuffer.of(connection.dataRegion()), round);
            wrong += source.mismatch(connection.data()) == -1 ? 0 : 1;
            verbose.ifPresent(out -> out.println("ping data: " + connection.data().getString(0)));
        }
        connection.disconnect();
        return wrong;
    }

    private static void ask(final RpingConnection connection, final RpingBuffer buffer, final int round)
            throws InterruptedException {
        connection.send(buffer);
        if (!connection.awaitGoAhead()) {
            throw new PeerLostException("the server disconnected after " + round + " rounds");
        }
    }

    /** A text with the number of the round, then letters, as far as the closing zero. */
    private static void fill(final MemorySegment source, final int round) {
        final byte[] text = ("rdma-ping-" + round + ": ").getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < source.byteSize() - 1; i++) {
            source.set(ValueLayout.JAVA_BYTE, i,
                    i < text.length ? text[i] : (byte) (FIRST + (round + i - text.length) % LETTERS));
        }
        source.set(ValueLayout.JAVA_BYTE, source.byteSize() - 1, (byte) 0);
    }
}
