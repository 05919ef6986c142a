package org.chagres.bench.verbs.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;
import org.chagres.bench.UsageException;
import org.chagres.bench.verbs.PeerLostException;
import org.chagres.verbs.Endpoint;
import org.chagres.verbs.Gid;
import org.chagres.verbs.Mtu;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(30)
class ExchangeTest {
    private static final Duration SOON = Duration.ofSeconds(5);
    private static final PerfSettings SETTINGS = new PerfSettings(Verb.WRITE, true, false, List.of(2, 64), 100, 1, 128,
            0, 1);
    private static final Peer PEER = new Peer(
            List.of(new Endpoint(0x11, 0xabcdef, 0, Gid.parse("::ffff:192.0.2.1"), Mtu.MTU_4096)), "ROCE_V2",
            0xffff_8000_0000_1000L, 0x9000_0001);

    private ServerSocketChannel server;
    private int port;

    @BeforeEach
    void listen() throws IOException {
        server = PerfServer.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        port = ((InetSocketAddress) server.getLocalAddress()).getPort();
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    @Test
    void aHelloIsReadBackAsItWas() throws ProtocolException {
        final Hello hello = new Hello(SETTINGS, PEER);
        final Hello back = Hello.parse(Fields.parse(new Fields(hello.message()).text()));
        assertEquals(hello, back);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {"protocol; perf; no client of perf-verbs", "version; 2; version 2",
            "version; x; version is no number", "verb; multicast; multicast", "latency; 1; latency",
            "iterations; -1; -1", "iterations; 3000000000; 3000000000", "qps; 2; 2", "tx_depth; 0; -t 0",
            "address; xyz; xyz", "key; 123456789012345678; 123456789012345678", "gid_type; 3; gid_type" })
    void aHelloWithAWrongFieldIsRefused(final String field, final String value, final String named) {
        final Map<String, Object> message = new HashMap<>(new Hello(SETTINGS, PEER).message());
        message.put(field, value.matches("-?\\d{1,10}") ? (Object) Long.valueOf(value) : value);
        final ProtocolException refused = assertThrows(ProtocolException.class,
                () -> Hello.parse(Fields.parse(new Fields(message).text())));
        assertTrue(refused.getMessage().contains(named), refused.getMessage());
    }

    @Test
    void aHelloWithoutAFieldIsRefused() {
        for (final String field : new Hello(SETTINGS, PEER).message().keySet()) {
            final Map<String, Object> message = new HashMap<>(new Hello(SETTINGS, PEER).message());
            message.remove(field);
            assertThrows(ProtocolException.class, () -> Hello.parse(new Fields(message)), field);
        }
    }

    @Test
    void aWrongEndpointIsRefused() {
        for (final String end : List.of("7", "{\"qpn\":16777216,\"psn\":0,\"lid\":0,\"gid\":\"::1\",\"mtu\":4096}",
                "{\"qpn\":1,\"psn\":0,\"lid\":0,\"gid\":\"localhost\",\"mtu\":4096}",
                "{\"qpn\":1,\"psn\":0,\"lid\":0,\"gid\":\"::1\",\"mtu\":1500}",
                "{\"qpn\":1,\"psn\":0,\"lid\":0,\"gid\":\"::1\"}")) {
            assertThrows(ProtocolException.class, () -> Peer.parse(Fields
                    .parse("{\"ends\":[" + end + "],\"gid_type\":\"ROCE_V2\",\"address\":\"0\",\"key\":\"0\"}"), 1),
                    end);
        }
    }

    private FutureTask<PerfServer.Accepted> accept(final StringWriter complaints) {
        final FutureTask<PerfServer.Accepted> accepted = new FutureTask<>(
                () -> new PerfServer(Verb.WRITE, true, new PrintWriter(complaints)).accept(server));
        Thread.ofVirtual().start(accepted);
        return accepted;
    }

    private PeerLine connect() throws IOException {
        return new PeerLine(SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)));
    }

    private void say(final String text) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        }
    }

    @Test
    void strangersAreToldOfAndTheNextOneIsServed() throws Exception {
        final StringWriter complaints = new StringWriter();
        final FutureTask<PerfServer.Accepted> accepted = accept(complaints);
        say("");
        say("0000:000017:347e02:00000000000000000000ffffc0000201\0");
        say("{\"protocol\":");
        say("{\"protocol\":}\n");
        say("[]\n");
        try (PeerLine wrong = connect()) {
            final Map<String, Object> other = new HashMap<>(new Hello(SETTINGS, PEER).message());
            other.put("version", 7);
            wrong.send(other);
            final PeerLostException refused = assertThrows(PeerLostException.class, () -> wrong.receive(SOON));
            assertTrue(refused.getMessage().contains("version 7"), refused.getMessage());
        }
        final PerfSettings read = new PerfSettings(Verb.READ, true, false, List.of(2), 100, 1, 128, 0, 1);
        try (PeerLine wrong = connect()) {
            wrong.send(new Hello(read, PEER).message());
            final PeerLostException refused = assertThrows(PeerLostException.class, () -> wrong.receive(SOON));
            assertTrue(refused.getMessage().contains("read_lat"), refused.getMessage());
        }
        try (PeerLine line = connect()) {
            line.send(new Hello(SETTINGS, PEER).message());
            final PerfServer.Accepted client = accepted.get();
            assertEquals(new Hello(SETTINGS, PEER), client.hello());
            client.line().close();
        }
        final List<String> lines = complaints.toString().lines().toList();
        assertEquals(7, lines.size(), lines.toString());
        assertTrue(lines.get(1).contains("'0000:000017:347e02:"), lines.get(1));
        assertTrue(lines.get(2).contains("in the middle of a message, after 12 bytes"), lines.get(2));
        assertTrue(lines.get(3).contains("broken JSON"), lines.get(3));
    }

    @Test
    void aPeerThatGivesUpOrEndsIsNoticedWithoutWaiting() throws Exception {
        final PeerLine client = connect();
        try (PeerLine line = new PeerLine(server.accept())) {
            assertFalse(line.gone());
            client.send(Map.of("run", 2));
            assertFalse(line.gone());
            client.giveUp("it is broken");
            while (!line.gone()) {
                Thread.onSpinWait();
            }
            assertEquals(2, line.receive("run", SOON).integer("run", 0, 9));
            final PeerLostException lost = assertThrows(PeerLostException.class, () -> line.receive(SOON));
            assertTrue(lost.getMessage().contains("it is broken"), lost.getMessage());
            client.close();
            while (!line.gone()) {
                Thread.onSpinWait();
            }
            assertThrows(PeerLostException.class, () -> line.receive(SOON));
        }
    }

    @Test
    void silenceEnds() throws Exception {
        try (PeerLine _ = connect(); PeerLine line = new PeerLine(server.accept())) {
            assertThrows(PeerLostException.class, () -> line.receive(Duration.ofMillis(100)));
        }
    }

    @Test
    void longMessagesArriveWhole() throws Exception {
        try (PeerLine client = connect(); PeerLine line = new PeerLine(server.accept())) {
            final List<Integer> numbers = IntStream.range(0, 200_000).boxed().toList();
            final FutureTask<Boolean> sending = new FutureTask<>(() -> {
                client.send(Map.of("numbers", numbers));
                return true;
            });
            Thread.ofVirtual().start(sending);
            assertEquals(numbers, line.receive("numbers", SOON).integers("numbers"));
            assertTrue(sending.get());
        }
    }

    @Test
    void nothingListening() throws IOException {
        server.close();
        final UsageException refused = assertThrows(UsageException.class,
                () -> new PerfClient("127.0.0.1", port).close());
        assertTrue(refused.getMessage().contains("no server at 127.0.0.1 port " + port), refused.getMessage());
    }

    @Test
    void aTakenPortIsTold() {
        final UsageException refused = assertThrows(UsageException.class,
                () -> PerfServer.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)));
        assertTrue(refused.getMessage().contains("port " + port), refused.getMessage());
    }
}
