package org.chagres.collectives.planner;

import java.util.ArrayList;
import java.util.List;
import org.chagres.collectives.plan.Collective;
import org.chagres.collectives.plan.Limits;
import org.chagres.collectives.plan.Ref;
import org.chagres.collectives.plan.Shape;
import org.chagres.collectives.plan.Step;

/**
 * What one rank does in one tree of {@link DoubleBinaryTree}. Pieces flow up through places in the parents' scratch, used in turn: a place is
 * written again once its last piece's result has come down, or in a reduce, its parent has signalled that it is free.
 */
final class TreePipeline {
    /**
     * An all_reduce's node sends so many pieces up, times its depth, before it waits for the first result. With the same lag on all levels each
     * piece would make a round trip between parent and child before the next; one deeper level's lead lets so many overlap.
     */
    private static final int LAG_PER_LEVEL = 4;

    private final Shape shape;
    private final int tree;
    private final TwoTrees trees;
    private final int rank;
    private final int parent;
    private final List<Integer> children;
    /** Where this tree's half starts, and its elements. */
    private final long start;
    private final long count;
    private final Pieces pieces;
    private final int slots;
    private final ChannelBuilder steps;

    TreePipeline(final Shape shape, final int tree, final int rank, final Limits limits) {
        this.shape = shape;
        this.tree = tree;
        this.rank = rank;
        trees = new TwoTrees(shape.size(), shape.root());
        parent = trees.parent(tree, rank);
        children = trees.children(tree, rank);
        final Split halves = Split.of(shape.count(), TwoTrees.TREES, shape.elementSize());
        start = halves.start(tree);
        count = halves.length(tree);
        final long most = shape.collective().reduces() ? mostPerPiece(shape, limits) : halves.longest();
        pieces = Pieces.of(halves.longest(), most, 16, shape.elementSize(), limits);
        slots = Math.min(pieces.number(), window(shape));
        steps = new ChannelBuilder(shape.size());
    }

    static boolean fits(final Shape shape, final Limits limits) {
        return mostPerPiece(shape, limits) > 0;
    }

    private static int window(final Shape shape) {
        return LAG_PER_LEVEL * new TwoTrees(shape.size(), shape.root()).height();
    }

    private static long mostPerPiece(final Shape shape, final Limits limits) {
        return limits.scratchBytes() / shape.elementSize() / (TwoTrees.TREES * 2L * window(shape));
    }

    long scratchCount() {
        return shape.collective().reduces() ? TwoTrees.TREES * 2L * slots * pieces.piece() : 0;
    }

    /** Elements of the longest piece. */
    long pieceCount() {
        return Math.min(pieces.piece(), pieces.length());
    }

    List<Step> steps() {
        switch (shape.collective()) {
            case ALL_REDUCE -> allReduce();
            case REDUCE -> reduce();
            default -> broadcast();
        }
        return steps.steps();
    }

    private void allReduce() {
        final int lag = Math.min(slots, LAG_PER_LEVEL * trees.depth(tree, rank));
        for (int piece = 0; piece < number() + lag; piece++) {
            if (parent >= 0 && piece >= lag) {
                down(piece - lag);
            }
            if (piece < number()) {
                up(piece);
            }
            if (parent < 0 && piece < number()) {
                down(piece);
            }
        }
    }

    private void reduce() {
        for (int piece = 0; piece < number(); piece++) {
            up(piece);
            for (int i = 0; i < children.size() && piece + slots < number(); i++) {
                steps.signal(children.get(i));
            }
        }
    }

    private void broadcast() {
        if (parent >= 0 && count > 0) {
            steps.signal(parent);
        }
        for (int piece = 0; piece < number(); piece++) {
            down(piece);
        }
        if (parent < 0) {
            steps.copy(Ref.send(start), Ref.recv(start), count);
        }
    }

    private void up(final int piece) {
        final Ref own = Ref.send(at(piece));
        final List<Step.Operand> operands = new ArrayList<>();
        operands.add(new Step.Operand(own, true));
        for (int i = 0; i < children.size(); i++) {
            steps.await(children.get(i));
            final boolean leaf = trees.children(tree, children.get(i)).isEmpty();
            operands.add(new Step.Operand(slot(i, piece), leaf));
        }
        final Ref result = parent < 0 ? Ref.recv(at(piece)) : children.isEmpty() ? own : slot(0, piece);
        if (!children.isEmpty()) {
            steps.reduce(operands, result, length(piece), parent < 0);
        }
        if (parent >= 0) {
            if (shape.collective() == Collective.REDUCE && piece >= slots) {
                steps.await(parent);
            }
            steps.send(parent, result, slot(placeAtParent(), piece), length(piece));
        }
    }

    private void down(final int piece) {
        if (parent >= 0) {
            steps.await(parent);
        }
        final boolean input = parent < 0 && shape.collective() == Collective.BROADCAST;
        for (final int child : children) {
            if (piece == 0 && shape.collective() == Collective.BROADCAST) {
                steps.await(child);
            }
            steps.send(child, input ? Ref.send(at(piece)) : Ref.recv(at(piece)), Ref.recv(at(piece)), length(piece));
        }
    }

    private int placeAtParent() {
        return trees.children(tree, parent).indexOf(rank);
    }

    private int number() {
        return pieces.number(count);
    }

    private long at(final int piece) {
        return start + pieces.start(piece);
    }

    private long length(final int piece) {
        return pieces.length(piece, count);
    }

    private Ref slot(final int child, final int piece) {
        return Ref.scratch(((tree * slots + piece % slots) * 2L + child) * pieces.piece());
    }

    long elementsSent() {
        final boolean sendsUp = shape.collective().reduces() && parent >= 0;
        final boolean sendsDown = shape.collective() != Collective.REDUCE;
        return count * ((sendsUp ? 1 : 0) + (sendsDown ? children.size() : 0));
    }

    long elementsReduced() {
        return shape.collective().reduces() && !children.isEmpty() ? count : 0;
    }

    long messages() {
        final long up = parent >= 0 ? number() : 0;
        return switch (shape.collective()) {
            case ALL_REDUCE -> up + (long) children.size() * number();
            case REDUCE -> up + (long) children.size() * Math.max(0, number() - slots);
            default -> (parent >= 0 && count > 0 ? 1 : 0) + (long) children.size() * number();
        };
    }
}
