package org.chagres.collectives.planner;

import java.util.List;
import org.chagres.collectives.plan.Collective;
import org.chagres.collectives.plan.Cost;
import org.chagres.collectives.plan.Limits;
import org.chagres.collectives.plan.Plan;
import org.chagres.collectives.plan.Planner;
import org.chagres.collectives.plan.Scratch;
import org.chagres.collectives.plan.Shape;

/**
 * The dissemination barrier of Hensgen, Finkel and Manber (1988): in round k each rank signals the one 2^k after it, so that after
 * ceil(log2 n) rounds everyone has heard of everyone.
 */
public final class Dissemination implements Planner {
    @Override
    public String name() {
        return "dissemination";
    }

    @Override
    public boolean supports(final Shape shape, final Limits limits) {
        return shape.collective() == Collective.BARRIER && shape.size() > 1;
    }

    @Override
    public Plan plan(final Shape shape, final int rank, final Limits limits) {
        Planners.requireSupported(this, shape, limits);
        final int n = shape.size();
        final ChannelBuilder steps = new ChannelBuilder(n);
        for (int round = 0; round < rounds(n); round++) {
            final int distance = 1 << round;
            steps.signal((rank + distance) % n);
            steps.await(Math.floorMod(rank - distance, n));
        }
        return new Plan(name(), shape, rank, Scratch.HEAP, 0, true, List.of(steps.steps()));
    }

    static int rounds(final int size) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(size - 1);
    }

    @Override
    public Cost cost(final Shape shape, final Limits limits) {
        return Cost.of(rounds(shape.size()), rounds(shape.size()));
    }
}
