package org.chagres.collectives.proof;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.chagres.collectives.plan.Collective;
import org.chagres.collectives.plan.FlushPoints;
import org.chagres.collectives.plan.Limits;
import org.chagres.collectives.plan.Plan;
import org.chagres.collectives.plan.Scratch;
import org.chagres.collectives.plan.Topology;
import org.chagres.collectives.planner.Sweep;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Plans that are broken in known ways are refused, for every planner and collective. */
class MutantsTest {
    private static final int MUTANTS_PER_CASE = 12;
    private static final int RUNS = 12;
    /** In these all ranks need all others, so that none may wait before it has sent. */
    private static final Set<Collective> SYMMETRICAL = EnumSet.of(Collective.ALL_REDUCE, Collective.ALL_GATHER,
            Collective.REDUCE_SCATTER, Collective.ALL_TO_ALL, Collective.BARRIER);

    @ParameterizedTest
    @EnumSource
    void everyMutantIsRefusedNamingRankAndStep(final Mutants mutation) {
        int refused = 0;
        for (final Sweep.Case each : cases()) {
            final List<List<Plan>> mutants = new ArrayList<>(mutation.of(each.plans()));
            Collections.shuffle(mutants, new Random(1));
            for (final List<Plan> mutant : mutants.subList(0, Math.min(MUTANTS_PER_CASE, mutants.size()))) {
                refused += isRefused(mutation, each, mutant) ? 1 : 0;
            }
        }
        assertTrue(refused > 50, "only " + refused + " mutants");
    }

    private static List<Sweep.Case> cases() {
        final List<Sweep.Case> cases = new ArrayList<>();
        for (final int size : new int[]{1, 2, 3, 4, 6 }) {
            cases.addAll(Sweep.cases(size, Sweep.ROOMY, size + 2L));
            cases.addAll(Sweep.cases(size, Sweep.TIGHT, 150));
        }
        for (final Topology topology : List.of(Topology.blocks(2, 2), Topology.of(0, 1, 2, 0, 1))) {
            final Sweep.Placement placement = new Sweep.Placement(topology,
                    topology.equals(Topology.blocks(2, 2)) ? 4 : 5);
            cases.addAll(Sweep.hierarchical(placement, Sweep.ROOMY, 7));
            cases.addAll(Sweep.hierarchical(placement, Sweep.TIGHT, 150));
        }
        return cases;
    }

    private static boolean isRefused(final Mutants mutation, final Sweep.Case each, final List<Plan> mutant) {
        try {
            Prover.prove(mutant, each.limits());
        } catch (final ProofException e) {
            final Place place = e.place();
            final int steps = mutant.get(place.rank()).channels().get(place.channel()).size();
            assertTrue(place.index() >= 0 && place.index() <= steps, e::getMessage);
            assertTrue(
                    e.getMessage()
                            .startsWith("rank " + place.rank() + ", channel " + place.channel() + ", step "
                                    + place.index()),
                    e::getMessage);
            return true;
        }
        if (!mutation.mayBeRight()
                || (mutation == Mutants.WAIT_FIRST && SYMMETRICAL.contains(each.shape().collective()))) {
            fail(each + ": accepted a mutant by " + mutation + ": " + mutant);
        }
        // Accepted because it is right: so it must come to the right output in any order.
        if (each.shape().collective() != Collective.BARRIER) {
            assertTrue(ConcreteRun.isRight(mutant, RUNS, 2),
                    () -> each + ": accepted a wrong mutant by " + mutation + ": " + mutant);
        }
        return false;
    }

    /** Every dropped wait that numbers show to matter is among the refused: in some order it gives a wrong result. */
    @Test
    void refusedMutantsAreWrongOnNumbers() {
        int wrong = 0;
        int all = 0;
        for (final Sweep.Case each : Sweep.cases(3, Sweep.TIGHT, 150)) {
            for (final List<Plan> mutant : Mutants.DROPPED_WAIT.of(each.plans())) {
                if (each.shape().collective() != Collective.BARRIER && !ConcreteRun.isRight(mutant, 5, all)) {
                    wrong++;
                    assertThrows(ProofException.class, () -> Prover.prove(mutant, each.limits()), each::toString);
                }
                all++;
            }
        }
        assertTrue(wrong > all / 4, wrong + " of " + all);
    }

    /** Without a flush point that matters a plan is refused; without one that does not it is right on numbers. */
    @Test
    void droppedFlushPointsAreRefusedNamingRankAndStep() {
        final Set<String> refused = new TreeSet<>();
        for (final Sweep.Case each : reusingCases()) {
            final List<Plan> plans = each.plans();
            for (final List<List<BitSet>> points : withoutOneFlushPoint(plans)) {
                try {
                    Prover.prove(plans, points);
                    assertTrue(ConcreteRun.isRight(plans, points, RUNS, 3), each::toString);
                } catch (final ProofException e) {
                    assertTrue(e.reason().contains("its link to rank"), e::getMessage);
                    assertNotNull(e.place().step(), e::getMessage);
                    refused.add(each.planner().name() + " " + each.shape().collective().label());
                }
            }
        }
        assertEquals(Set.of("direct reduce", "oneshot all_reduce", "recursive_doubling all_reduce", "ring all_reduce",
                "ring reduce", "ring reduce_scatter", "tree reduce"), refused);
    }

