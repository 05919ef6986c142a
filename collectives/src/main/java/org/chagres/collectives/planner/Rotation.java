package org.chagres.collectives.planner;

import java.util.List;
import org.chagres.collectives.plan.Collective;
import org.chagres.collectives.plan.Cost;
import org.chagres.collectives.plan.Limits;
import org.chagres.collectives.plan.Plan;
import org.chagres.collectives.plan.Ref;
import org.chagres.collectives.plan.Scratch;
import org.chagres.collectives.plan.Shape;

/**
 * The symmetrical collectives of {@link Ring}. Partial results of block b start at rank b+1 and reach rank b, which completes them, after n-1
 * steps; then completed blocks go round into the outputs. Each block is cut into pieces that follow one another without waiting, in groups of
 * as many as there are places for twice.
 */
final class Rotation {
    /** More places than this would only spread over more of the cache. */
    private static final int MAX_SLOTS = 16;

    private final Shape shape;
    private final int size;
    private final int rank;
    private final Split split;
    private final Pieces pieces;
    /** Pieces of a block that are under way together. */
    private final int group;
    /** Places for partial results in each rank's scratch, used in turn. */
    private final int slots;
    private final RingBuilder steps;

    Rotation(final Shape shape, final int rank, final Limits limits) {
        this.shape = shape;
        size = shape.size();
        this.rank = rank;
        split = shape.collective() == Collective.ALL_GATHER
                ? new Split(shape.count() * size, size, 1)
                : Split.blocks(shape);
        final long scratch = limits.scratchBytes() / shape.elementSize();
        pieces = shape.collective().reduces()
                ? Pieces.of(split.longest(), scratch / 2, 10 * (size - 1), shape.elementSize(), limits)
                : new Pieces(split.longest(), split.longest());
        final long fit = Math.min(MAX_SLOTS, scratch / pieces.piece());
        final boolean allFit = !shape.collective().reduces() || pieces.number() * (size - 1L) <= fit;
        group = allFit ? pieces.number() : (int) Math.min(pieces.number(), fit / 2);
        slots = allFit ? group * (size - 1) : (int) (fit / group) * group;
        steps = new RingBuilder(size, rank);
    }

    Plan plan(final String name) {
        final boolean output = shape.collective() != Collective.REDUCE_SCATTER;
        if (output && !knowsRight()) {
            steps.signalLeft(RingBuilder.Kind.READY, 0);
        }
        for (int first = 0; first < pieces.number(); first += group) {
            final int end = Math.min(first + group, pieces.number());
            if (shape.collective().reduces()) {
                for (int step = 0; step < size - 1; step++) {
                    passPartials(step, first, end);
                }
                complete(first, end);
            } else {
                putOwn(first, end);
            }
            if (output) {
                passOutputs(first, end);
            }
        }
        final long scratch = shape.collective().reduces() ? slots * pieces.piece() : 0;
        return new Plan(name, shape, rank, Scratch.HEAP, scratch, true, List.of(steps.steps()));
    }

    /** Of two ranks, the right one is the left one too, whose partial results tell that it has begun. */
    private boolean knowsRight() {
        return size == 2 && shape.collective().reduces();
    }

    private void passPartials(final int step, final int first, final int end) {
        final int block = Math.floorMod(rank - 1 - step, size);
        for (int piece = first; piece < end; piece++) {
            final int message = message(step, piece);
            final Ref own = Ref.send(start(block, piece));
            final Ref from = step == 0 ? own : slot(message(step - 1, piece));
            if (step > 0) {
                receivePartial(step - 1, piece, block, from, false);
            }
            if (message >= slots) {
                steps.awaitRight(RingBuilder.Kind.FREE, message - slots);
            }
            steps.sendRight(RingBuilder.Kind.PARTIAL, message, from, slot(message), length(block, piece));
            if (step > 0) {
                free(message(step - 1, piece));
            }
        }
    }

