package org.chagres.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.chagres.collectives.plan.Collective;
import org.chagres.collectives.plan.Shape;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Ranks that fail at random moments of random collectives, also while the others still deal with the failure before: every survivor hears of it within seconds,
 * and what is left computes right results.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ChaosTest {
    private static final int RUNS = 60;
    private static final int MAX_RANKS = 6;
    /** Operations of those that are never struck. */
    private static final int ENOUGH = 8;
    private static final long SOON_NS = 2_000_000_000L;
    private static final Collective[] COLLECTIVES = {Collective.ALL_REDUCE, Collective.BROADCAST, Collective.REDUCE,
            Collective.ALL_GATHER, Collective.REDUCE_SCATTER, Collective.ALL_TO_ALL, Collective.GATHER,
            Collective.SCATTER, Collective.BARRIER };
    private static final int[] COUNTS = {0, 1, 17, 3_000, 40_000 };

    @ParameterizedTest
    @CsvSource({"all, shm", "partners, shm", "all, tcp" })
    void survivorsGoOn(final String check, final String transport) throws Exception {
        for (int run = 0; run < RUNS; run++) {
            final Random random = new Random(run);
            final int size = 2 + random.nextInt(MAX_RANKS - 1);
            final List<Integer> victims = new ArrayList<>(IntStream.range(0, size).boxed().toList());
            Collections.shuffle(victims, random);
            oneRun(run, size, victims.subList(0, 1 + random.nextInt(Math.min(3, size - 1))),
                    Map.of("CHAGRES_TIMEOUT", "20", "CHAGRES_CHECK", check, "CHAGRES_TRANSPORT", transport));
        }
    }

    private static void oneRun(final int seed, final int size, final List<Integer> victims,
            final Map<String, String> settings) throws Exception {
        try (Ranks ranks = new Ranks(size, settings)) {
            final long[] failedAt = new long[size];
            final Thread reaper = Thread.ofPlatform().start(() -> {
                final Random random = new Random(seed);
                for (final int victim : victims) {
                    try {
                        TimeUnit.MICROSECONDS.sleep(random.nextInt(15_000));
                    } catch (final InterruptedException e) {
                        return;
                    }
                    failedAt[victim] = System.nanoTime();
                    ranks.membership(victim).fail(new IllegalStateException("it was struck"));
                }
            });
            ranks.run(world -> {
                try {
                    survive(ranks, world, seed, victims, failedAt);
                } catch (final PeerFailedException e) {
                    // The end of one that was struck.
                    assertTrue(victims.contains(world.rank()), () -> "run " + seed + ", rank " + world.rank() + ": "
                            + e);
                }
            });
            reaper.join();
        }
    }

    private static void survive(final Ranks ranks, final Communicator world, final int seed,
            final List<Integer> victims, final long[] failedAt) {
        Communicator c = world;
        while (true) {
            try (Communicator closing = c) {
                try {
                    work(ranks, closing, seed, victims, world);
                    return;
                } catch (final PeerFailedException e) {
                    // A later communicator may be made with a rank that was struck meanwhile.
                    final int failed = closing.peer(e.rank()).rank();
                    if (victims.contains(failed) && e.getMessage().contains("it was struck") && closing == world) {
                        final long late = System.nanoTime() - failedAt[failed];
                        assertTrue(late < SOON_NS, () -> "run " + seed + ": the news took " + late / 1_000_000 + " ms");
                    }
                    if (failed == world.rank()) {
                        throw e;
                    }
                    c = closing.shrink();
                }
            }
        }
    }

    /** Computes for as long as there are members that will be struck, and then a while. */
    private static void work(final Ranks ranks, final Communicator c, final int seed, final List<Integer> victims,
            final Communicator world) {
        final Random random = new Random(seed + 31L * c.size());
        final boolean doomed = IntStream.range(0, c.size()).anyMatch(r -> victims.contains(c.peer(r).rank()));
        for (int i = 0; i < ENOUGH || doomed; i++) {
            operation(c, random);
        }
        final int[] members = new int[c.size()];
        c.allGather(MemorySegment.ofArray(new int[]{world.rank() }), MemorySegment.ofArray(members), 1,
                DataType.INT32);
        assertEquals(ranks.size() - victims.size(), members.length, () -> "run " + seed);
        assertTrue(Arrays.stream(members).noneMatch(victims::contains));
        // Nobody leaves before all have their result.
        c.barrier();
    }

    private static void operation(final Communicator c, final Random random) {
        final Collective collective = COLLECTIVES[random.nextInt(COLLECTIVES.length)];
        final long count = collective == Collective.BARRIER ? 0 : COUNTS[random.nextInt(COUNTS.length)];
        final int root = collective.rooted() ? random.nextInt(c.size()) : 0;
        final ReduceOp op = switch (collective) {
            case ALL_REDUCE, REDUCE, REDUCE_SCATTER -> ReduceOp.SUM;
            case BROADCAST, ALL_GATHER, ALL_TO_ALL, GATHER, SCATTER, BARRIER, SEND_RECV -> null;
        };
        final DataType type = collective == Collective.BARRIER ? DataType.UINT8 : DataType.INT32;
        final Operation operation = new Operation(new Shape(collective, c.size(), root, count, type.size()), type, op);
        final MemorySegment expected = operation.output(c.rank());
        try (Buffer recv = c.allocate(type, expected.byteSize() / type.size())) {
            operation.call(c, operation.input(c.rank()), recv.segment());
            assertEquals(-1, recv.segment().mismatch(expected), () -> operation + " at rank " + c.rank());
        }
    }
}
