package org.chagres.verbs.rdmacore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.chagres.bindings.Errno;
import org.chagres.verbs.Access;
import org.chagres.verbs.CmEvent;
import org.chagres.verbs.CmEventChannel;
import org.chagres.verbs.CmEventType;
import org.chagres.verbs.CmId;
import org.chagres.verbs.CmParameters;
import org.chagres.verbs.CompletionQueue;
import org.chagres.verbs.Destination;
import org.chagres.verbs.GidEntry;
import org.chagres.verbs.MemoryRegion;
import org.chagres.verbs.PortSpace;
import org.chagres.verbs.ProtectionDomain;
import org.chagres.verbs.QueuePair;
import org.chagres.verbs.QueuePairOptions;
import org.chagres.verbs.QueuePairState;
import org.chagres.verbs.ReceiveRequest;
import org.chagres.verbs.SendRequest;
import org.chagres.verbs.VerbsException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections by address, both ends in this process. */
@Tag("rdma")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ConnectionManagerTest {
    private static final Duration SOON = Duration.ofSeconds(10);

    private final Arena arena = Arena.ofShared();
    private CmEventChannel server;
    private CmEventChannel client;
    private CmId listener;
    private InetAddress address;

    @BeforeAll
    static void device() {
        Rig.assumeDevice();
        org.junit.jupiter.api.Assumptions.assumeTrue(new RdmaCoreProvider().connectionManagerUnavailable().isEmpty(),
                () -> "needs rdma_cm: " + new RdmaCoreProvider().connectionManagerUnavailable());
    }

    @BeforeEach
    void open() {
        try (Rig rig = new Rig()) {
            address = GidEntry.preferred(rig.context.gids(1)).orElseThrow().gid().address();
        }
        server = new RdmaCoreProvider().createEventChannel();
        client = new RdmaCoreProvider().createEventChannel();
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
        arena.close();
    }

    private CmId listen(final PortSpace space) {
        listener = server.createId(space);
        listener.bind(new InetSocketAddress(address, 0));
        listener.listen(4);
        return listener;
    }

    private CmId resolved(final PortSpace space) throws InterruptedException {
        final CmId id = client.createId(space);
        id.resolveAddress(new InetSocketAddress(address, listener.localAddress().getPort()), SOON);
        assertEquals(id, client.expect(CmEventType.ADDR_RESOLVED, SOON).id());
        id.resolveRoute(SOON);
        client.expect(CmEventType.ROUTE_RESOLVED, SOON);
        return id;
    }

    /** One end with its queue pair. */
    private final class End {
        final CmId id;
        final CompletionQueue queue;
        final QueuePair queuePair;
        final MemoryRegion region;
        final MemorySegment memory = arena.allocate(4096, 4096);

        End(final CmId id) {
            this.id = id;
            final ProtectionDomain domain = id.context().allocateProtectionDomain();
            this.queue = id.context().createCompletionQueue(16);
            this.queuePair = id.createQueuePair(domain,
                    id.portSpace() == PortSpace.UDP ? QueuePairOptions.ud(queue) : QueuePairOptions.rc(queue));
            this.region = domain.register(memory, Access.ALL);
        }
    }

    private static byte[] bytes(final String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(final MemorySegment data) {
        return data.asSlice(0, Math.min(data.byteSize(), 5))
                .toArray(java.lang.foreign.ValueLayout.JAVA_BYTE).length == 0
                        ? ""
                        : new String(data.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8)
                                .replace("\0", "");
    }

    @Test
    void connectsExchangesPrivateDataAndMovesBytes() throws InterruptedException {
        assertTrue(listen(PortSpace.TCP).localAddress().getPort() > 0);
        final End caller = new End(resolved(PortSpace.TCP));
        assertEquals(QueuePairState.INIT, caller.queuePair.state());
        assertTrue(caller.id.devicePort() >= 1);
        assertEquals(listener.localAddress().getPort(), caller.id.remoteAddress().getPort());
        assertEquals(address, caller.id.localAddress().getAddress());
        caller.id.connect(CmParameters.defaults().privateData(bytes("hello")).readsInFlight(3));

        final CmEvent request = server.expect(CmEventType.CONNECT_REQUEST, SOON);
        assertEquals(listener, request.listener().orElseThrow());
        assertEquals("hello", text(request.privateData()));
        assertEquals(caller.queuePair.number(), request.parameters().queuePairNumber());
        assertEquals(3, request.parameters().initiatorDepth());
        final End callee = new End(request.id());
        callee.queuePair.postReceive(ReceiveRequest.of(1, callee.region.slice(0, 100)));
        callee.id.accept(CmParameters.defaults().privateData(bytes("welcome")).readsInFlight(3));

        assertEquals("welcome", text(client.expect(CmEventType.ESTABLISHED, SOON).privateData()));
        assertEquals(callee.id, server.expect(CmEventType.ESTABLISHED, SOON).id());
        assertEquals(QueuePairState.RTS, caller.queuePair.state());
        caller.memory.setString(0, "over rdma_cm");
        caller.queuePair.post(SendRequest.send(2, caller.region.slice(0, 13)));
        assertEquals(13, callee.queue.await(SOON).orElseThrow().orThrow().byteLength());
        assertEquals("over rdma_cm", callee.memory.getString(0));
        assertEquals(2, caller.queue.await(SOON).orElseThrow().orThrow().id());

        caller.id.disconnect();
        assertEquals(callee.id, server.expect(CmEventType.DISCONNECTED, SOON).id());
        callee.id.disconnect();
        client.expect(CmEventType.DISCONNECTED, SOON);
        assertEquals(QueuePairState.ERR, caller.queuePair.query().state());
    }

    @Test
    void rejects() throws InterruptedException {
        listen(PortSpace.TCP);
        final End caller = new End(resolved(PortSpace.TCP));
        caller.id.connect(CmParameters.defaults());
        final CmEvent request = server.expect(CmEventType.CONNECT_REQUEST, SOON);
        request.id().reject(bytes("full"));
        request.id().close();
        final CmEvent rejected = client.awaitEvent(SOON).orElseThrow();
        assertEquals(CmEventType.REJECTED, rejected.type());
        assertEquals(28, rejected.status());
        assertEquals("full", text(rejected.privateData()));
    }

    @Test
    void nobodyListens() throws InterruptedException {
        listen(PortSpace.TCP);
        final End caller = new End(resolved(PortSpace.TCP));
        listener.close();
        caller.id.connect(CmParameters.defaults());
        final String message = assertThrows(VerbsException.class, () -> client.expect(CmEventType.ESTABLISHED, SOON))
                .getMessage();
        assertTrue(message.contains("REJECTED") && message.contains("nobody listens"), message);
    }

    @Test
    void datagramsAreResolvedToAQueuePair() throws InterruptedException {
        listen(PortSpace.UDP);
        final End caller = new End(resolved(PortSpace.UDP));
        caller.id.connect(CmParameters.defaults().privateData(bytes("ud")));
        final CmEvent request = server.expect(CmEventType.CONNECT_REQUEST, SOON);
        assertEquals("ud", text(request.privateData()));
        final End callee = new End(request.id());
        callee.queuePair.postReceive(ReceiveRequest.of(1, callee.region.slice(0, 200)));
        callee.id.accept(CmParameters.defaults());
        final CmEvent.Datagrams to = client.expect(CmEventType.ESTABLISHED, SOON).datagrams().orElseThrow();
        assertEquals(callee.queuePair.number(), to.queuePairNumber());
        final var handle = caller.queuePair.protectionDomain().createAddressHandle(to.address());
        caller.queuePair.post(SendRequest.send(2, caller.region.slice(0, 50),
                new Destination(handle, to.queuePairNumber(), to.qkey())));
        assertEquals(90, callee.queue.await(SOON).orElseThrow().orThrow().byteLength());
    }

    @Test
    void unreachableAddressesAreNamed() throws InterruptedException {
        final CmId id = client.createId(PortSpace.TCP);
        assertThrows(IllegalStateException.class, id::context);
        assertThrows(IllegalStateException.class, id::remoteAddress);
        assertThrows(IllegalArgumentException.class,
                () -> id.resolveAddress(InetSocketAddress.createUnresolved("nowhere.invalid", 1), SOON));
        final var failed = assertThrows(VerbsException.class, () -> id.bind(new InetSocketAddress("203.0.113.77", 0)));
        assertEquals(Errno.EADDRNOTAVAIL, failed.errno());
        assertTrue(failed.getMessage().contains("No RDMA device has this address"), failed.getMessage());
        assertTrue(client.awaitEvent(Duration.ofMillis(20)).isEmpty());
        assertTrue(assertThrows(VerbsException.class,
                () -> client.expect(CmEventType.ADDR_RESOLVED, Duration.ofMillis(20))).getMessage()
                .contains("no event came"));
    }

    @Test
    void stepsOutOfTurnAreRefused() throws InterruptedException {
        listen(PortSpace.TCP);
        final CmId id = resolved(PortSpace.TCP);
        assertThrows(IllegalStateException.class, () -> id.connect(CmParameters.defaults()));
        final End end = new End(id);
        assertThrows(IllegalStateException.class, () -> new End(id));
        assertThrows(IllegalArgumentException.class,
                () -> id.connect(CmParameters.defaults().privateData(new byte[57])));
        final var twice = assertThrows(VerbsException.class, () -> listener.bind(new InetSocketAddress(address, 0)));
        assertTrue(twice.getMessage().contains("turn"), twice.getMessage());
        final CmId second = server.createId(PortSpace.TCP);
        final var taken = assertThrows(VerbsException.class, () -> second.bind(listener.localAddress()));
        assertEquals(Errno.EADDRINUSE, taken.errno());
        end.queuePair.close();
        assertFalse(id.isClosed());
        new End(id);
        id.typeOfService(32);
        assertThrows(IllegalArgumentException.class, () -> id.typeOfService(256));
    }

    /** A request that nobody took, an identifier in mid-connection, queue pairs: all go with the channel. */
    @Test
    void closingTheChannelClosesAll() throws InterruptedException {
        listen(PortSpace.TCP);
        final End caller = new End(resolved(PortSpace.TCP));
        caller.id.connect(CmParameters.defaults());
        final CmEvent request = server.expect(CmEventType.CONNECT_REQUEST, SOON);
        final End callee = new End(request.id());
        server.close();
        assertTrue(request.id().isClosed() && listener.isClosed() && callee.queuePair.isClosed()
                && callee.region.isClosed());
        client.close();
        assertTrue(caller.queuePair.isClosed() && caller.id.isClosed());
        assertThrows(IllegalStateException.class, caller.id::disconnect);
        assertThrows(IllegalStateException.class, () -> client.createId(PortSpace.TCP));
        assertThrows(IllegalStateException.class, client::pollEvent);
    }
}
