package org.chagres.collectives.planner;

import java.util.ArrayList;
import java.util.List;
import org.chagres.collectives.plan.Cost;
import org.chagres.collectives.plan.Limits;
import org.chagres.collectives.plan.Ref;
import org.chagres.collectives.plan.Shape;
import org.chagres.collectives.plan.Step;

/**
 * The all_reduce of {@link Direct}. Rank p owns block p. Piece by piece, everyone puts its contribution into the owner's scratch; the owner
 * reduces it in rank order into its own result and puts that into everyone's result.
 *
 * <p>
 * Pieces go through {@link #SLOTS} places in the owner's scratch: contributions run {@link #AHEAD} pieces ahead of the reduction, and a place
 * is written again only after the owner's result of its last piece has come, which proves that the owner has read it.
 */
final class DirectReduction {
    private static final int SLOTS = 3;
    private static final int AHEAD = 1;
    /** Results are awaited this many pieces after the own block's piece has been reduced, so that a peer's delay is hidden. */
    private static final int LAG = SLOTS - AHEAD - 1;

    private final int size;
    private final int rank;
    private final Split split;
    private final Pieces pieces;
    private final ChannelBuilder steps;

    DirectReduction(final Shape shape, final int rank, final Limits limits) {
        size = shape.size();
        this.rank = rank;
        split = Split.of(shape, size);
        pieces = pieces(shape, limits);
        steps = new ChannelBuilder(size);
    }

    static boolean fits(final Shape shape, final Limits limits) {
        return mostPerPiece(shape, limits) > 0;
    }

    private static long mostPerPiece(final Shape shape, final Limits limits) {
        return limits.scratchBytes() / shape.elementSize() / SLOTS / (shape.size() - 1);
    }

    private static Pieces pieces(final Shape shape, final Limits limits) {
        final int stepsPerPiece = 4 * (shape.size() - 1) + 1;
        return Pieces.of(Split.of(shape, shape.size()).longest(), mostPerPiece(shape, limits), stepsPerPiece,
                shape.elementSize(), limits);
    }

    long scratchCount() {
        return Math.min(SLOTS, pieces.number()) * (size - 1L) * pieces.piece();
    }

    List<Step> steps() {
        final int number = pieces.number();
        for (int i = -AHEAD; i < number + LAG; i++) {
            contribute(i + AHEAD);
            if (i >= 0) {
                reduceAndShare(i);
            }
            awaitResults(i - LAG);
        }
        return steps.steps();
    }

    private void contribute(final int piece) {
        for (int i = 1; i < size; i++) {
            final int owner = (rank + i) % size;
            final long count = length(owner, piece);
            if (count > 0) {
                steps.send(owner, Ref.send(start(owner, piece)), slot(owner, rank, piece), count);
            }
        }
    }

    private void reduceAndShare(final int piece) {
        final long count = length(rank, piece);
        if (count == 0) {
            return;
        }
        for (int i = 1; i < size; i++) {
            final int source = Math.floorMod(rank - i, size);
            steps.awaitOrdinal(source, contributionOrdinal(source, piece));
        }
        final long start = start(rank, piece);
        steps.reduce(operands(piece), Ref.recv(start), count, true);
        for (int i = 1; i < size; i++) {
            steps.send((rank + i) % size, Ref.recv(start), Ref.recv(start), count);
        }
    }

    private List<Step.Operand> operands(final int piece) {
        final List<Step.Operand> operands = new ArrayList<>(size);
        for (int source = 0; source < size; source++) {
            final Ref at = source == rank ? Ref.send(start(rank, piece)) : slot(rank, source, piece);
            operands.add(new Step.Operand(at, true));
        }
        return operands;
    }

    private void awaitResults(final int piece) {
        for (int i = 1; i < size; i++) {
            final int owner = Math.floorMod(rank - i, size);
            if (length(owner, piece) > 0) {
                steps.awaitOrdinal(owner, resultOrdinal(piece));
            }
        }
    }

    /** A peer signals me its contributions to my block and the results of its own; before this contribution came these results. */
    private int contributionOrdinal(final int peer, final int piece) {
        return piece + 1 + Math.clamp(piece - AHEAD, 0, number(peer));
    }

    private int resultOrdinal(final int piece) {
        return piece + 1 + Math.min(piece + AHEAD + 1, number(rank));
    }

    private int number(final int owner) {
        return pieces.number(split.length(owner));
    }

    private long start(final int owner, final int piece) {
        return split.start(owner) + pieces.start(piece);
    }

    private long length(final int owner, final int piece) {
        return piece < 0 ? 0 : pieces.length(piece, split.length(owner));
    }

    /** Where in {@code owner}'s scratch the contribution of {@code source} to a piece lies. */
    private Ref slot(final int owner, final int source, final int piece) {
        final int index = source < owner ? source : source - 1;
        return Ref.scratch(((long) (piece % SLOTS) * (size - 1) + index) * pieces.piece());
    }

    static Cost cost(final Shape shape, final Limits limits) {
        final int n = shape.size();
        final Split split = Split.of(shape, n);
        final Pieces pieces = pieces(shape, limits);
        long messages = (n - 2L) * pieces.number();
        for (int owner = 0; owner < n; owner++) {
            messages += pieces.number(split.length(owner));
        }
        final long sent = shape.count() + (n - 2L) * split.longest();
        return new Cost(2, sent * shape.elementSize(), split.longest() * shape.elementSize(), messages);
    }
}
