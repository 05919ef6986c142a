package org.chagres.collectives.planner;

import java.util.List;
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
        if (shape.size() < 2 || shape.count() == 0) {
            return false;
        }
        return switch (shape.collective()) {
            case ALL_REDUCE, REDUCE, REDUCE_SCATTER -> DirectReduction.fits(shape, limits);
            case BROADCAST, ALL_GATHER, ALL_TO_ALL, GATHER, SCATTER -> true;
            case SEND_RECV -> shape.size() == 2;
            case BARRIER -> false;
        };
    }

    @Override
    public Plan plan(final Shape shape, final int rank, final Limits limits) {
        Planners.requireSupported(this, shape, limits);
        if (shape.collective().reduces()) {
            final DirectReduction reduction = new DirectReduction(shape, rank, limits);
            return new Plan(name(), shape, rank, Scratch.HEAP, reduction.scratchCount(), reduction.synchronizing(),
                    List.of(reduction.steps()));
        }
        final boolean synchronizing = DirectMove.synchronizing(shape, limits);
        return new Plan(name(), shape, rank, Scratch.HEAP, 0, synchronizing,
                List.of(DirectMove.steps(shape, rank, limits)));
    }

    @Override
    public Cost cost(final Shape shape, final Limits limits) {
        return shape.collective().reduces() ? DirectReduction.cost(shape, limits) : DirectMove.cost(shape);
    }
}
