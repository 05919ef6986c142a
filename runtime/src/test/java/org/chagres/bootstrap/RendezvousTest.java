package org.chagres.bootstrap;

import static org.chagres.bootstrap.Ranked.SHORT;
import static org.chagres.bootstrap.Ranked.SOON_NS;
import static org.chagres.bootstrap.Ranked.refusal;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.chagres.bindings.LibC;
import org.chagres.logs.RecordedLogs;
import org.chagres.net.Claim;
import org.chagres.net.Credentials;
import org.chagres.net.Frame;
import org.chagres.net.Intruder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranks in threads, over real sockets. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RendezvousTest {
    private static final Credentials NO_SECRET = Intruder.credentials("", "default");

    private static byte[] contribution(final int rank, final int round) {
        final byte[] bytes = new byte[(rank * 7919 + round * 104_729) % 5000 * (round % 3)];
        new Random(rank * 31L + round).nextBytes(bytes);
        return bytes;
    }

    private static void checkExchange(final List<Membership> ranks, final int rounds) {
        final int size = ranks.size();
        final List<CompletableFuture<Void>> done = new ArrayList<>();
        for (final Membership me : ranks) {
            done.add(Ranked.inThread(() -> {
                final Exchange exchange = new Exchange(me, 7, Duration.ofSeconds(20));
                for (int round = 0; round < rounds; round++) {
                    final byte[][] all = exchange.allGather(contribution(me.rank(), round));
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

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 9 })
    void ranksExchangeInOrder(final int size) {
        try (Ranked job = new Ranked(size)) {
            final List<Membership> ranks = job.joinAll();
            for (int rank = 0; rank < size; rank++) {
                assertEquals(rank, ranks.get(rank).rank());
                assertEquals(size, ranks.get(rank).size());
                assertEquals(size, ranks.get(rank).localSize());
                assertEquals(ProcessHandle.current().pid(), ranks.get(rank).peer(0).pid());
                assertEquals(rank, ranks.get(0).peer(rank).rank());
            }
            checkExchange(ranks, 20);
        }
    }

    /** Many ranks on few cores: 2,016 connections, each authenticated. */
    @Test
    void sixtyFourRanksJoinInSeconds() {
        try (Ranked job = new Ranked(64)) {
            final long start = System.nanoTime();
            final List<Membership> ranks = job.joinAll();
            final double seconds = (System.nanoTime() - start) / 1e9;
            System.err.printf("64 ranks joined in %.1f s%n", seconds);
            assertTrue(seconds < 15, seconds + " s");
            checkExchange(ranks, 3);
        }
    }

    @Test
    void aWorldOfOneNeedsNoSocket() {
        final Membership alone = Rendezvous.join(Map.of("RANK", "0", "WORLD_SIZE", "1"));
        assertEquals(1, alone.localSize());
        alone.close();
    }

    @Test
    void nothingStaysOpen() throws IOException {
        try (Ranked warmUp = new Ranked(2)) {
            warmUp.joinAll();
        }
        final long before = DataConnectionsTest.openSockets();
        try (Ranked job = new Ranked(4)) {
            final List<Membership> ranks = job.joinAll();
            ranks.get(3).connections().connect(ranks.get(1).connections().address(), 1, 5, 0, Duration.ofSeconds(5));
        }
        // The data connection's connecting end is its caller's.
        assertEquals(before + 1, DataConnectionsTest.openSockets());
        assertEquals(List.of(), Thread.getAllStackTraces()
                .keySet()
                .stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("chagres-"))
                .toList());
    }

    @Test
    void ranksOfOneHostAreCountedByWhatTheyShare() {
        try (Ranked job = new Ranked(3)) {
            final var zero = job.join(0, "CHAGRES_HOSTID", "a");
            final var one = job.join(1, "NCCL_HOSTID", "a");
            final var two = job.join(2, "CHAGRES_HOSTID", "b", "NCCL_HOSTID", "a");
            assertEquals(2, zero.join().localSize());
            assertEquals(2, one.join().localSize());
            assertEquals(1, two.join().localSize());
            assertEquals("b", zero.join().peer(2).host());
            checkExchange(List.of(zero.join(), one.join(), two.join()), 5);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"::1", "localhost", "127.0.0.2" })
    void bothFamiliesWork(final String address) throws IOException {
        assumeTrue(isHere(address), "this machine has no " + address);
        try (Ranked job = new Ranked(3).with("MASTER_ADDR", address)) {
            final List<Membership> ranks = job.joinAll();
            checkExchange(ranks, 3);
            ranks.forEach(rank -> assertTrue(rank.connections().address().getAddress().isLoopbackAddress(),
                    rank.connections().address().toString()));
            final int fd = ranks.get(0)
                    .connections()
                    .connect(ranks.get(2).connections().address(), 2, 5, 0, Duration.ofSeconds(5));
            LibC.close(fd);
        }
    }

    private static boolean isHere(final String address) {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(address))) {
            return socket.isBound();
        } catch (final IOException e) {
            return false;
        }
    }

    /** A host whose own name means a loopback address, as Debian's installer arranges: other hosts know it by another address. */
    @Test
    void aHostNameThatMeansLoopbackListensEverywhere() throws IOException {
        final String name = HostIdentity.hostName();
        assumeTrue(isHere(name) && InetAddress.getByName(name).isLoopbackAddress(), name + " is not loopback here");
        try (Ranked job = new Ranked(3).with("MASTER_ADDR", name)) {
            final List<Membership> ranks = job.joinAll();
            checkExchange(ranks, 3);
            for (final Membership rank : ranks) {
                assertTrue(rank.connections().address().getAddress().isAnyLocalAddress());
            }
            for (final int[] pair : new int[][]{{0, 2 }, {2, 1 }, {1, 2 } }) {
                final DataConnections from = ranks.get(pair[0]).connections();
                LibC.close(from.connect(ranks.get(pair[1]).connections().address(), pair[1], 5, 0,
                        Duration.ofSeconds(5)));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"CHAGRES_JOIN_TIMEOUT, abc, not a number", "CHAGRES_JOIN_TIMEOUT, 0, out of range",
            "CHAGRES_JOIN_TIMEOUT, -1, out of range", "CHAGRES_JOIN_TIMEOUT, NaN, out of range",
            "CHAGRES_JOIN_TIMEOUT, 1e300, out of range", "CHAGRES_LIVENESS_TIMEOUT, soon, not a number",
            "CHAGRES_LIVENESS_TIMEOUT, 0, out of range", "CHAGRES_REQUIRE_SECRET, maybe, must be 0 or 1",
            "CHAGRES_REQUIRE_SECRET, 1, there is no secret", "CHAGRES_SECRET, ' ', is empty" })
    void anUnusableSettingIsRefused(final String name, final String value, final String why) {
        final Map<String, String> environment = Map.of("RANK", "0", "WORLD_SIZE", "2", "MASTER_ADDR", "127.0.0.1",
                "MASTER_PORT", "1", name, value);
        final String message = assertThrows(IllegalArgumentException.class, () -> Rendezvous.join(environment))
                .getMessage();
        assertTrue(message.startsWith(name) && message.contains(why), message);
    }

    @Test
    void differentWorldSizesEndTheJoiningForAll() {
        try (Ranked job = new Ranked(3)) {
            final var zero = job.join(0);
            final var one = job.join(1);
            final var two = job.join(2, "WORLD_SIZE", "4");
            for (final var rank : List.of(zero, one, two)) {
                final String message = refusal(rank);
                assertTrue(message.contains("rank 2 has WORLD_SIZE=4, rank 0 has WORLD_SIZE=3"), message);
            }
        }
    }

    @Test
    void twoProcessesThatClaimOneRankEndTheJoiningForAll() {
        try (Ranked job = new Ranked(3).with(Rendezvous.TIMEOUT_VARIABLE, SHORT)) {
            final var zero = job.join(0);
            final var one = job.join(1);
            final var again = job.join(1);
            for (final var rank : List.of(zero, one, again)) {
                final String message = refusal(rank);
                assertTrue(message.contains("two processes claim rank 1 of 3"), message);
            }
        }
    }

    @Test
    void twoProcessesThatClaimRankZeroCannotBothListen() {
        try (Ranked job = new Ranked(2).with(Rendezvous.TIMEOUT_VARIABLE, SHORT)) {
            final List<String> both = List.of(job.join(0), job.join(0)).stream().map(Ranked::refusal).toList();
            assertTrue(both.stream().anyMatch(message -> message.contains("its own RANK")), both.toString());
        }
    }

    @Test
    void rankZeroAndThoseThatCameNameTheMissing() {
        try (Ranked job = new Ranked(5)) {
            final var zero = job.join(0, Rendezvous.TIMEOUT_VARIABLE, "0.7");
            final var two = job.join(2);
            final var four = job.join(4);
            for (final var rank : List.of(zero, two, four)) {
                final String message = refusal(rank);
                assertTrue(message.contains("have not joined: [1, 3]") && message.contains("CHAGRES_JOIN_TIMEOUT"),
                        message);
            }
        }
    }

    @Test
    void aRankThatGivesUpFirstNamesTheMissingToo() {
        try (Ranked job = new Ranked(5)) {
            final var zero = job.join(0);
            final var two = job.join(2, Rendezvous.TIMEOUT_VARIABLE, "0.7");
            for (final var rank : List.of(zero, two)) {
                final String message = refusal(rank);
                assertTrue(message.contains("have not joined: [1, 3, 4]") && message.contains("rank 2 waited 700 ms"),
                        message);
            }
        }
    }

    @Test
    void aRankWithoutACoordinatorSaysWhereItLooked() {
        try (Ranked job = new Ranked(2)) {
            final String message = refusal(job.join(1, Rendezvous.TIMEOUT_VARIABLE, "0.3"));
            assertTrue(message.contains("127.0.0.1:" + job.port) && message.contains("ECONNREFUSED")
                    && message.contains("is rank 0 running"), message);
        }
    }

    @Test
    void anAddressThatDoesNotResolveIsNamed() {
        try (Ranked job = new Ranked(2).with("MASTER_ADDR", "no-such-host.invalid")
                .with(Rendezvous.TIMEOUT_VARIABLE, "0.5")) {
            for (final int rank : new int[]{0, 1 }) {
                final String message = refusal(job.join(rank));
                assertTrue(message.contains("MASTER_ADDR=no-such-host.invalid"), message);
            }
        }
    }

    @Test
    void aPortInUseIsNamed() throws IOException {
        try (Ranked job = new Ranked(2); ServerSocket other = new ServerSocket()) {
            other.bind(job.coordinator());
            final String message = refusal(job.join(0));
            assertTrue(message.contains("127.0.0.1:" + job.port) && message.contains("choose a free port"), message);
        }
    }

    @Test
    void anAddressOfAnotherHostIsNamed() {
        try (Ranked job = new Ranked(2).with("MASTER_ADDR", "192.0.2.1")) {
            final String message = refusal(job.join(0));
            assertTrue(message.contains("192.0.2.1") && message.contains("address of the host on which rank 0 runs"),
                    message);
        }
    }

    /** A port where something else listens: it may say anything, say nothing, or hang up. */
    @Test
    void aRankThatMeetsAStrangerDoesNotHang() throws IOException {
        for (final byte[] answer : new byte[][]{{},
                "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII),
                new byte[1000] }) {
            try (Ranked job = new Ranked(2); ServerSocket stranger = new ServerSocket()) {
                stranger.bind(job.coordinator());
                final var rank = job.join(1, Rendezvous.TIMEOUT_VARIABLE, "0.5");
                try (Socket socket = stranger.accept()) {
                    socket.getOutputStream().write(answer);
                    final String message = refusal(rank);
                    assertTrue(message.contains("127.0.0.1:" + job.port), message);
                }
            }
        }
    }

    @Test
    void aWrongSecretIsRefusedAndTheJobGoesOn() {
        try (Ranked job = new Ranked(2).with("CHAGRES_SECRET", "right")) {
            final var zero = job.join(0);
            for (final String wrong : new String[]{"wrong", "Right", "right!" }) {
                final String message = refusal(job.join(1, "CHAGRES_SECRET", wrong));
                assertTrue(message.contains("another secret") && message.contains("CHAGRES_SECRET_FILE"), message);
            }
            final var one = job.join(1);
            checkExchange(List.of(zero.join(), one.join()), 3);
        }
    }

    @Test
    void anotherWorldsRankIsRefusedAndTheJobGoesOn() {
        try (Ranked job = new Ranked(2).with("CHAGRES_WORLD", "mine")) {
            final var zero = job.join(0);
            final String message = refusal(job.join(1, "CHAGRES_WORLD", "other"));
            assertTrue(message.contains("another world") && message.contains("CHAGRES_WORLD"), message);
            final var one = job.join(1);
            checkExchange(List.of(zero.join(), one.join()), 3);
        }
    }

    /** A coordinator that does not know the secret must not get the ranks to join it. */
    @Test
    void anImpostorIsNotJoined() throws IOException {
        try (Ranked job = new Ranked(2).with("CHAGRES_SECRET", "right")) {
            final var impostor = job.join(0, "CHAGRES_SECRET", "wrong", Rendezvous.TIMEOUT_VARIABLE, "1");
            final String message = refusal(job.join(1));
            assertTrue(message.contains("another secret"), message);
            assertTrue(refusal(impostor).contains("[1]"));
        }
    }

    /** A rank of another version is no stranger if it knows the secret: it belongs to the job, and the job cannot work. */
    @Test
    void anotherVersionEndsTheJoiningForAllAndNamesBoth() throws Exception {
        try (Ranked job = new Ranked(3)) {
            final var zero = job.join(0);
            final var one = job.join(1);
            try (Intruder newer = Intruder.connect(job.coordinator())) {
                final String answer = newer
                        .claim(new Claim(Claim.Purpose.JOIN, Claim.VERSION + 1, 2, 0, 3, 0, 0), NO_SECRET);
                for (final String message : List.of(refusal(zero), refusal(one), answer)) {
                    assertTrue(
                            message.contains("version " + (Claim.VERSION + 1)) && message.contains("same Chagres"),
                            message);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 3, Integer.MAX_VALUE, Integer.MIN_VALUE })
    void aRankOutOfRangeIsAContradiction(final int rank) throws Exception {
        try (Ranked job = new Ranked(3).with(Rendezvous.TIMEOUT_VARIABLE, "1")) {
            final var zero = job.join(0);
            try (Intruder wrong = Intruder.connect(job.coordinator())) {
                final String answer = wrong.claim(Claim.join(rank, 3), NO_SECRET);
                assertTrue(answer.contains("claim rank " + rank + " of 3"), answer);
                assertEquals(answer, "REFUSED: " + refusal(zero));
            }
        }
    }

    @Test
    void aRankThatDiesWhileOthersAreMissingEndsTheJoining() throws Exception {
        try (Ranked job = new Ranked(3).with(Rendezvous.TIMEOUT_VARIABLE, SHORT)) {
            final var zero = job.join(0);
            final Intruder one = Intruder.connect(job.coordinator());
            assertEquals("ADMITTED", one.claim(Claim.join(1, 3), NO_SECRET));
            final long start = System.nanoTime();
            one.close();
            final String message = refusal(zero);
            assertTrue(message.contains("rank 1 went away") && message.contains("[1, 2]"), message);
            assertTrue(System.nanoTime() - start < SOON_NS);
        }
    }

    /** A rank that the others cannot reach: all of them hear who, whom, and where. */
    @Test
    void anAcceptorThatCannotBeReachedIsNamedByAll() throws Exception {
        try (Ranked job = new Ranked(3).with(Rendezvous.TIMEOUT_VARIABLE, "4");
                ServerSocket silent = new ServerSocket()) {
            silent.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            final var zero = job.join(0);
            try (Intruder one = Intruder.connect(job.coordinator())) {
                assertEquals("ADMITTED", one.claim(Claim.join(1, 3), NO_SECRET));
                one.frame(new Frame(Frame.Kind.INTRODUCTION,
                        new Introduction(new Peer(1, "elsewhere", 4711, "x"),
                                new InetSocketAddress(silent.getInetAddress(), silent.getLocalPort())).encode()));
                final var two = job.join(2);
                for (final var rank : List.of(zero, two)) {
                    final String message = refusal(rank);
                    assertTrue(message.contains("rank 2 (host")
                            && message.contains("rank 1 (host elsewhere, process 4711)")
                            && message.contains(":" + silent.getLocalPort()), message);
                }
            }
        }
    }

    @Test
    void aSettingThatStopsOneRankIsToldToAll() {
        try (Ranked job = new Ranked(3).with(Rendezvous.TIMEOUT_VARIABLE, SHORT)) {
            final var zero = job.join(0);
            final var two = job.join(2, "NCCL_SOCKET_IFNAME", "nosuchinterface");
            final String message = refusal(zero);
            assertTrue(message.contains("rank 2") && message.contains("NCCL_SOCKET_IFNAME=nosuchinterface"), message);
            final Throwable cause = assertThrows(java.util.concurrent.CompletionException.class, two::join).getCause();
            assertTrue(cause instanceof IllegalArgumentException && cause.getMessage().contains("lo ("),
                    cause.toString());
        }
    }

    @Test
    void theInterfaceCanBeChosen() {
        try (Ranked job = new Ranked(2).with("NCCL_SOCKET_IFNAME", "=lo")) {
            final List<Membership> ranks = job.joinAll();
            ranks.forEach(r -> assertTrue(r.connections().address().getAddress().isLoopbackAddress()));
        }
    }

    @Test
    void aWorldThatSpansHostsWithoutASecretSaysSoOnce() {
        RecordedLogs.clear();
        try (Ranked job = new Ranked(3)) {
            List.of(job.join(0, "CHAGRES_HOSTID", "a"), job.join(1, "CHAGRES_HOSTID", "b"),
                    job.join(2, "CHAGRES_HOSTID", "b")).forEach(CompletableFuture::join);
        }
        assertEquals(1, RecordedLogs.lines("without a secret").size());
        RecordedLogs.clear();
        try (Ranked job = new Ranked(2).with("CHAGRES_SECRET", "s")) {
            List.of(job.join(0, "CHAGRES_HOSTID", "a"), job.join(1, "CHAGRES_HOSTID", "b"))
                    .forEach(CompletableFuture::join);
        }
        try (Ranked job = new Ranked(2)) {
            job.joinAll();
        }
        assertEquals(0, RecordedLogs.lines("without a secret").size());
    }

    @Test
    void theCoordinatorAddressIsFreeAgainOnceAllHaveJoined() throws IOException {
        try (Ranked job = new Ranked(2)) {
            job.joinAll();
            assertThrows(java.net.ConnectException.class,
                    () -> new Socket(InetAddress.getLoopbackAddress(), job.port).close());
        }
    }
}
