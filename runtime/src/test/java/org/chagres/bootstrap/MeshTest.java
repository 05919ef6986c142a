package org.chagres.bootstrap;

import static org.chagres.bootstrap.Ranked.SOON_NS;
import static org.chagres.bootstrap.Ranked.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.chagres.bindings.LibC;
import org.chagres.net.Claim;
import org.chagres.net.Credentials;
import org.chagres.net.Frame;
import org.chagres.net.Intruder;
import org.chagres.net.Key;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class MeshTest {
    private static final long TOPIC = -3;
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private static Mailbox.Letter receive(final Membership rank, final long topic) throws InterruptedException {
        final Mailbox mailbox = rank.mailbox(topic);
        final Mailbox.Letter[] letter = new Mailbox.Letter[1];
        await(() -> (letter[0] = mailbox.poll()) != null);
        return letter[0];
    }

    @Test
    void messagesOfEachPeerArriveInOrder() {
        final int each = 2000;
        try (Ranked job = new Ranked(3)) {
            final List<Membership> ranks = job.joinAll();
            final List<CompletableFuture<Void>> done = new ArrayList<>();
            for (final Membership me : ranks) {
                done.add(Ranked.inThread(() -> {
                    for (int i = 0; i < each; i++) {
                        for (int to = 0; to < 3; to++) {
                            me.send(to, TOPIC, ByteBuffer.allocate(4 + i % 50).putInt(i).array());
                        }
                    }
                    return null;
                }));
                done.add(Ranked.inThread(() -> {
                    final int[] next = new int[3];
                    while (IntStream.of(next).sum() < 3 * each) {
                        final Mailbox.Letter letter = me.mailbox(TOPIC).poll();
                        if (letter == null) {
                            Thread.onSpinWait();
                            continue;
                        }
                        assertEquals(next[letter.from()], ByteBuffer.wrap(letter.body()).getInt());
                        assertEquals(4 + next[letter.from()]++ % 50, letter.body().length);
                    }
                    return null;
                }));
            }
            done.forEach(CompletableFuture::join);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4087, 4088, 4089, 65_536, Membership.MAX_MESSAGE_BYTES })
    void messagesOfAllSizesArriveWhole(final int bytes) throws InterruptedException {
        try (Ranked job = new Ranked(2)) {
            final List<Membership> ranks = job.joinAll();
            final byte[] body = new byte[bytes];
            new Random(bytes).nextBytes(body);
            final byte[] sent = body.clone();
            for (int way = 0; way < 2; way++) {
                ranks.get(way).send(1 - way, TOPIC, sent);
                ranks.get(way).send(1 - way, TOPIC + 1, new byte[]{1 });
                final Mailbox.Letter letter = receive(ranks.get(1 - way), TOPIC);
                assertEquals(way, letter.from());
                assertArrayEquals(body, letter.body());
                assertArrayEquals(new byte[]{1 }, receive(ranks.get(1 - way), TOPIC + 1).body());
            }
            assertThrows(IllegalArgumentException.class,
                    () -> ranks.get(0).send(1, TOPIC, new byte[Membership.MAX_MESSAGE_BYTES + 1]));
        }
    }

    @Test
    void aTopicThatWasForgottenGetsNothing() throws InterruptedException {
        try (Ranked job = new Ranked(2)) {
            final List<Membership> ranks = job.joinAll();
            ranks.get(0).send(1, TOPIC, new byte[1]);
            receive(ranks.get(1), TOPIC);
            ranks.get(1).forget(TOPIC);
            ranks.get(0).send(1, TOPIC, new byte[2]);
            ranks.get(0).send(1, TOPIC + 1, new byte[3]);
            assertEquals(3, receive(ranks.get(1), TOPIC + 1).body().length);
            assertNull(ranks.get(1).mailbox(TOPIC).poll());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3 })
    void aRankThatDiesIsSeenByAllOthersSoon(final int victim) throws InterruptedException {
        try (Ranked job = new Ranked(4)) {
            final List<Membership> ranks = job.joinAll();
            final List<Membership> others = ranks.stream().filter(rank -> rank.rank() != victim).toList();
            others.forEach(rank -> assertNull(rank.failure()));
            // What it said before it died still arrives.
            ranks.get(victim).send((victim + 1) % 4, TOPIC, new byte[7]);
            Thread.sleep(50);
            Ranked.kill(ranks.get(victim));
            final long start = System.nanoTime();
            for (final Membership rank : others) {
                await(() -> rank.failureOf(victim) != null);
                assertTrue(rank.failureOf(victim).reason().contains("without a goodbye"),
                        rank.failureOf(victim).reason());
                assertEquals(victim, rank.failure().rank());
                assertEquals(1, rank.failures());
                assertFalse(rank.hasLeft(victim));
                rank.send(victim, TOPIC, new byte[1]);
                assertFalse(rank.responds(victim, PATIENCE));
            }
            assertTrue(System.nanoTime() - start < SOON_NS);
            assertEquals(7, receive(ranks.get((victim + 1) % 4), TOPIC).body().length);
            // The survivors still hear each other.
            others.get(0).send(others.get(1).rank(), TOPIC + 9, new byte[4]);
            assertEquals(4, receive(others.get(1), TOPIC + 9).body().length);
        }
    }

    @Test
    void twoDeathsAreBothKnown() throws InterruptedException {
        try (Ranked job = new Ranked(4)) {
            final List<Membership> ranks = job.joinAll();
            Ranked.kill(ranks.get(2));
            await(() -> ranks.get(0).failures() == 1 && ranks.get(1).failures() == 1);
            Ranked.kill(ranks.get(3));
            await(() -> ranks.get(0).failures() == 2 && ranks.get(1).failures() == 2);
            assertEquals(2, ranks.get(0).failure().rank());
            assertEquals(3, ranks.get(1).failureOf(3).rank());
        }
    }

    @Test
    void anOrderlyEndIsNewsAndNoFailure() throws InterruptedException {
        try (Ranked job = new Ranked(4)) {
            final List<Membership> ranks = job.joinAll();
            ranks.forEach(rank -> assertFalse(rank.hasLeft(0) || rank.hasLeft(1) || rank.hasLeft(2)));
            ranks.get(2).send(1, TOPIC, new byte[Membership.MAX_MESSAGE_BYTES]);
            final long start = System.nanoTime();
            ranks.get(2).close();
            ranks.get(2).close();
            assertTrue(System.nanoTime() - start < 1_500_000_000L, "peers that live let a rank leave at once");
            await(() -> ranks.get(0).hasLeft(2) && ranks.get(1).hasLeft(2) && ranks.get(3).hasLeft(2));
            assertEquals(Membership.MAX_MESSAGE_BYTES, receive(ranks.get(1), TOPIC).body().length);
            ranks.get(0).send(2, TOPIC, new byte[1]);
            assertFalse(ranks.get(0).responds(2, PATIENCE));
            ranks.get(0).close();
            await(() -> ranks.get(1).hasLeft(0) && ranks.get(3).hasLeft(0));
            Ranked.kill(ranks.get(3));
            await(() -> ranks.get(1).failureOf(3) != null);
            assertNull(ranks.get(1).failureOf(0));
            assertNull(ranks.get(1).failureOf(2));
        }
    }

    @Test
    void allMayLeaveAtTheSameTime() {
        for (int round = 0; round < 5; round++) {
            try (Ranked job = new Ranked(5)) {
                final List<Membership> ranks = job.joinAll();
                ranks.stream().map(rank -> Ranked.inThread(() -> {
                    rank.close();
                    return null;
                })).toList().forEach(CompletableFuture::join);
                ranks.forEach(rank -> assertNull(rank.failure()));
            }
        }
    }

    @Test
    void whoIsExpelledLearnsByWhomAndWhy() throws InterruptedException {
        try (Ranked job = new Ranked(4)) {
            final List<Membership> ranks = job.joinAll();
            ranks.get(0).expel(2, "it was too late");
            ranks.get(0).expel(2, "once more");
            assertEquals(new PeerFailure(2, "it was too late"), ranks.get(0).failureOf(2));
            await(() -> ranks.get(2).failureOf(0) != null);
            final String reason = ranks.get(2).failureOf(0).reason();
            assertTrue(reason.contains("expelled this rank") && reason.contains("it was too late"), reason);
            assertNull(ranks.get(1).failure());
            assertFalse(ranks.get(0).responds(2, PATIENCE));
            assertTrue(ranks.get(1).responds(2, PATIENCE));
            assertThrows(IllegalArgumentException.class, () -> ranks.get(0).expel(0, "itself"));
            ranks.get(1).expel(2, "x".repeat(100_000));
            await(() -> ranks.get(2).failureOf(1) != null);
        }
    }

    @Test
    void aRankThatIsBusyStillResponds() {
        try (Ranked job = new Ranked(3)) {
            final List<Membership> ranks = job.joinAll();
            for (final Membership rank : ranks) {
                for (int other = 0; other < 3; other++) {
                    for (int i = 0; i < 20; i++) {
                        assertTrue(rank.responds(other, PATIENCE));
                    }
                }
            }
        }
    }

    /** Between hosts that are told apart by name only; what cuts a real link is tested with network namespaces. */
    @Test
    void heartbeatsKeepQuietHostsTogether() throws InterruptedException {
        try (Ranked job = new Ranked(2).with("CHAGRES_LIVENESS_TIMEOUT", "0.2")) {
            final var zero = job.join(0, "CHAGRES_HOSTID", "a");
            final var one = job.join(1, "CHAGRES_HOSTID", "b");
            zero.join();
            one.join();
            Thread.sleep(1000);
            assertNull(zero.join().failure());
            assertNull(one.join().failure());
            assertTrue(zero.join().responds(1, PATIENCE));
        }
    }

    /** A rank that knows everything it must, and then does what a rank does not do. */
    private record Rogue(Membership zero, Intruder joining, Intruder control) implements AutoCloseable {
        static Rogue join(final Ranked job) throws Exception {
            final var zero = job.join(0);
            final Credentials credentials = Intruder.credentials("secret", "default");
            final Intruder joining = Intruder.connect(job.coordinator());
            joining.claim(Claim.join(1, 2), credentials);
            joining.frame(new Frame(Frame.Kind.INTRODUCTION, new Introduction(new Peer(1, "rogue", 1, "x"),
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 1)).encode()));
            final Table table = Table.decode(joining.frame().body(), 2);
            final Intruder control = Intruder.connect(table.of(0).acceptor());
            final Key key = Key.of("secret".getBytes(StandardCharsets.UTF_8)).derive("world", table.id());
            assertEquals("ADMITTED", control.claim(Claim.control(1, 0, 2), credentials.with(key)));
            joining.frame(Frame.of(Frame.Kind.READY));
            assertEquals(Frame.Kind.GO, joining.frame().kind());
            return new Rogue(zero.join(), joining, control);
        }

        @Override
        public void close() throws IOException {
            joining.close();
            control.close();
        }
    }

    @ParameterizedTest
    @CsvSource({"00, unknown kind of message 0", "7f00000000, unknown kind of message 127",
            "067fffffff, MESSAGE of 2147483647 bytes", "0600100009, MESSAGE of 1048585 bytes",
            "0600000007, MESSAGE of 7 bytes", "06ffffffff, MESSAGE of -1 bytes", "0400000000, GO after joining",
            "0a00000001, BYE of 1 bytes" })
    void aRankThatSendsNonsenseHasFailed(final String hex, final String why) throws Exception {
        try (Ranked job = new Ranked(2).with("CHAGRES_SECRET", "secret"); Rogue rogue = Rogue.join(job)) {
            rogue.control().write(HexFormat.of().parseHex(hex));
            rogue.control().write(new byte[4]);
            await(() -> rogue.zero().failure() != null);
            final String reason = rogue.zero().failure().reason();
            assertTrue(reason.contains(why), reason);
            assertTrue(rogue.control().hungUp(2000));
        }
    }

    @Test
    void aRankThatReadsNothingHasFailedOnceTooMuchWaits() throws Exception {
        try (Ranked job = new Ranked(2).with("CHAGRES_SECRET", "secret"); Rogue rogue = Rogue.join(job)) {
            final long start = System.nanoTime();
            for (int i = 0; i < 80 && rogue.zero().failure() == null; i++) {
                rogue.zero().send(1, TOPIC, new byte[Membership.MAX_MESSAGE_BYTES]);
            }
            await(() -> rogue.zero().failure() != null);
            assertTrue(rogue.zero().failure().reason().contains("64 MiB"), rogue.zero().failure().reason());
            assertTrue(System.nanoTime() - start < SOON_NS);
        }
    }

    @Test
    void onlyTheRightConnectionsAreExpected() throws Exception {
        try (Ranked job = new Ranked(2).with("CHAGRES_SECRET", "secret"); Rogue rogue = Rogue.join(job)) {
            final Credentials world = ((Mesh) rogue.zero()).credentials(Claim.Purpose.CONTROL);
            for (final Claim claim : List.of(Claim.control(1, 0, 2), Claim.control(0, 0, 2), Claim.control(2, 0, 2),
                    Claim.control(-1, 0, 2), Claim.control(1, 1, 2), Claim.data(1, 1, 2, 3, 0),
                    Claim.data(0, 0, 2, 3, 0), Claim.data(2, 0, 2, 3, 0), Claim.data(-1, 0, 2, 3, 0))) {
                try (Intruder again = Intruder.connect(rogue.zero().connections().address())) {
                    final String answer = again.claim(claim, world);
                    assertTrue(answer.startsWith("REFUSED: "), claim + " " + answer);
                }
            }
            assertNull(rogue.zero().failure());
        }
    }

    @Test
    void dataConnectionsFollowTheControlConnections() throws InterruptedException {
        try (Ranked job = new Ranked(3)) {
            final List<Membership> ranks = job.joinAll();
            final DataConnections zero = ranks.get(0).connections();
            final CompletableFuture<Integer> accepted = Ranked
                    .inThread(() -> ranks.get(1).connections().accept(0, 4, 2, PATIENCE));
            final int fd = zero.connect(ranks.get(1).connections().address(), 1, 4, 2, PATIENCE);
            LibC.close(accepted.join());
            LibC.close(fd);
            Ranked.kill(ranks.get(2));
            await(() -> ranks.get(0).failureOf(2) != null);
            final String message = assertThrows(JoinException.class, () -> zero.accept(2, 4, 0, PATIENCE)).getMessage();
            assertTrue(message.contains("rank 2 (host"), message);
        }
    }
}
