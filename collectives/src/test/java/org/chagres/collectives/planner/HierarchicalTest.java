package org.chagres.collectives.planner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.chagres.collectives.plan.Collective;
import org.chagres.collectives.plan.Limits;
import org.chagres.collectives.plan.Plan;
import org.chagres.collectives.plan.Planner;
import org.chagres.collectives.plan.Shape;
import org.chagres.collectives.plan.Step;
import org.chagres.collectives.plan.Topology;
import org.chagres.collectives.proof.ProofException;
import org.chagres.collectives.proof.Prover;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class HierarchicalTest {
    private static final Limits LIMITS = new Limits(4096, 1 << 17, 4096, 2);
    /** Two places for each piece, and one. */
    private static final List<Limits> NARROW = List.of(Sweep.TIGHT, new Limits(64, 4096, 0, 2),
            new Limits(64, 2048, 0, 1), new Limits(64, 1 << 20, 0, 2));

    /** Each proof covers every choice of ranks that compute in place. */
    @ParameterizedTest
    @MethodSource("org.chagres.collectives.planner.Sweep#placements")
    void plansAreProved(final Sweep.Placement placement) {
        final int size = placement.size();
        final List<Sweep.Case> cases = new ArrayList<>(
                Sweep.hierarchical(placement, LIMITS, 0, 1, 2, size - 1L, size + 1L, 37L * size + 5, 12_289));
        for (final Limits limits : NARROW) {
            cases.addAll(Sweep.hierarchical(placement, limits, size + 1L, size < 6 ? 301 : 101));
        }
        for (final Sweep.Case each : cases) {
            try {
                Prover.check(each.planner(), each.shape(), each.limits());
            } catch (final ProofException e) {
                fail(each.toString(), e);
            }
        }
        assertTrue(cases.size() > 150, "only " + cases.size() + " cases");
    }

    @Test
    void manyHostsAndHugeCountsAreProved() {
        final int[] ranks = new int[16];
        Arrays.fill(ranks, 4);
        final Limits many = new Limits(1 << 17, 4 << 20, 16 << 10, 2, Topology.blocks(ranks));
        final Limits few = new Limits(1 << 18, 1L << 30, 16 << 10, 2, Topology.of(0, 1, 1, 0, 2));
        for (final Planner planner : List.of(Hierarchical.ring(), Hierarchical.direct())) {
            Prover.check(planner, new Shape(Collective.ALL_REDUCE, 64, 0, (1 << 22) + 3, 4), many);
            Prover.check(planner, new Shape(Collective.REDUCE_SCATTER, 64, 0, 1000, 4), many);
            Prover.check(planner, new Shape(Collective.ALL_REDUCE, 5, 0, (1L << 31) + 7, 8), few);
            Prover.check(planner, new Shape(Collective.ALL_GATHER, 5, 0, (1L << 31) + 7, 8), few);
        }
    }

    /** Bytes that the ranks of each host put to other hosts. */
    private static long[] across(final Sweep.Case each) {
        final Topology topology = each.limits().topology();
        final long[] bytes = new long[topology.hosts()];
        for (final Plan plan : each.plans()) {
            for (final Step step : plan.channels().stream().flatMap(List::stream).toList()) {
                if (step instanceof final Step.Put put && topology.crosses(plan.rank(), put.peer())) {
                    bytes[topology.host(plan.rank())] += put.count() * each.shape().elementSize();
                }
            }
        }
        return bytes;
    }

    /** What each host sends in the ring, one rank a host, host by host; that is the whole tensor of all_gather and reduce_scatter, too. */
    private static long[] ringOfOneRankAHost(final Shape shape, final int hosts, final int ranksPerHost,
            final int root) {
        final boolean parted = shape.collective() == Collective.ALL_GATHER
                || shape.collective() == Collective.REDUCE_SCATTER;
        final Shape single = new Shape(shape.collective(), hosts, root, shape.count() * (parted ? ranksPerHost : 1),
                shape.elementSize());
        final int[] one = new int[hosts];
        Arrays.fill(one, 1);
        return across(new Sweep.Case(new Ring(), single, LIMITS.on(Topology.blocks(one))));
    }

    /** The fewest bytes that cross hosts, on each host and whatever the number of its ranks. */
    @ParameterizedTest
    @EnumSource(names = {"ALL_REDUCE", "REDUCE", "BROADCAST", "ALL_GATHER", "REDUCE_SCATTER" })
    void noMoreCrossesHostsThanWithOneRankAHost(final Collective collective) {
        for (int hosts = 2; hosts <= 5; hosts++) {
            for (int ranks = 2; ranks <= 3; ranks++) {
                final int[] blocks = new int[hosts];
                Arrays.fill(blocks, ranks);
                final Limits limits = LIMITS.on(Topology.blocks(blocks));
                for (final long count : new long[]{1, 2, 7, 101, 30_011 }) {
                    final int root = collective.rooted() ? hosts * ranks - 1 : 0;
                    final Shape shape = new Shape(collective, hosts * ranks, root, count, 4);
                    final long[] expected = ringOfOneRankAHost(shape, hosts, ranks, root / ranks);
                    final Sweep.Case ring = new Sweep.Case(Hierarchical.ring(), shape, limits);
                    assertEquals(Arrays.toString(expected), Arrays.toString(across(ring)),
                            ring::toString);
                    final Sweep.Case direct = new Sweep.Case(Hierarchical.direct(), shape, limits);
                    final long all = Arrays.stream(across(direct)).sum();
                    final int more = collective == Collective.ALL_REDUCE ? hosts : 2;
                    assertEquals(Arrays.stream(expected).sum() * more / 2, all, direct::toString);
                }
            }
        }
    }

    /** As the issue at hand puts it: two hosts of two ranks. */
    @Test
    void twoHostsOfTwoRanksMoveTheTensorOnceEachWay() {
        final Limits limits = LIMITS.on(Topology.blocks(2, 2));
        for (final long count : new long[]{1, 2, 1000, 16_384 }) {
            final Shape shape = new Shape(Collective.ALL_REDUCE, 4, 0, count, 4);
            final Sweep.Case direct = new Sweep.Case(Hierarchical.direct(), shape, limits);
            assertEquals(Arrays.toString(new long[]{4 * count, 4 * count }),
                    Arrays.toString(across(direct)));
            final Sweep.Case flat = new Sweep.Case(new Direct(), shape, limits);
            assertTrue(Arrays.stream(across(flat)).sum() >= 8 * count);
        }
    }

    @Test
    void isForHostsOfWhichSomeHaveSeveralRanks() {
        final Shape shape = new Shape(Collective.ALL_REDUCE, 3, 0, 5, 4);
        for (final Planner planner : List.of(Hierarchical.ring(), Hierarchical.direct())) {
            assertFalse(planner.supports(shape, LIMITS));
            assertFalse(planner.supports(shape, LIMITS.on(Topology.blocks(1, 1, 1))));
            assertFalse(planner.supports(shape, LIMITS.on(Topology.blocks(2, 2))), "another number of ranks");
            assertTrue(planner.supports(shape, LIMITS.on(Topology.blocks(1, 2))));
            assertFalse(planner.supports(new Shape(Collective.ALL_REDUCE, 3, 0, 5, 64),
                    new Limits(64, 64, 0, 2, Topology.blocks(1, 2))), "no scratch for it");
        }
    }

    /** An owner combines what its whole host contributes with what comes from the hosts before it. */
    @Test
    void hostsOfMoreRanksThanAStepCombinesAreLeftToOthers() {
        final Shape shape = new Shape(Collective.ALL_REDUCE, Limits.MAX_OPERANDS + 2, 0, 5, 4);
        for (final Planner planner : List.of(Hierarchical.ring(), Hierarchical.direct())) {
            assertFalse(planner.supports(shape, LIMITS.on(Topology.blocks(Limits.MAX_OPERANDS, 2))));
            final Limits fits = LIMITS.on(Topology.blocks(Limits.MAX_OPERANDS - 1, 3));
            assertTrue(planner.supports(shape, fits));
            Prover.check(planner, shape, fits);
        }
    }

    /** At 8 B: to the owner, to the other host, to the other ranks. */
    @Test
    void aSmallAllReduceHasNoUselessSteps() {
        final Shape shape = new Shape(Collective.ALL_REDUCE, 4, 0, 2, 4);
        final Limits limits = LIMITS.on(Topology.blocks(2, 2));
        assertEquals(2, Hierarchical.direct().plan(shape, 3, limits).steps());
        assertEquals(6, Hierarchical.direct().plan(shape, 2, limits).steps());
    }
}
