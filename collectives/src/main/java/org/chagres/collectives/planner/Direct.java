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
 * Each rank talks to each other one directly: data goes straight to where it is needed, and each block is reduced by one rank, in rank order
 * 0, 1, ... with one rounding at the end.
 */
public final class Direct implements Planner {
    @Override
    public String name() {
        return "direct";
    }

    @Override
    public boolean supports(final Shape shape, final Limits limits) {
        return shape.collective() == Collective.ALL_REDUCE && shape.size() > 1 && shape.count() > 0
                && DirectReduction.fits(shape, limits);
    }

    @Override
    public Plan plan(final Shape shape, final int rank, final Limits limits) {
        Planners.requireSupported(this, shape, limits);
        final DirectReduction reduction = new DirectReduction(shape, rank, limits);
        return new Plan(name(), shape, rank, Scratch.HEAP, reduction.scratchCount(), true, List.of(reduction.steps()));
    }

    @Override
    public Cost cost(final Shape shape, final Limits limits) {
        return DirectReduction.cost(shape, limits);
    }
}
