package org.chagres.collectives.planner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.chagres.collectives.plan.Cost;
import org.chagres.collectives.plan.Crossing;
import org.chagres.collectives.plan.Limits;
import org.chagres.collectives.plan.Plan;
import org.chagres.collectives.plan.Space;
import org.chagres.collectives.plan.Step;
import org.chagres.collectives.plan.Topology;
import org.chagres.collectives.proof.Proof;
import org.chagres.collectives.proof.Prover;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What planners claim to cost is what their plans do. */
class CostTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 7, 8, 11, 16 })
    void claimsAreWhatPlansDo(final int size) {
        for (final Sweep.Case each : Sweep.cases(size, Sweep.ROOMY, 0, 1, size - 1L, 3L * size + 1)) {
            final Proof proof = checkCounts(each);
            final int hops = each.planner().cost(each.shape(), each.limits()).hops();
            // With fewer elements than ranks or halves, some chains are missing.
            assertTrue(each.shape().count() < size ? proof.hops() <= hops : proof.hops() == hops,
                    () -> each + ": " + proof.hops() + " hops");
        }
        for (final Sweep.Case each : Sweep.cases(size, Sweep.TIGHT, 150)) {
            final Proof proof = checkCounts(each);
            assertTrue(proof.hops() >= each.planner().cost(each.shape(), each.limits()).hops(),
                    () -> each + ": " + proof.hops() + " hops");
        }
    }

    @ParameterizedTest
    @MethodSource("org.chagres.collectives.planner.Sweep#placements")
    void claimsAreWhatPlansForHostsDo(final Sweep.Placement placement) {
        final int size = placement.size();
        for (final Sweep.Case each : Sweep.hierarchical(placement, Sweep.ROOMY, 0, 1, size - 1L, 101)) {
            final Proof proof = checkCounts(each);
            final Cost claim = each.planner().cost(each.shape(), each.limits());
            // Where hosts differ, the chain over all hosts that have most of everything may not exist.
            assertTrue(placement.even() && each.shape().count() > 100
                    ? proof.hops() == claim.hops()
                    : proof.hops() <= claim.hops(), () -> each + ": " + proof.hops() + " hops, not " + claim.hops());
            assertTrue(claim.across().hops() < claim.hops(), each::toString);
        }
        for (final Limits limits : List.of(Sweep.TIGHT, new Limits(64, 4096, 0, 2), new Limits(64, 2048, 0, 1))) {
            for (final Sweep.Case each : Sweep.hierarchical(placement, limits, 150)) {
                checkCounts(each);
            }
        }
    }

    private static Proof checkCounts(final Sweep.Case each) {
        final Cost claim = each.planner().cost(each.shape(), each.limits());
        final Proof proof = Prover.check(each.planner(), each.shape(), each.limits());
        long sent = 0;
        long reduced = 0;
        long copied = 0;
        long messages = 0;
        long staged = 0;
        long sentAcross = 0;
        long messagesAcross = 0;
        for (final Plan plan : each.plans()) {
            final Plan across = across(plan, each.limits().topology());
            sentAcross = Math.max(sentAcross, sum(across, CostTest::sent));
            messagesAcross = Math.max(messagesAcross, sum(across, CostTest::messages));
            sent = Math.max(sent, sum(plan, CostTest::sent));
            reduced = Math.max(reduced,
                    sum(plan, step -> step instanceof final Step.Reduce reduce ? reduce.count() : 0));
            copied = Math.max(copied, sum(plan, step -> step instanceof final Step.Copy copy ? copy.count() : 0));
            messages = Math.max(messages, sum(plan, CostTest::messages));
            staged = Math.max(staged, staged(plan));
        }
        final long size = each.shape().elementSize();
        final int roundings = each.shape().count() > 0 ? proof.roundings() : claim.roundings();
        assertEquals(
                new Cost(claim.hops(), messages, sent * size, claim.fillBytes(), reduced * size, roundings,
                        staged * size, copied * size, new Crossing(claim.across().hops(), messagesAcross,
                                sentAcross * size, claim.across().fillBytes())),
                claim, each::toString);
        return proof;
    }

    private static long sent(final Step step) {
        return step instanceof final Step.Put put ? put.count() : 0;
    }

    /** The steps that write to another host. */
    private static Plan across(final Plan plan, final Topology topology) {
        final List<List<Step>> channels = plan.channels()
                .stream()
                .map(steps -> steps.stream().filter(step -> switch (step) {
                    case final Step.Put put -> topology.crosses(plan.rank(), put.peer());
                    case final Step.Signal signal -> topology.crosses(plan.rank(), signal.peer());
                    case final Step.Wait _,final Step.Copy _,final Step.Reduce _ -> false;
                }).toList())
                .toList();
        return new Plan(plan.algorithm(), plan.shape(), plan.rank(), plan.scratch(), plan.scratchCount(),
                plan.synchronizing(), channels);
    }

    private static long staged(final Plan plan) {
        long staged = 0;
        for (final Step step : plan.channels().stream().flatMap(List::stream).toList()) {
            if (step instanceof final Step.Put put && put.to().space() == Space.SCRATCH) {
                staged = Math.max(staged, put.count());
            }
        }
        return staged;
    }

    private static long messages(final Step step) {
        return step instanceof Step.Signal || (step instanceof final Step.Put put && put.signal()) ? 1 : 0;
    }

    private static long sum(final Plan plan, final java.util.function.ToLongFunction<Step> part) {
        return plan.channels().stream().flatMap(List::stream).mapToLong(part).sum();
    }

    /** The bytes on the critical path, which {@code fillBytes} completes, are those of a simulation within a third. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 8, 13 })
    void bytesOnTheCriticalPathAreRight(final int size) {
        for (final Sweep.Case each : Sweep.cases(size, new Limits(1 << 10, 1 << 16, 0, 2), 40_000)) {
            final Cost claim = each.planner().cost(each.shape(), each.limits());
            final double claimed = (claim.bytesSent() + claim.fillBytes()) / (double) each.shape().elementSize();
            final double simulated = ByteClock.elements(each.plans());
            assertTrue(claimed >= simulated / 1.4 && claimed <= simulated * 1.4,
                    () -> each + ": " + claimed + " for " + simulated);
        }
    }
}