    private void complete(final int first, final int end) {
        for (int piece = first; piece < end; piece++) {
            final boolean scatter = shape.collective() == Collective.REDUCE_SCATTER;
            final Ref to = Ref.recv(scatter ? pieces.start(piece) : start(rank, piece));
            receivePartial(size - 2, piece, rank, to, true);
            if (!scatter) {
                putOutput(to, 0, rank, piece);
            }
            free(message(size - 2, piece));
        }
    }

    private void receivePartial(final int step, final int piece, final int block, final Ref to, final boolean finish) {
        final int message = message(step, piece);
        steps.awaitLeft(RingBuilder.Kind.PARTIAL, message);
        steps.reduce(slot(message), step == 0, Ref.send(start(block, piece)), to, length(block, piece), finish);
    }

    private void free(final int message) {
        if (exists(message + slots)) {
            steps.signalLeft(RingBuilder.Kind.FREE, message);
        }
    }

    private void putOwn(final int first, final int end) {
        for (int piece = first; piece < end; piece++) {
            putOutput(Ref.send(pieces.start(piece)), 0, rank, piece);
            steps.copy(Ref.send(pieces.start(piece)), Ref.recv(start(rank, piece)), length(rank, piece));
        }
    }

    private void putOutput(final Ref from, final int step, final int block, final int piece) {
        if (step == 0 && piece == 0 && !knowsRight()) {
            steps.awaitRight(RingBuilder.Kind.READY, 0);
        }
        steps.sendRight(RingBuilder.Kind.OUTPUT, message(step, piece), from, Ref.recv(start(block, piece)),
                length(block, piece));
    }

    private void passOutputs(final int first, final int end) {
        for (int step = 1; step < size; step++) {
            final int block = Math.floorMod(rank - step, size);
            for (int piece = first; piece < end; piece++) {
                steps.awaitLeft(RingBuilder.Kind.OUTPUT, message(step - 1, piece));
                if (step < size - 1) {
                    putOutput(Ref.recv(start(block, piece)), step, block, piece);
                }
            }
        }
    }

    /** The number of a message: group by group, step by step, piece by piece; numbers of an incomplete group stay unused. */
    private int message(final int step, final int piece) {
        return (piece / group * (size - 1) + step) * group + piece % group;
    }

    private boolean exists(final int message) {
        final int whole = message / (group * (size - 1));
        return whole * group + message % group < pieces.number();
    }

    private Ref slot(final int message) {
        return Ref.scratch(message % slots * pieces.piece());
    }

    private long start(final int block, final int piece) {
        return split.start(block) + pieces.start(piece);
    }

    private long length(final int block, final int piece) {
        return pieces.length(piece, split.length(block));
    }

    static Cost cost(final Shape shape, final Limits limits) {
        final int n = shape.size();
        final Rotation any = new Rotation(shape, 0, limits);
        final int elementSize = shape.elementSize();
        final long passes = (n - 1L) * any.pieces.number();
        long twoShortest = Long.MAX_VALUE;
        for (int rank = 0; rank < n; rank++) {
            twoShortest = Math.min(twoShortest, any.split.length(rank) + any.split.length((rank + 1) % n));
        }
        final long all = any.split.count();
        final long staged = any.length(0, 0) * elementSize;
        final long reduced = all - any.split.length(n - 1);
        return switch (shape.collective()) {
            case ALL_GATHER ->
                Cost.of(n, passes + 1).sending((all - shape.count()) * elementSize, 0).copying(shape.bytes());
            case REDUCE_SCATTER ->
                Cost.of(n - 1, passes + any.frees())
                        .sending(reduced * elementSize, 0)
                        .reducing(reduced * elementSize, n - 1)
                        .staging(staged);
            default -> Cost.of(2 * (n - 1), 2 * passes + any.frees() + (any.knowsRight() ? 0 : 1))
                    .sending((2 * all - twoShortest) * elementSize, 0)
                    .reducing(reduced * elementSize, n - 1)
                    .staging(staged);
        };
    }

    private int frees() {
        int frees = 0;
        for (int step = 0; step < size - 1; step++) {
            for (int piece = 0; piece < pieces.number(); piece++) {
                frees += exists(message(step, piece) + slots) ? 1 : 0;
            }
        }
        return frees;
    }
}
