package org.chagres.collectives.planner;

import org.chagres.collectives.plan.Limits;

/**
 * How a block is cut into pieces that flow through a pipeline one after the other.
 *
 * @param length elements of the longest block
 * @param piece elements of a piece, the last one of a block excepted
 */
record Pieces(long length, long piece) {
    /** Plans stay below about this many steps a rank: beyond, the steps' own cost and the plan's memory outweigh what pipelining saves. */
    private static final int MAX_STEPS = 4096;

    /**
     * Cuts {@code length} elements into equal pieces of about {@code limits.chunkBytes()}, at most {@code most} elements each.
     *
     * @param stepsPerPiece steps that a rank spends on each piece
     */
    static Pieces of(final long length, final long most, final int stepsPerPiece, final int elementSize,
            final Limits limits) {
        final long line = Split.lineElements(elementSize);
        final long bound = most >= length || most < line ? most : most / line * line;
        final long preferred = Math.max(1, limits.chunkBytes() / elementSize);
        final long fewEnough = ceilDiv(length, Math.max(1, MAX_STEPS / stepsPerPiece));
        final long longest = Math.max(1, Math.min(bound, Math.max(preferred, fewEnough)));
        final long equal = Math.max(1, ceilDiv(length, Math.max(1, ceilDiv(length, longest))));
        return new Pieces(length, Math.min(longest, ceilDiv(equal, line) * line));
    }

    /** Pieces of the longest block. */
    int number() {
        return number(length);
    }

    /** Pieces of a block of {@code block} elements. */
    int number(final long block) {
        return Math.toIntExact(ceilDiv(block, piece));
    }

    long start(final int index) {
        return index * piece;
    }

    /** Elements of piece {@code index} in a block of {@code block} elements; 0 beyond its end. */
    long length(final int index, final long block) {
        return Math.clamp(block - start(index), 0, piece);
    }

    private static long ceilDiv(final long a, final long b) {
        return (a + b - 1) / b;
    }
}
