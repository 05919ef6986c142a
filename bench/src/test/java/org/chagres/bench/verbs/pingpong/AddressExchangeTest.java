package org.chagres.bench.verbs.pingpong;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.chagres.bench.UsageException;
import org.chagres.verbs.Gid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class AddressExchangeTest {
    private static final PingpongAddress CLIENT = new PingpongAddress(0, 0x11, 1, Gid.parse("::ffff:192.0.2.1"));
    private static final PingpongAddress SERVER = new PingpongAddress(0, 0x12, 2, Gid.parse("::ffff:192.0.2.2"));
    private static final String HERE = "127.0.0.1";
    private static final int PATIENCE_MS = 300;

    private final StringWriter complaints = new StringWriter();
    private final List<PingpongAddress> madeReadyFor = Collections.synchronizedList(new ArrayList<>());

    private FutureTask<PingpongAddress> serve(final ServerSocket server) {
        final FutureTask<PingpongAddress> task = new FutureTask<>(() -> new AddressExchange(0, PATIENCE_MS)
                .serve(server, SERVER, madeReadyFor::add, new PrintWriter(complaints)));
        Thread.ofVirtual().start(task);
        return task;
    }

    @Test
    void bothEndsGetTheOther() throws Exception {
        try (ServerSocket server = new AddressExchange(0, PATIENCE_MS).listen()) {
            final FutureTask<PingpongAddress> served = serve(server);
            final PingpongAddress remote = new AddressExchange(server.getLocalPort(), PATIENCE_MS).connect(HERE,
                    CLIENT);
            assertEquals(SERVER, remote);
            // The server must be ready before it answers: the client sends at once.
            assertEquals(List.of(CLIENT), madeReadyFor);
            assertEquals(CLIENT, served.get());
            assertEquals("", complaints.toString());
        }
    }

    /** The C program writes {@code done} with its zero byte, and closes. */
    @Test
    void theClientEndsAsTheCProgramDoes() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            final FutureTask<PingpongAddress> client = new FutureTask<>(
                    () -> new AddressExchange(server.getLocalPort(), PATIENCE_MS).connect(HERE, CLIENT));
            Thread.ofVirtual().start(client);
            try (Socket socket = server.accept()) {
                assertArrayEquals(CLIENT.message(), socket.getInputStream().readNBytes(PingpongAddress.BYTES));
                socket.getOutputStream().write(SERVER.message());
                assertEquals("done\0",
                        new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1));
            }
            assertEquals(SERVER, client.get());
        }
    }

    @Test
    void strangersAreToldOfAndTheNextOneIsServed() throws Exception {
        try (ServerSocket server = new AddressExchange(0, PATIENCE_MS).listen()) {
            final FutureTask<PingpongAddress> served = serve(server);
            say(server, "");
            say(server, "0000:0000");
            say(server, "GET / HTTP/1.1\r\nHost: localhost:18515\r\nUser-Agent: x\r\nAccept: */*\r\n\r\n");
            try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), server.getLocalPort())) {
                final AddressExchange exchange = new AddressExchange(server.getLocalPort(), 10_000);
                assertEquals(SERVER, exchange.connect(HERE, CLIENT));
            }
            assertEquals(CLIENT, served.get());
        }
        final List<String> lines = complaints.toString().lines().toList();
        assertEquals(4, lines.size(), lines.toString());
        assertTrue(lines.get(0).contains("without sending an address"), lines.get(0));
        assertTrue(lines.get(1).contains("'0000:0000'"), lines.get(1));
        assertTrue(lines.get(2).contains("'GET / HTTP/1.1"), lines.get(2));
        assertTrue(lines.get(3).contains("0 of the 52 bytes"), lines.get(3));
    }

    private static void say(final ServerSocket server, final String text) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.getLocalPort())) {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        }
    }

    @Test
    void theClientRefusesWhatIsNoServer() throws Exception {
        assertEquals("it closed the connection without sending an address", refusal(""));
        assertTrue(
                refusal("SSH-2.0-OpenSSH_9.2p1 Debian-2+deb12u3 and some more text\r\n").contains("'SSH-2.0-OpenSSH"));
    }

    private static String refusal(final String answer) throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> {
                try (Socket socket = server.accept()) {
                    socket.getInputStream().readNBytes(PingpongAddress.BYTES);
                    socket.getOutputStream().write(answer.getBytes(StandardCharsets.ISO_8859_1));
                } catch (final IOException _) {
                    // The client does not like the answer.
                }
            });
            final int port = server.getLocalPort();
            final UsageException refused = assertThrows(UsageException.class,
                    () -> new AddressExchange(port, PATIENCE_MS).connect(HERE, CLIENT));
            final String where = HERE + " port " + port + ": ";
            assertTrue(refused.getMessage().startsWith(where), refused.getMessage());
            return refused.getMessage().substring(where.length());
        }
    }

    @Test
    void nothingListening() throws IOException {
        final int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        final UsageException refused = assertThrows(UsageException.class,
                () -> new AddressExchange(port, PATIENCE_MS).connect(HERE, CLIENT));
        assertTrue(refused.getMessage().contains("no server at " + HERE + " port " + port), refused.getMessage());
    }

    @Test
    void aTakenPortIsTold() throws IOException {
        try (ServerSocket taken = new ServerSocket(0)) {
            final UsageException refused = assertThrows(UsageException.class,
                    () -> new AddressExchange(taken.getLocalPort(), PATIENCE_MS).listen());
            assertTrue(refused.getMessage().contains("port " + taken.getLocalPort()), refused.getMessage());
            assertTrue(refused.getMessage().contains("-p"), refused.getMessage());
        }
    }

    @Test
    void thereIsNoSuchHost() {
        assertThrows(UsageException.class, () -> new AddressExchange(1, PATIENCE_MS).connect("no.such.host.invalid",
                CLIENT));
    }
}
