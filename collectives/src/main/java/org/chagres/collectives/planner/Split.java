package org.chagres.collectives.planner;

import org.chagres.collectives.plan.Collective;
import org.chagres.collectives.plan.Shape;

/**
 * A tensor cut into nearly equal blocks, one a rank; blocks may be empty where there are fewer elements than ranks.
 *
 * @param count elements of the tensor
 * @param parts blocks
 * @param unit elements that stay together
 */
record Split(long count, int parts, long unit) {
    private static final int LINE_BYTES = 64;
    /** From this size of a block on, cutting at cache lines leaves the blocks equal within a few percent. */
    private static final int LINES_TO_ALIGN = 16;

    /** The blocks that ranks reduce: of reduce_scatter as the collective says, else nearly equal ones of the whole tensor. */
    static Split blocks(final Shape shape) {
        final int size = shape.size();
        return shape.collective() == Collective.REDUCE_SCATTER
                ? new Split(shape.count() * size, size, 1)
                : of(shape.count(), size, shape.elementSize());
    }

    /** Cuts at cache lines where blocks are large, so that no two ranks write the same one. */
    static Split of(final long count, final int parts, final int elementSize) {
        final long line = lineElements(elementSize);
        return new Split(count, parts, count / parts >= LINES_TO_ALIGN * line ? line : 1);
    }

    static long lineElements(final int elementSize) {
        return Math.max(1, LINE_BYTES / elementSize);
    }

    long start(final int part) {
        final long units = units();
        return Math.min(count, unit * (units / parts * part + Math.min(part, units % parts)));
    }

    long length(final int part) {
        return start(part + 1) - start(part);
    }

    /** Elements of the longest block, which is the first. */
    long longest() {
        return length(0);
    }

    private long units() {
        return (count + unit - 1) / unit;
    }
}
