package org.chagres.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.chagres.bindings.LibC;
import org.chagres.logs.RecordedLogs;
import org.chagres.net.Claim;
import org.chagres.net.Credentials;
import org.chagres.net.Intruder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whoever connects to a listening port, whatever they say: the job goes on, its memory does not grow, and one line is logged. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class StrangersTest {
    private static final Credentials WRONG = Intruder.credentials("wrong", "default");
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int UNPROVEN = 128;

    private final List<Intruder> open = new ArrayList<>();

    @BeforeEach
    void forget() {
        RecordedLogs.clear();
    }

    private Intruder connect(final InetSocketAddress at) throws Exception {
        final Intruder intruder = Intruder.connect(at);
        open.add(intruder);
        return intruder;
    }

    /** One of each kind. */
    private void molest(final InetSocketAddress at) throws Exception {
        final Random random = new Random(at.getPort());
        connect(at).close();
        connect(at);
        final byte[] noise = new byte[1_000_000];
        random.nextBytes(noise);
        connect(at).flood(noise);
        connect(at).write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        connect(at).write(new byte[]{0x43, 0x48, 0x41 });
        connect(at).flood(new byte[200]);
        for (final Claim claim : List.of(Claim.join(1, 3), Claim.control(1, 0, 3), Claim.data(2, 1, 3, 5, 0),
                new Claim(Claim.Purpose.JOIN, 99, 1, 0, 3, 0, 0))) {
            final String answer = connect(at).claim(claim, WRONG);
            assertTrue(List.of("OTHER_SECRET", "closed").contains(answer), answer);
            final String other = connect(at).claim(claim, Intruder.credentials("secret", "other"));
            assertTrue(List.of("OTHER_WORLD", "closed").contains(other), other);
        }
        // What others said before proves nothing now.
        final Intruder overheard = connect(at);
        overheard.claim(Claim.join(1, 3), WRONG);
        connect(at).flood(overheard.hello());
        // Only the wrong secret's owner learns that there is one: nothing that the secret has made was shown to it.
        assertTrue(overheard.hungUp(2000));
    }

    private void checkExchange(final List<Membership> ranks) {
        ranks.stream()
                .map(rank -> Ranked.inThread(() -> new Exchange(rank, 1, PATIENCE).allGather(new byte[1])))
                .toList()
                .forEach(CompletableFuture::join);
        ranks.forEach(rank -> assertNull(rank.failure()));
    }

    @Test
    void whileTheWorldFormsAndWhileItRuns() throws Exception {
        try (Ranked job = new Ranked(3).with("CHAGRES_SECRET", "secret")) {
            final var zero = job.join(0);
            molest(job.coordinator());
            final var one = job.join(1);
            molest(job.coordinator());
            final var two = job.join(2);
            final List<Membership> ranks = List.of(zero.join(), one.join(), two.join());
            assertEquals(1, RecordedLogs.lines("refused a connection").size());
            for (final Membership rank : ranks) {
                molest(rank.connections().address());
                molest(rank.connections().address());
            }
            checkExchange(ranks);
            // One for each process.
            assertEquals(3, RecordedLogs.lines("refused a connection").size());
            assertEquals(3, RecordedLogs.lines("").size(), RecordedLogs.lines("").toString());
        } finally {
            for (final Intruder intruder : open) {
                intruder.close();
            }
        }
    }

    /** Who says nothing, or too little, is held in bounded number; the ranks still get in. */
    @Test
    void halfOpenConnectionsAreBounded() throws Exception {
        try (Ranked job = new Ranked(3).with("CHAGRES_SECRET", "secret")) {
            final var zero = job.join(0);
            crowd(job.coordinator());
            final List<Membership> ranks = List.of(zero, job.join(1), job.join(2))
                    .stream()
                    .map(CompletableFuture::join)
                    .toList();
            crowd(ranks.get(1).connections().address());
            LibC.close(ranks.get(0)
                    .connections()
                    .connect(ranks.get(1).connections().address(), 1, 8, 0, PATIENCE));
            checkExchange(ranks);
        } finally {
            for (final Intruder intruder : open) {
                intruder.close();
            }
        }
    }

    private void crowd(final InetSocketAddress at) throws Exception {
        final List<Intruder> crowd = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            final Intruder intruder = connect(at);
            crowd.add(intruder);
            if (i % 2 == 0) {
                intruder.flood(new byte[i % 130]);
            }
        }
        for (int i = 0; i < 400; i++) {
            assertTrue(crowd.get(i).hungUp(2000), "the oldest make room: " + i);
        }
        // The latest may still wait to be accepted, which makes others go.
        int held = held(crowd);
        for (int looks = 0; looks < 10 && held > UNPROVEN + 3; looks++) {
            held = held(crowd);
        }
        assertTrue(held > 0 && held <= UNPROVEN + 3, held + " are held");
    }

    private static int held(final List<Intruder> crowd) throws IOException {
        int held = 0;
        for (final Intruder intruder : crowd) {
            held += intruder.hungUp(1) ? 0 : 1;
        }
        return held;
    }

    @Test
    void whoSaysNothingIsSentAway() throws Exception {
        try (Ranked job = new Ranked(2).with("CHAGRES_SECRET", "secret")) {
            final List<Membership> ranks = job.joinAll();
            final long start = System.nanoTime();
            try (Intruder silent = Intruder.connect(ranks.get(0).connections().address())) {
                assertTrue(silent.hungUp(20_000));
            }
            assertTrue(System.nanoTime() - start > 4_000_000_000L);
            checkExchange(ranks);
        }
    }

    /** A rank of the job that knows the secret but not the world's id: its messages do not open the doors between ranks. */
    @Test
    void theSecretAloneDoesNotOpenTheConnectionsBetweenRanks() throws Exception {
        try (Ranked job = new Ranked(2).with("CHAGRES_SECRET", "secret")) {
            final List<Membership> ranks = job.joinAll();
            final Credentials secret = Intruder.credentials("secret", "default");
            for (final Claim claim : List.of(Claim.control(1, 0, 2), Claim.data(1, 0, 2, 5, 0))) {
                try (Intruder intruder = Intruder.connect(ranks.get(0).connections().address())) {
                    assertEquals("OTHER_SECRET", intruder.claim(claim, secret));
                }
            }
            try (Intruder intruder = Intruder.connect(ranks.get(0).connections().address())) {
                assertEquals("closed", intruder.claim(Claim.join(1, 2), secret));
            }
            checkExchange(ranks);
        }
    }
}
