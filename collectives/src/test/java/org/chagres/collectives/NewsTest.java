package org.chagres.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What breaks a communicator on one rank reaches all of them, wherever they are. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class NewsTest {
    private static final long SOON_NS = 2_000_000_000L;

    private static void assertSoon(final long since) {
        assertTrue(System.nanoTime() - since < SOON_NS,
                () -> "it took " + (System.nanoTime() - since) / 1_000_000 + " ms");
    }

    /** The same kind of exception again and again, each with the first as its cause. */
    private static void assertBroken(final Communicator c, final RuntimeException first) {
        for (final org.junit.jupiter.api.function.Executable call : List.<org.junit.jupiter.api.function.Executable>of(
                c::barrier, c::barrierAsync, () -> c.split(0, 0), () -> c.group().run())) {
            final Throwable again = assertThrows(first.getClass(), call);
            assertSame(first, again.getCause());
            assertTrue(again.getMessage().contains(first.getMessage()));
        }
    }

    /** A rank that waits for one that lives must hear of another's death too. */
    @Test
    void whoWaitsForALivingRankHearsOfTheDeathOfAnother() throws Exception {
        try (Ranks ranks = new Ranks(4, Map.of())) {
            ranks.run(Communicator::barrier);
            final CountDownLatch done = new CountDownLatch(2);
            ranks.run(c -> {
                switch (c.rank()) {
                    case 0, 1 -> {
                        // Rank 3 lives, and sends nothing.
                        final PeerFailedException failed = assertThrows(PeerFailedException.class,
                                () -> c.recv(c.allocate(DataType.INT8, 1).segment(), 1, DataType.INT8, 3));
                        assertEquals(2, failed.rank());
                        assertEquals("this JVM", failed.hostName());
                        assertEquals(ProcessHandle.current().pid(), failed.pid());
                        final String message = failed.getMessage();
                        assertTrue(message.contains("rank 2 (host this JVM, process ") && message.contains("it died")
                                && message.contains("rank " + c.rank() + " was in send_recv")
                                && message.contains("rank 2 has completed number ")
                                && message.contains("last told of number 1, barrier"), message);
                        done.countDown();
                        assertBroken(c, failed);
                    }
                    case 2 -> {
                        Thread.sleep(100);
                        final long start = System.nanoTime();
                        ranks.membership(2).fail(new IllegalStateException("it died"));
                        done.await();
                        assertSoon(start);
                    }
                    default -> {
                        done.await();
                        final long start = System.nanoTime();
                        assertEquals(2, assertThrows(PeerFailedException.class, c::barrier).rank());
                        assertSoon(start);
                    }
                }
            });
        }
    }

    /** Rank 0 gives up on rank 3; rank 1 waits with it, rank 2 for something else, rank 3 not at all. */
    @Test
    void aDeadlineOfOneEndsTheWaitOfAll() throws Exception {
        try (Ranks ranks = new Ranks(4, Map.of())) {
            final CountDownLatch over = new CountDownLatch(3);
            ranks.run(c -> {
                final CollectiveTimeoutException late = assertThrows(CollectiveTimeoutException.class, () -> {
                    switch (c.rank()) {
                        case 0 -> c.within(Duration.ofMillis(200)).barrier();
                        case 1 -> c.barrier();
                        case 2 -> c.recv(c.allocate(DataType.INT8, 1).segment(), 1, DataType.INT8, 3);
                        default -> {
                            over.await();
                            c.barrier();
                        }
                    }
                });
                over.countDown();
                final String message = late.getMessage();
                assertTrue(
                        message.contains("rank 0 waited 200 ms in barrier number 1") && message.contains("for rank 3")
                                && message.contains("rank 3 (host") && message.contains("its process responds"),
                        message);
                assertBroken(c, late);
            });
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"caller", "thread" })
    void abortWakesWhoeverIsInAnOperation(final String progress) throws Exception {
        try (Ranks ranks = new Ranks(4, Map.of("CHAGRES_PROGRESS", progress))) {
            final CountDownLatch over = new CountDownLatch(3);
            final long[] start = {Long.MAX_VALUE };
            final Thread aborter = Thread.ofPlatform().start(() -> {
                try {
                    Thread.sleep(200);
                } catch (final InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                start[0] = System.nanoTime();
                // While the thread of rank 0 itself is inside.
                ranks.communicator(0).abort("the user has seen enough");
            });
            ranks.run(c -> {
                final CommunicatorAbortedException aborted = assertThrows(CommunicatorAbortedException.class, () -> {
                    switch (c.rank()) {
                        case 0 -> c.barrier();
                        case 1 -> c.group().recv(c.allocate(DataType.INT8, 1).segment(), 1, DataType.INT8, 3).run();
                        case 2 -> {
                            c.barrierAsync();
                            c.barrierAsync().await();
                        }
                        default -> {
                            over.await();
                            c.barrier();
                        }
                    }
                });
                aborter.join();
                assertSoon(start[0]);
                over.countDown();
                final String message = aborted.getMessage();
                assertTrue(message.contains("rank 0 aborted") && message.contains("the user has seen enough"), message);
                assertBroken(c, aborted);
                // Once is enough.
                c.abort();
                assertBroken(c, aborted);
            });
        }
    }

    @Test
    void abortFailsWhatIsQueuedAtOnce() throws Exception {
        try (Ranks ranks = new Ranks(2, Map.of())) {
            ranks.run(c -> {
                if (c.rank() == 0) {
                    final Work work = c.barrierAsync();
                    c.abort();
                    assertTrue(work.poll());
                    assertThrows(CommunicatorAbortedException.class, work::await);
                }
            });
        }
    }

    @Test
    void whatBreaksAPartLeavesTheWorldWhole() throws Exception {
        try (Ranks ranks = new Ranks(3, Map.of())) {
            ranks.run(c -> {
                final Communicator part = c.split(0, 0);
                final Communicator twin = c.split(0, 0);
                if (c.rank() == 1) {
                    part.abort("no more of this");
                }
                assertThrows(CommunicatorAbortedException.class, () -> {
                    while (true) {
                        part.barrier();
                    }
                });
                Worlds.assertUsable(twin);
                Worlds.assertUsable(c);
            });
        }
    }

    /** Rank 3 dies; the halves are 0 and 1, 2 and 3, and each has a part again. */
    @Test
    void aDeathBreaksThePartsThatContainTheDeadAndNoOthers() throws Exception {
        try (Ranks ranks = new Ranks(4, Map.of())) {
            final CountDownLatch dead = new CountDownLatch(1);
            ranks.run(c -> {
                final Communicator half = c.split(c.rank() / 2, -c.rank());
                final Communicator single = half.split(half.rank(), 0);
                final Communicator again = half.split(0, half.rank());
                if (c.rank() == 3) {
                    ranks.membership(3).fail(new IllegalStateException("it died"));
                    dead.countDown();
                    return;
                }
                dead.await();
                Worlds.assertUsable(single);
                if (c.rank() < 2) {
                    for (int i = 0; i < 20; i++) {
                        Worlds.assertUsable(half);
                        Worlds.assertUsable(again);
                    }
                } else {
                    // By the part's numbers, which are the other way round.
                    final PeerFailedException failed = assertThrows(PeerFailedException.class, half::barrier);
                    assertEquals(0, failed.rank());
                    assertTrue(failed.getMessage().contains("rank 0 (rank 3 of the world, "), failed.getMessage());
                    assertThrows(PeerFailedException.class, again::barrier);
                }
                assertEquals(3, assertThrows(PeerFailedException.class, c::barrier).rank());
            });
        }
    }

    /** Closing a part is no failure for those that do not wait for whoever closed it. */
    @Test
    void whoWaitsForARankThatHasClosedThePartEndsSoon() throws Exception {
        try (Ranks ranks = new Ranks(3, Map.of())) {
            ranks.run(c -> {
                final Communicator part = c.split(0, 0);
                part.barrier();
                if (c.rank() == 1) {
                    part.close();
                } else {
                    final long start = System.nanoTime();
                    final PeerFailedException gone = assertThrows(PeerFailedException.class, part::barrier);
                    assertEquals(1, gone.rank());
                    assertTrue(gone.getMessage().contains("has closed its communicator"), gone.getMessage());
                    assertSoon(start);
                }
                Worlds.assertUsable(c);
            });
        }
    }

    @Test
    void aViewHasAnotherDeadlineAndIsTheSameInAllElse() throws Exception {
        try (Ranks ranks = new Ranks(2, Map.of())) {
            ranks.run(c -> {
                final Communicator hasty = c.within(Duration.ofSeconds(50));
                assertEquals(c.rank(), hasty.rank());
                final Communicator part = hasty.split(0, 0);
                final Communicator other = c.split(0, 0);
                Worlds.assertUsable(hasty);
                Worlds.assertUsable(part);
                Worlds.assertUsable(other);
                hasty.close();
                Worlds.assertUsable(c);
                Worlds.assertUsable(hasty);
                for (final Duration wrong : List.of(Duration.ZERO, Duration.ofMillis(-1))) {
                    assertThrows(IllegalArgumentException.class, () -> c.within(wrong));
                }
                Worlds.assertUsable(c.within(Duration.ofSeconds(Long.MAX_VALUE)));
                if (c.rank() == 0) {
                    final Work work = c.within(Duration.ofMillis(50)).barrierAsync();
                    final String message = assertThrows(CollectiveTimeoutException.class, work::await).getMessage();
                    assertTrue(message.contains("waited 50 ms for barrier") && message.contains("for rank 1")
                            && message.contains("its process responds"), message);
                    c.recv(c.allocate(DataType.INT8, 1).segment(), 1, DataType.INT8, 1);
                    work.await();
                } else {
                    Thread.sleep(300);
                    c.barrier();
                    c.send(c.allocate(DataType.INT8, 1).segment(), 1, DataType.INT8, 0);
                }
                c.close();
                assertThrows(IllegalStateException.class, hasty::barrier);
            });
        }
    }

    @ParameterizedTest
    @EnumSource(Breakdown.Kind.class)
    void newsTravels(final Breakdown.Kind kind) {
        final Breakdown sent = new Breakdown(kind, 7, "café \uD83D\uDE00");
        assertEquals(sent, Breakdown.decode(sent.encode()));
        final Breakdown long1 = Breakdown.decode(new Breakdown(kind, 7, "ab".repeat(100_000)).encode());
        assertTrue(long1.text().startsWith("abab") && long1.text().length() < 100_000);
    }

    @Test
    void rootedOperationsMayRunAheadIfTheSettingAllows() throws Exception {
        final List<String> modes = new ArrayList<>(List.of("all", "partners"));
        for (final String mode : modes) {
            try (Ranks ranks = new Ranks(3, Map.of("CHAGRES_CHECK", mode))) {
                final CountDownLatch released = new CountDownLatch(1);
                ranks.run(c -> {
                    if (c.rank() == 2) {
                        released.await();
                    }
                    final Work work = c.broadcastAsync(c.allocate(DataType.INT8, 1).segment(),
                            c.allocate(DataType.INT8, 1).segment(), 1, DataType.INT8, 0);
                    if (c.rank() == 0) {
                        if ("partners".equals(mode)) {
                            work.await();
                        } else {
                            final String late = assertThrows(CollectiveTimeoutException.class,
                                    () -> work.await(Duration.ofMillis(200))).getMessage();
                            assertTrue(late.contains("done but for rank 2, which has not begun it"), late);
                        }
                        released.countDown();
                    }
                    work.await();
                });
            }
        }
        assertInstanceOf(IllegalArgumentException.class,
                assertThrows(RuntimeException.class, () -> new Ranks(1, Map.of("CHAGRES_CHECK", "some")).close()));
    }
}
