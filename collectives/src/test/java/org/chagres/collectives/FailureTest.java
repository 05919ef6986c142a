package org.chagres.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A rank of a world of threads that fails or stays away. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class FailureTest {
    private static final long SOON_NS = 5_000_000_000L;

    /** How a rank waits for others. */
    private static void await(final Communicator c, final String how) throws Exception {
        final Buffer buffer = c.allocate(DataType.FLOAT32, 50_000);
        switch (how) {
            case "blocking" -> c.allReduce(buffer, ReduceOp.SUM);
            case "await" -> c.allReduceAsync(buffer, buffer, ReduceOp.SUM).await();
            case "poll" -> {
                final Work work = c.barrierAsync();
                while (!work.poll()) {
                    Thread.onSpinWait();
                }
                work.await();
            }
            case "stage" -> {
                try {
                    c.barrierAsync().stage().toCompletableFuture().get();
                } catch (final ExecutionException e) {
                    throw (Exception) e.getCause();
                }
            }
            case "queued" -> {
                c.barrierAsync();
                c.barrier();
            }
            case "recv" -> c.recv(buffer.segment(), 1, DataType.FLOAT32, (c.rank() + 1) % c.size());
            case "group" -> c.group().recv(buffer.segment(), 1, DataType.FLOAT32, (c.rank() + 1) % c.size()).run();
            default -> c.split(0, 0);
        }
    }

    @ParameterizedTest
    @CsvSource({"blocking, caller", "await, caller", "await, thread", "poll, caller", "poll, thread", "stage, thread",
            "queued, caller", "queued, thread", "recv, caller", "group, caller", "split, caller" })
    void whoWaitsForARankThatFailsEndsSoonAndTheFirstCauseIsThrown(final String how, final String progress) {
        final IllegalArgumentException cause = new IllegalArgumentException("the cause");
        final CompletableFuture<Throwable> other = new CompletableFuture<>();
        try (World world = Worlds.open(3, Map.of("CHAGRES_PROGRESS", progress))) {
            final long start = System.nanoTime();
            assertSame(cause, assertThrows(IllegalArgumentException.class, () -> world.run(c -> {
                if (c.rank() == 1) {
                    Thread.sleep(50);
                    throw cause;
                }
                try {
                    await(c, how);
                } catch (final RuntimeException e) {
                    other.complete(e);
                    throw e;
                }
            })));
            assertTrue(System.nanoTime() - start < SOON_NS);
            Throwable seen = other.join();
            if (!(seen instanceof PeerFailedException)) {
                seen = seen.getCause();
            }
            final PeerFailedException failed = assertInstanceOf(PeerFailedException.class, seen);
            assertEquals(1, failed.rank());
            assertTrue(failed.getMessage().contains("the cause") && failed.getMessage().contains("was in"),
                    failed.getMessage());
        }
    }

    /** Good order is no failure, unless somebody waits. */
    @ParameterizedTest
    @CsvSource({"blocking, caller", "await, thread", "poll, caller", "stage, thread", "recv, caller", "group, caller",
            "split, caller" })
    void whoWaitsForARankThatHasLeftEndsSoon(final String how, final String progress) {
        try (World world = Worlds.open(2, Map.of("CHAGRES_PROGRESS", progress))) {
            final long start = System.nanoTime();
            world.run(c -> {
                c.barrier();
                if (c.rank() == 1) {
                    c.close();
                } else {
                    final PeerFailedException gone = assertThrows(PeerFailedException.class, () -> await(c, how));
                    assertEquals(1, gone.rank());
                    assertTrue(gone.getMessage().contains("has closed its communicator"), gone.getMessage());
                }
            });
            assertTrue(System.nanoTime() - start < SOON_NS);
        }
    }

    @Test
    void whoDoesNotWaitForARankThatHasLeftGoesOn() {
        Worlds.run(3, c -> {
            final Communicator pair = c.rank() == 2 ? null : c.split(0, 0);
            if (pair == null) {
                c.splitNone();
                c.close();
            } else {
                for (int i = 0; i < 100; i++) {
                    Worlds.assertUsable(pair);
                    Thread.sleep(1);
                }
            }
        });
    }

    @Test
    void anErrorIsThrownToo() {
        try (World world = Worlds.open(2, Map.of())) {
            final String message = assertThrows(IllegalStateException.class, () -> world.run(c -> {
                if (c.rank() == 0) {
                    throw new AssertionError("wrong");
                }
                c.barrier();
            })).getMessage();
            assertTrue(message.contains("wrong"), message);
        }
    }

    @Test
    void aRankThatStaysAwayIsNamedAtTheDeadline() {
        try (World world = Worlds.open(3, Map.of("CHAGRES_TIMEOUT", "0.2"))) {
            final RuntimeException first = assertThrows(RuntimeException.class, () -> world.run(c -> {
                if (c.rank() != 2) {
                    c.allReduce(new float[3], ReduceOp.SUM);
                }
            }));
            final String message = assertInstanceOf(CollectiveTimeoutException.class, first).getMessage();
            assertTrue(message.contains("waited 200 ms in all_reduce number 1") && message.contains("for rank 2")
                    && message.contains("CHAGRES_TIMEOUT"), message);
        }
    }

    @Test
    void aMessageThatDoesNotComeNamesTheRankOfTheCommunicator() {
        try (World world = Worlds.open(4, Map.of("CHAGRES_TIMEOUT", "0.2"))) {
            final RuntimeException first = assertThrows(RuntimeException.class, () -> world.run(c -> {
                if (c.rank() == 1) {
                    c.recv(c.allocate(DataType.INT8, 1).segment(), 1, DataType.INT8, 3);
                }
            }));
            assertTrue(first.getMessage().contains("rank 1 waited") && first.getMessage().contains("for rank 3"),
                    first.getMessage());
        }
    }

    @Test
    void aBrokenCommunicatorSaysWhyAndCloses() {
        try (World world = Worlds.open(2, Map.of("CHAGRES_TIMEOUT", "0.1"))) {
            world.run(c -> {
                if (c.rank() == 0) {
                    final RuntimeException why = assertThrows(CollectiveTimeoutException.class, c::barrier);
                    for (int i = 0; i < 3; i++) {
                        final RuntimeException again = assertThrows(CollectiveTimeoutException.class, c::barrier);
                        assertTrue(again.getMessage().contains(why.getMessage()), again.getMessage());
                        assertSame(why, again.getCause());
                    }
                    assertThrows(CollectiveTimeoutException.class, c::barrierAsync);
                    assertThrows(CollectiveTimeoutException.class, () -> c.split(0, 0));
                    c.allocate(DataType.INT8, 1).close();
                }
            });
        }
    }

    /** The end of a world is no time to crash: some ranks close early, others still use what they share. */
    @ParameterizedTest
    @ValueSource(ints = {10, 50_000 })
    void aPartThatOneRankClosesEarlyIsAnErrorForTheOthersAndNoCrash(final int count) {
        final CountDownLatch done = new CountDownLatch(1);
        try (World world = Worlds.open(2, Map.of("CHAGRES_TIMEOUT", "1"))) {
            world.run(c -> {
                final Communicator part = c.split(0, 0);
                final Buffer buffer = c.allocate(DataType.INT32, count);
                if (c.rank() == 0) {
                    part.close();
                    c.barrier();
                    done.await();
                } else {
                    c.barrier();
                    for (int i = 0; i < 3; i++) {
                        assertThrows(RuntimeException.class, () -> part.allReduce(buffer, ReduceOp.SUM));
                    }
                    done.countDown();
                }
                Worlds.assertUsable(c);
            });
        }
    }

    @Test
    void worldsOfManyRanksOpenAndClose() {
        for (int i = 0; i < 5; i++) {
            Worlds.run(16, Worlds::assertUsable);
        }
    }
}
