package org.chagres.collectives.planner;

import org.chagres.collectives.plan.Cost;
import org.chagres.collectives.plan.Limits;
import org.chagres.collectives.plan.Plan;
import org.chagres.collectives.plan.Planner;
import org.chagres.collectives.plan.Shape;

/**
 * Each rank talks to its neighbours only: reductions and gathers go round the ring, so that every rank sends and receives all the time
 * (Patarasuk and Yuan, 2009); rooted collectives flow along the ring as a chain, piece by piece. A reduction adds the ranks in ring order,
 * which differs from block to block but not from rank to rank, and rounds at each hop.
 */
public final class Ring implements Planner {
    @Override
    public String name() {
        return "ring";
    }

    @Override
    public boolean supports(final Shape shape, final Limits limits) {
        if (shape.size() < 2 || shape.count() == 0) {
            return false;
        }
        return switch (shape.collective()) {
            case ALL_REDUCE, REDUCE_SCATTER, REDUCE -> limits.scratchBytes() / shape.elementSize() >= 2;
            case ALL_GATHER, BROADCAST -> true;
            case ALL_TO_ALL, GATHER, SCATTER, BARRIER, SEND_RECV -> false;
        };
    }

    @Override
    public Plan plan(final Shape shape, final int rank, final Limits limits) {
        Planners.requireSupported(this, shape, limits);
        return switch (shape.collective()) {
            case BROADCAST, REDUCE -> new Chain(shape, rank, limits).plan(name());
            default -> new Rotation(shape, rank, limits).plan(name());
        };
    }

    @Override
    public Cost cost(final Shape shape, final Limits limits) {
        return switch (shape.collective()) {
            case BROADCAST, REDUCE -> Chain.cost(shape, limits);
            default -> Rotation.cost(shape, limits);
        };
    }
}
