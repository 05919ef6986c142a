package org.chagres.bootstrap;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranks in threads, over real sockets. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RendezvousTest {
    private static final String SHORT = "2";
    private static final String LONG = "20";
    private static final long SOON_NS = 5_000_000_000L;

    private final List<Membership> joined = java.util.Collections.synchronizedList(new ArrayList<>());
    private final int port = freePort();

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (final IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @AfterEach
    void leave() {
        joined.reversed().forEach(Membership::close);
    }

    private Map<String, String> environment(final int rank, final int size, final String timeout) {
        return Map.of("RANK", "" + rank, "WORLD_SIZE", "" + size, "MASTER_ADDR", "127.0.0.1", "MASTER_PORT", "" + port,
                "CHAGRES_JOIN_TIMEOUT", timeout);
    }

    private CompletableFuture<Membership> join(final int rank, final int size, final String timeout) {
        return inThread(() -> {
            final Membership membership = Rendezvous.join(environment(rank, size, timeout));
            joined.add(membership);
            return membership;
        });
    }

    private static <T> CompletableFuture<T> inThread(final java.util.function.Supplier<T> task) {
        return CompletableFuture.supplyAsync(task, run -> Thread.ofPlatform().daemon().start(run));
    }

    private List<Membership> world(final int size) {
        final List<CompletableFuture<Membership>> futures = new ArrayList<>();
        for (int rank = size - 1; rank >= 0; rank--) {
            futures.addFirst(join(rank, size, LONG));
        }
        return futures.stream().map(CompletableFuture::join).toList();
    }

    private static String refusal(final CompletableFuture<Membership> join) {
        final Throwable why = assertThrows(CompletionException.class, join::join).getCause();
        return assertInstanceOf(JoinException.class, why).getMessage();
    }

    private static byte[] contribution(final int rank, final int round) {
        final byte[] bytes = new byte[(rank * 7919 + round * 104_729) % 5000 * (round % 3)];
        new Random(rank * 31L + round).nextBytes(bytes);
        return bytes;
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 6, 7, 8, 9 })
    void ranksExchangeInOrder(final int size) {
        final List<Membership> ranks = world(size);
        final List<CompletableFuture<Void>> done = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            final Membership me = ranks.get(rank);
            assertEquals(rank, me.rank());
            assertEquals(size, me.size());
            assertEquals(size, me.localSize());
            done.add(inThread(() -> {
                for (int round = 0; round < 20; round++) {
                    final byte[][] all = me.allGather(contribution(me.rank(), round));
                    assertEquals(size, all.length);
                    for (int r = 0; r < size; r++) {
                        assertArrayEquals(contribution(r, round), all[r]);
                    }
                }
                return null;
            }));
        }
        done.forEach(CompletableFuture::join);
        ranks.forEach(rank -> assertNull(rank.failure()));
    }

    @Test
    void aWorldOfOneNeedsNoSocket() {
        final Membership alone = Rendezvous.join(Map.of("RANK", "0", "WORLD_SIZE", "1"));
        assertArrayEquals(new byte[][]{{1, 2 } }, alone.allGather(new byte[]{1, 2 }));
        assertEquals(1, alone.localSize());
        alone.close();
    }

    @Test
    void ranksOfOneHostAreCountedByTheLauncher() {
        final Map<String, String> zero = new HashMap<>(environment(0, 2, LONG));
        final Map<String, String> one = new HashMap<>(environment(1, 2, LONG));
        zero.put("LOCAL_WORLD_SIZE", "1");
        one.put("LOCAL_WORLD_SIZE", "1");
        final CompletableFuture<Membership> first = inThread(() -> Rendezvous.join(zero));
        joined.add(Rendezvous.join(one));
        joined.add(first.join());
        joined.forEach(rank -> assertEquals(1, rank.localSize()));
    }

    @ParameterizedTest
    @CsvSource({"abc, not a number", "0, out of range", "-1, out of range", "NaN, out of range",
            "1e300, out of range" })
    void anUnusableTimeoutIsRefused(final String value, final String why) {
        final Map<String, String> environment = new HashMap<>(environment(0, 2, value));
        final String message = assertThrows(IllegalArgumentException.class, () -> Rendezvous.join(environment))
                .getMessage();
        assertTrue(message.startsWith("CHAGRES_JOIN_TIMEOUT=" + value) && message.contains(why), message);
    }

    @Test
    void differentWorldSizesEndTheJoiningForAll() throws Exception {
        final var zero = join(0, 3, LONG);
        try (Socket one = stranger(hello(3, 1))) {
            final var two = join(2, 4, LONG);
            final String expected = "rank 2 has WORLD_SIZE=4, rank 0 has WORLD_SIZE=3";
            for (final String message : List.of(refusal(zero), refusal(two), refusal(one))) {
                assertTrue(message.contains(expected), message);
            }
        }
    }

    /** What the coordinator tells a rank that came by a plain socket. */
    private static String refusal(final Socket rank) throws IOException {
        final Frame answer = Frame.read(new DataInputStream(rank.getInputStream()));
        assertEquals(Frame.Kind.REFUSED, answer.kind());
        return Connection.text(answer);
    }

    @Test
    void twoProcessesOfOneRankEndTheJoiningForAll() {
        final var zero = join(0, 3, LONG);
        final var one = join(1, 3, LONG);
        final var again = join(1, 3, LONG);
        for (final var rank : List.of(zero, one, again)) {
            final String message = refusal(rank);
            assertTrue(message.contains("two processes claim rank 1 of 3"), message);
        }
    }

    @Test
    void rankZeroAndThoseThatCameNameTheMissing() {
        final var zero = join(0, 5, SHORT);
        final var two = join(2, 5, LONG);
        final var four = join(4, 5, LONG);
        for (final var rank : List.of(zero, two, four)) {
            final String message = refusal(rank);
            assertTrue(message.contains("have not joined: [1, 3]") && message.contains("CHAGRES_JOIN_TIMEOUT"),
                    message);
        }
    }

    @Test
    void aRankWithoutACoordinatorSaysWhereItLooked() {
        final String message = refusal(join(1, 2, "0.3"));
        assertTrue(message.contains("127.0.0.1:" + port) && message.contains("is rank 0 running"), message);
    }

    @Test
    void anAddressThatDoesNotResolveIsNamed() {
        final Map<String, String> environment = new HashMap<>(environment(1, 2, SHORT));
        environment.put("MASTER_ADDR", "no-such-host.invalid");
        final String message = assertThrows(JoinException.class, () -> Rendezvous.join(environment)).getMessage();
        assertTrue(message.contains("MASTER_ADDR=no-such-host.invalid"), message);
    }

    @Test
    void aPortInUseIsNamed() throws IOException {
        try (ServerSocket other = new ServerSocket()) {
            other.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            final String message = refusal(join(0, 2, LONG));
            assertTrue(message.contains("127.0.0.1:" + port) && message.contains("choose a free port"), message);
        }
    }

    /** A port where something else listens: it may say anything, say nothing, or hang up. */
    @Test
    void aRankThatMeetsAStrangerDoesNotHang() throws IOException {
        for (final byte[] answer : new byte[][]{{},
                "HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII),
                {2, 127, -1, -1, -1 }, {7, 0, 0, 0, 0 } }) {
            try (ServerSocket stranger = new ServerSocket()) {
                stranger.setReuseAddress(true);
                stranger.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                final var rank = join(1, 2, "0.5");
                try (Socket socket = stranger.accept()) {
                    final OutputStream out = socket.getOutputStream();
                    out.write(answer);
                    final String message = refusal(rank);
                    assertTrue(message.contains("127.0.0.1:" + port) || message.contains("coordinator"), message);
                }
            }
        }
    }

    @Test
    void strangersOnThePortDoNotDisturbTheJob() throws Exception {
        final var zero = join(0, 3, LONG);
        final List<Socket> strangers = new ArrayList<>();
        try {
            strangers.add(stranger(new byte[0]));
            final byte[] noise = new byte[100_000];
            new Random(1).nextBytes(noise);
            strangers.add(stranger(noise));
            strangers.add(
                    stranger("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII)));
            strangers.add(stranger(hello(1, Integer.MAX_VALUE, new byte[0])));
            strangers.add(stranger(hello(1, -1, new byte[0])));
            strangers.add(stranger(hello(1, 20, new byte[20])));
            strangers.add(stranger(hello(1, 20, new byte[7])));
            strangers.add(stranger(hello(1, 0, new byte[0])));
            strangers.add(stranger(hello(4, 3, new byte[3])));
            strangers.add(stranger(hello(99, 3, new byte[3])));
            stranger(new byte[]{1 }).close();
            final var one = join(1, 3, LONG);
            strangers.add(stranger(new byte[]{1, 0, 0 }));
            final var two = join(2, 3, LONG);
            final List<CompletableFuture<byte[][]>> all = List.of(zero, one, two)
                    .stream()
                    .map(CompletableFuture::join)
                    .map(rank -> inThread(() -> rank.allGather(new byte[]{(byte) rank.rank() })))
                    .toList();
            all.forEach(exchange -> assertArrayEquals(new byte[][]{{0 }, {1 }, {2 } }, exchange.join()));
            joined.forEach(rank -> assertNull(rank.failure()));
        } finally {
            for (final Socket socket : strangers) {
                socket.close();
            }
        }
    }

    private Socket stranger(final byte[] says) throws Exception {
        while (true) {
            try {
                final Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
                try {
                    socket.getOutputStream().write(says);
                } catch (final IOException e) {
                    // The coordinator may hang up before it has heard all of the noise.
                    assertTrue(says.length > 1000, e.toString());
                }
                return socket;
            } catch (final java.net.ConnectException e) {
                Thread.sleep(10);
            }
        }
    }

    /** What rank {@code rank} says first. */
    private static byte[] hello(final int size, final int rank) {
        final byte[] payload = new Hello(Hello.VERSION, size, rank).frame().payload();
        return hello(1, payload.length, payload);
    }

    private static byte[] hello(final int kind, final int length, final byte[] payload) {
        return ByteBuffer.allocate(5 + payload.length).put((byte) kind).putInt(length).put(payload).array();
    }

    /** A rank of another version is no stranger: it belongs to the job, and the job cannot work. */
    @Test
    void anotherVersionEndsTheJoiningForAllAndNamesBoth() throws Exception {
        final var zero = join(0, 3, LONG);
        final byte[] newer = ByteBuffer.allocate(20)
                .putLong(0x4348414752455321L)
                .putInt(Hello.VERSION + 1)
                .putInt(3)
                .putInt(2)
                .array();
        try (Socket one = stranger(hello(3, 1)); Socket other = stranger(hello(1, 20, newer))) {
            for (final String message : List.of(refusal(zero), refusal(one), refusal(other))) {
                assertTrue(message.contains("version " + (Hello.VERSION + 1)) && message.contains("same Chagres"),
                        message);
            }
        }
    }

    /** A rank whose process dies: its connection ends without a goodbye. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3 })
    void aRankThatDiesIsSeenByAllOthersSoon(final int victim) throws Exception {
        final int size = 4;
        final List<CompletableFuture<Membership>> futures = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            if (rank != victim) {
                futures.add(join(rank, size, LONG));
            }
        }
        final Socket socket = stranger(hello(size, victim));
        final List<Membership> others = futures.stream().map(CompletableFuture::join).toList();
        others.forEach(rank -> assertNull(rank.failure()));
        socket.close();
        awaitFailure(others, victim);
        for (final Membership rank : others) {
            final String message = assertThrows(JoinException.class, () -> rank.allGather(new byte[0])).getMessage();
            assertTrue(message.contains("rank " + victim + " failed"), message);
        }
    }

    @Test
    void theDeathOfRankZeroIsSeenByAllOthersSoon() throws Exception {
        try (ServerSocket server = new ServerSocket()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            final var one = join(1, 3, LONG);
            final Socket first = welcome(server);
            final var two = join(2, 3, LONG);
            final Socket second = welcome(server);
            final List<Membership> others = List.of(one.join(), two.join());
            first.close();
            second.close();
            awaitFailure(others, 0);
        }
    }

    private static Socket welcome(final ServerSocket server) throws IOException {
        final Socket socket = server.accept();
        assertEquals(Frame.Kind.HELLO, Frame.read(new DataInputStream(socket.getInputStream())).kind());
        new Frame(Frame.Kind.WELCOME, new byte[0]).write(new DataOutputStream(socket.getOutputStream()));
        return socket;
    }

    private static void awaitFailure(final List<Membership> others, final int victim) throws InterruptedException {
        final long start = System.nanoTime();
        for (final Membership rank : others) {
            while (rank.failure() == null) {
                assertTrue(System.nanoTime() - start < SOON_NS, "rank " + rank.rank() + " has not heard of it");
                Thread.sleep(5);
            }
            assertEquals(victim, rank.failure().rank());
        }
    }

    @Test
    void aDeathDuringAnExchangeEndsIt() throws Exception {
        final var zero = join(0, 3, LONG);
        final var one = join(1, 3, LONG);
        final Socket socket = stranger(hello(3, 2));
        final List<CompletableFuture<byte[][]>> waiting = List.of(zero, one)
                .stream()
                .map(CompletableFuture::join)
                .map(rank -> inThread(() -> rank.allGather(new byte[1])))
                .toList();
        Thread.sleep(100);
        final long start = System.nanoTime();
        socket.close();
        for (final var exchange : waiting) {
            final Throwable why = assertThrows(CompletionException.class, exchange::join).getCause();
            assertTrue(assertInstanceOf(JoinException.class, why).getMessage().contains("rank 2 failed"));
        }
        assertTrue(System.nanoTime() - start < SOON_NS);
    }

    @Test
    void aRankThatDiesWhileOthersAreMissingEndsTheJoining() throws Exception {
        final var zero = join(0, 3, LONG);
        final Socket socket = stranger(hello(3, 1));
        Thread.sleep(100);
        final long start = System.nanoTime();
        socket.close();
        final String message = refusal(zero);
        assertTrue(message.contains("rank 1"), message);
        assertTrue(System.nanoTime() - start < SOON_NS);
    }

    @Test
    void anOrderlyEndIsNewsToTheOthers() throws Exception {
        final List<Membership> ranks = world(3);
        ranks.forEach(rank -> assertFalse(rank.hasLeft(0) || rank.hasLeft(1) || rank.hasLeft(2)));
        ranks.get(2).close();
        await(() -> ranks.get(0).hasLeft(2) && ranks.get(1).hasLeft(2));
        ranks.get(0).close();
        await(() -> ranks.get(1).hasLeft(0));
        assertFalse(ranks.get(0).hasLeft(1));
    }

    private static void await(final java.util.function.BooleanSupplier condition) throws InterruptedException {
        final long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() - start < SOON_NS);
            Thread.sleep(5);
        }
    }

    @Test
    void anOrderlyEndIsNotAFailure() throws Exception {
        final List<Membership> ranks = world(4);
        ranks.get(2).close();
        ranks.get(2).close();
        Thread.sleep(200);
        for (final Membership rank : ranks) {
            assertNull(rank.failure());
        }
        ranks.get(0).close();
        ranks.get(0).close();
        Thread.sleep(200);
        for (final Membership rank : ranks) {
            assertNull(rank.failure());
        }
    }

    @Test
    void aDeathIsStillSeenAfterAnotherRankLeft() throws Exception {
        final int size = 4;
        final List<CompletableFuture<Membership>> futures = List.of(join(0, size, LONG), join(1, size, LONG),
                join(2, size, LONG));
        final Socket socket = stranger(hello(size, 3));
        final List<Membership> others = futures.stream().map(CompletableFuture::join).toList();
        others.get(1).close();
        Thread.sleep(100);
        socket.close();
        awaitFailure(List.of(others.get(0), others.get(2)), 3);
    }

    @Test
    void anExchangeThatOneRankMissesEndsByTheTimeout() {
        final var zero = join(0, 2, SHORT);
        final var one = join(1, 2, SHORT);
        one.join();
        final String message = assertThrows(JoinException.class, () -> zero.join().allGather(new byte[0]))
                .getMessage();
        assertTrue(message.contains("2000 ms") && message.contains("stuck"), message);
    }
}
