package org.chagres.collectives.proof;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.chagres.collectives.plan.Collective;
import org.chagres.collectives.plan.FlushPoints;
import org.chagres.collectives.plan.Limits;
import org.chagres.collectives.plan.Plan;
import org.chagres.collectives.plan.Planner;
import org.chagres.collectives.plan.Shape;

/**
 * Proves the plans of all ranks together: a symbolic run shows that every output element is what the collective promises (of a reduction: every
 * rank's input exactly once, in the same order on all ranks), whichever ranks compute in place; that every two conflicting accesses to memory are
 * ordered by signals, a put being known only by the signal that follows it, and the end of its link's reading of the source only by that too or
 * by a flush at one of the {@link FlushPoints}; that each signal is awaited; that nothing leaves a buffer or a limit; that no rank puts into an
 * output whose owner may not have begun; and that all ranks end.
 */
public final class Prover {
    private Prover() {
    }

    /**
     * Makes and proves the plans of all ranks.
     *
     * @throws ProofException if they are wrong
     * @throws IllegalArgumentException if {@code planner} does not support {@code shape}
     */
    public static Proof check(final Planner planner, final Shape shape, final Limits limits) {
        final List<Plan> plans = new ArrayList<>();
        for (int rank = 0; rank < shape.size(); rank++) {
            plans.add(planner.plan(shape, rank, limits));
        }
        return prove(plans, limits);
    }

    /**
     * Proves plans.
     *
     * @param plans one of each rank, in order
     * @throws ProofException if they are wrong
     */
    public static Proof prove(final List<Plan> plans, final Limits limits) {
        if (plans.isEmpty()) {
            throw new IllegalArgumentException("no plans: there must be one of each rank");
        }
        new Form(plans, limits).check();
        return prove(plans, plans.stream().map(FlushPoints::of).toList());
    }

    /** Proves plans of legal form with these flush points, by rank and channel. */
    static Proof prove(final List<Plan> plans, final List<List<BitSet>> flushPoints) {
        final Plan first = plans.getFirst();
        final Machine machine = new Machine(plans, flushPoints);
        final int hops = machine.run();
        final Outcome outcome = new Outcome(machine, first.shape());
        outcome.check();
        final boolean synchronizing = machine.synchronizes();
        if (!synchronizing && (first.synchronizing() || first.shape().collective() == Collective.BARRIER)) {
            throw new ProofException(Place.end(first),
                    "the plans do not synchronize: some rank may end before another has begun");
        }
        return new Proof(synchronizing, hops, outcome.roundings());
    }
}
