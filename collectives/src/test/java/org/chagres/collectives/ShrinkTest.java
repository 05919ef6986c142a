package org.chagres.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is left goes on. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ShrinkTest {
    private static void die(final Ranks ranks, final int rank) {
        ranks.membership(rank).fail(new IllegalStateException("it died"));
    }

    /** Each call takes the place of the communicator that it is called on. */
    private static Communicator shrunk(final Communicator c, final int size) {
        assertThrows(PeerFailedException.class, () -> {
            while (true) {
                c.barrier();
            }
        });
        final Communicator less = c.shrink();
        assertEquals(size, less.size());
        Worlds.assertUsable(less);
        assertThrows(IllegalStateException.class, c::barrier);
        assertThrows(IllegalStateException.class, c::shrink);
        c.close();
        Worlds.assertUsable(less);
        return less;
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 6 })
    void oneAfterAnotherDies(final int size) throws Exception {
        // A rank that dies when it is done breaks an operation in which others still are.
        final Phaser done = new Phaser(size);
        try (Ranks ranks = new Ranks(size, Map.of())) {
            ranks.run(world -> {
                Communicator c = world;
                final Buffer old = world.allocate(DataType.INT32, 5_000);
                // By turns the last and the first, so that the others are renumbered.
                for (int left = size; left > 1; left--) {
                    done.arriveAndAwaitAdvance();
                    final int victim = left % 2 == 0 ? 0 : left - 1;
                    if (c.rank() == victim) {
                        die(ranks, world.rank());
                        assertThrows(PeerFailedException.class, c::barrier);
                        assertThrows(PeerFailedException.class, c::shrink);
                        c.close();
                        done.arriveAndDeregister();
                        return;
                    }
                    final int rank = c.rank();
                    c = shrunk(c, left - 1);
                    assertEquals(victim == 0 ? rank - 1 : rank, c.rank());
                    Worlds.fill(old, 1);
                    c.allReduce(old, ReduceOp.SUM);
                    Worlds.assertFilled(left - 1, old);
                }
                c.close();
                assertThrows(IllegalStateException.class, () -> world.allocate(DataType.INT8, 1));
            });
        }
    }

    @Test
    void aWholeOneMayBeShrunkTooAndWhoeverIsInAnOperationHears() throws Exception {
        try (Ranks ranks = new Ranks(3, Map.of())) {
            ranks.run(world -> {
                Communicator c = world;
                for (int i = 0; i < 3; i++) {
                    final Communicator now = c;
                    if (c.rank() == i) {
                        assertTrue(assertThrows(CommunicatorAbortedException.class, now::barrier).getMessage()
                                .contains("calls shrink()"));
                    }
                    c = c.shrink();
                    assertEquals(3, c.size());
                    Worlds.assertUsable(c);
                }
                c.close();
            });
        }
    }

    @Test
    void ofAPartAndItsParts() throws Exception {
        try (Ranks ranks = new Ranks(6, Map.of())) {
            ranks.run(world -> {
                final Communicator half = world.split(world.rank() % 2, -world.rank());
                final Communicator pair = half.split(half.rank() / 2, 0);
                if (world.rank() == 3) {
                    die(ranks, 3);
                    return;
                }
                if (world.rank() % 2 == 0) {
                    Worlds.assertUsable(pair);
                    Worlds.assertUsable(half);
                } else {
                    // Ranks 5, 3, 1 of the world.
                    final Communicator two = shrunk(half, 2);
                    assertEquals(world.rank() == 5 ? 0 : 1, two.rank());
                    final Communicator single = two.split(two.rank(), 0);
                    Worlds.assertUsable(single);
                    assertThrows(IllegalStateException.class, pair::barrier);
                    two.close();
                    assertThrows(IllegalStateException.class, single::barrier);
                }
                final Communicator five = shrunk(world, 5);
                assertEquals(world.rank() < 3 ? world.rank() : world.rank() - 1, five.rank());
                five.close();
            });
        }
    }

    /** A rank that has closed the part, and lives, is not a member any more; the world still has it. */
    @Test
    void whoHasClosedThePartIsLeftOut() throws Exception {
        try (Ranks ranks = new Ranks(3, Map.of())) {
            ranks.run(world -> {
                final Communicator part = world.split(0, 0);
                if (world.rank() == 0) {
                    part.close();
                } else {
                    try (Communicator two = part.shrink()) {
                        assertEquals(2, two.size());
                        Worlds.assertUsable(two);
                    }
                }
                Worlds.assertUsable(world);
            });
        }
    }

    @Test
    void whoLivesButDoesNotCallItIsWaitedForUntilTheDeadline() throws Exception {
        try (Ranks ranks = new Ranks(3, Map.of())) {
            final CountDownLatch given = new CountDownLatch(2);
            ranks.run(c -> {
                if (c.rank() == 2) {
                    given.await();
                } else {
                    final String message = assertThrows(CollectiveTimeoutException.class,
                            () -> c.within(Duration.ofMillis(300)).shrink()).getMessage();
                    assertTrue(message.contains("waited 300 ms in shrink()") && message.contains("for rank 2 (host"),
                            message);
                    given.countDown();
                }
                try (Communicator three = c.shrink()) {
                    assertEquals(3, three.size());
                    Worlds.assertUsable(three);
                }
            });
        }
    }

    @Test
    void nothingIsLeftOpen() throws Exception {
        final long before = open();
        for (int i = 0; i < 3; i++) {
            try (Ranks ranks = new Ranks(3, Map.of())) {
                ranks.run(world -> {
                    final Communicator part = world.split(0, 0);
                    if (world.rank() == 1) {
                        die(ranks, 1);
                        return;
                    }
                    final Communicator ofPart = shrunk(part, 2);
                    final Communicator ofWorld = shrunk(world, 2);
                    Worlds.assertUsable(ofPart);
                    ofWorld.close();
                    Worlds.assertUsable(ofPart);
                    ofPart.close();
                });
            }
        }
        assertEquals(before, open());
    }

    /** Mappings and descriptors of shared memory. */
    private static long open() throws IOException {
        try (var maps = Files.lines(Path.of("/proc/self/maps")); var files = Files.list(Path.of("/proc/self/fd"))) {
            return maps.filter(line -> line.contains("memfd:chagres")).count() + files.count();
        }
    }
}
