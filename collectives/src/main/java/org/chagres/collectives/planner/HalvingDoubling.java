package org.chagres.collectives.planner;

import org.chagres.collectives.plan.Cost;
import org.chagres.collectives.plan.Limits;
import org.chagres.collectives.plan.Plan;
import org.chagres.collectives.plan.Planner;
import org.chagres.collectives.plan.Shape;

/**
 * Rabenseifner's algorithm (2004): partners exchange halves of what they have, then halves of that, and so on until each rank has one block
 * of the result; the same way back collects the blocks. As few bytes as a ring in 2 log2(n) hops.  With two ranks it would be {@link Direct} without its pipeline, so it leaves them to that. The lower rank's value comes first; each
 * round rounds once.
 */
public final class HalvingDoubling implements Planner {
    @Override
    public String name() {
        return "halving_doubling";
    }

    @Override
    public boolean supports(final Shape shape, final Limits limits) {
        if (shape.size() < 3 || shape.count() == 0) {
            return false;
        }
        final long scratch = limits.scratchBytes() / shape.elementSize();
        final boolean powerOfTwo = Integer.bitCount(shape.size()) == 1;
        return switch (shape.collective()) {
            case ALL_REDUCE -> HalvingAllReduce.fits(shape, limits);
            case REDUCE_SCATTER -> powerOfTwo && shape.count() <= scratch / (shape.size() - 1);
            case ALL_GATHER -> powerOfTwo;
            case BROADCAST, REDUCE, ALL_TO_ALL, GATHER, SCATTER, BARRIER, SEND_RECV -> false;
        };
    }

    @Override
    public Plan plan(final Shape shape, final int rank, final Limits limits) {
        Planners.requireSupported(this, shape, limits);
        return switch (shape.collective()) {
            case REDUCE_SCATTER -> HalvingBlocks.reduceScatter(name(), shape, rank);
            case ALL_GATHER -> HalvingBlocks.allGather(name(), shape, rank);
            default -> new HalvingAllReduce(shape, rank, limits).plan(name());
        };
    }

    @Override
    public Cost cost(final Shape shape, final Limits limits) {
        return switch (shape.collective()) {
            case REDUCE_SCATTER, ALL_GATHER -> HalvingBlocks.cost(shape);
            default -> HalvingAllReduce.cost(shape, limits);
        };
    }
}