    /** Cases in which places are used again. */
    private static List<Sweep.Case> reusingCases() {
        final List<Sweep.Case> cases = new ArrayList<>();
        for (final int size : new int[]{2, 3, 4 }) {
            cases.addAll(Sweep.cases(size, Sweep.ROOMY, size + 2L));
            cases.addAll(Sweep.cases(size, Sweep.TIGHT, 500));
        }
        return cases;
    }

    private static List<List<List<BitSet>>> withoutOneFlushPoint(final List<Plan> plans) {
        final List<List<List<BitSet>>> mutants = new ArrayList<>();
        for (int rank = 0; rank < plans.size(); rank++) {
            for (int channel = 0; channel < plans.get(rank).channels().size(); channel++) {
                final int[] points = FlushPoints.of(plans.get(rank)).get(channel).stream().toArray();
                final int mutated = Math.min(points.length, MUTANTS_PER_CASE);
                for (int i = 0; i < mutated; i++) {
                    final List<List<BitSet>> mutant = plans.stream().map(FlushPoints::of).toList();
                    mutant.get(rank).get(channel).clear(points[i * points.length / mutated]);
                    mutants.add(mutant);
                }
            }
        }
        return mutants;
    }

    /** Without flushes numbers go wrong, so that the prover refuses no mere formality. */
    @Test
    void flushesMatterOnNumbers() {
        int wrong = 0;
        for (final Sweep.Case each : reusingCases()) {
            final List<Plan> plans = each.plans();
            final List<List<BitSet>> none = plans.stream()
                    .map(plan -> Collections.nCopies(plan.channels().size(), new BitSet()))
                    .toList();
            if (each.shape().collective() != Collective.BARRIER && !ConcreteRun.isRight(plans, none, RUNS, 4)) {
                wrong++;
                assertThrows(ProofException.class, () -> Prover.prove(plans, none), each::toString);
            }
        }
        assertTrue(wrong > 10, () -> "flushes mattered in few cases");
    }

    @Test
    void exceededLimitsAreRefused() {
        for (final Sweep.Case each : cases()) {
            final List<Plan> plans = each.plans();
            final Plan plan = plans.getFirst();
            final Limits limits = each.limits();
            final long bytes = plan.scratchCount() * each.shape().elementSize();
            if (plan.channels().size() > 1) {
                refuse(plans, new Limits(limits.chunkBytes(), limits.scratchBytes(), limits.inboxBytes(), 1),
                        "channels");
            }
            if (plan.scratch() == Scratch.INBOX && bytes > 0) {
                refuse(plans, new Limits(limits.chunkBytes(), limits.scratchBytes(), each.shape().bytes() - 1, 2),
                        "exceeds");
            }
            if (plan.scratch() == Scratch.HEAP && bytes > 64) {
                refuse(plans, new Limits(64, bytes - 1, 0, 2), "scratch");
            }
        }
    }

    private static void refuse(final List<Plan> plans, final Limits limits, final String reason) {
        final ProofException e = assertThrows(ProofException.class, () -> Prover.prove(plans, limits));
        assertTrue(e.reason().contains(reason), e::getMessage);
    }

    @Test
    void plansThatDisagreeAreRefused() {
        for (final Sweep.Case each : Sweep.cases(3, Sweep.ROOMY, 5)) {
            final List<Plan> plans = each.plans();
            final Plan last = plans.getLast();
            final Plan claims = new Plan(last.algorithm(), last.shape(), 2, last.scratch(), last.scratchCount(),
                    !last.synchronizing(),
                    last.channels());
            refuse(List.of(plans.get(0), plans.get(1), claims), each.limits(), "synchronize");
            refuse(List.of(plans.get(0), plans.get(2), plans.get(1)), each.limits(), "is the plan of rank");
            refuse(plans.subList(0, 2), each.limits(), "plans for 3 ranks");
        }
    }

    @Test
    void falseClaimsToSynchronizeAreRefused() {
        for (final Sweep.Case each : Sweep.cases(4, Sweep.ROOMY, 5)) {
            if (!Prover.prove(each.plans(), each.limits()).synchronizing()) {
                final List<Plan> claiming = new ArrayList<>();
                for (final Plan plan : each.plans()) {
                    assertFalse(plan.synchronizing(), each::toString);
                    claiming.add(new Plan(plan.algorithm(), plan.shape(), plan.rank(), plan.scratch(),
                            plan.scratchCount(), true,
                            plan.channels()));
                }
                refuse(claiming, each.limits(), "do not synchronize");
            }
        }
    }
}
