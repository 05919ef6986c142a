package org.chagres.collectives.planner;

import java.util.List;
import org.chagres.collectives.plan.Collective;
import org.chagres.collectives.plan.Cost;
import org.chagres.collectives.plan.Limits;
import org.chagres.collectives.plan.Plan;
import org.chagres.collectives.plan.Ref;
import org.chagres.collectives.plan.Scratch;
import org.chagres.collectives.plan.Shape;
import org.chagres.collectives.plan.Step;

/** The rooted collectives of {@link Ring}: pieces flow away from the root (broadcast) or to it (reduce) through all ranks in turn. */
final class Chain {
    private final Shape shape;
    private final int rank;
    /** How far from the root this rank is. */
    private final int position;
    private final int inner;
    private final int outer;
    private final Pieces pieces;
    private final int slots;
    private final ChannelBuilder steps;

    Chain(final Shape shape, final int rank, final Limits limits) {
        final int n = shape.size();
        this.shape = shape;
        this.rank = rank;
        position = Math.floorMod(rank - shape.root(), n);
        inner = Math.floorMod(rank - 1, n);
        outer = (rank + 1) % n;
        final long scratch = limits.scratchBytes() / shape.elementSize();
        final boolean reduces = shape.collective().reduces();
        pieces = Pieces.of(shape.count(), reduces ? scratch / 2 : shape.count(), 5, shape.elementSize(), limits);
        slots = (int) Math.min(pieces.number(), scratch / pieces.piece());
        steps = new ChannelBuilder(n);
    }

    Plan plan(final String name) {
        final boolean reduces = shape.collective() == Collective.REDUCE;
        if (!reduces && position > 0) {
            steps.signal(inner);
        }
        for (int piece = 0; piece < pieces.number(); piece++) {
            if (reduces) {
                reduce(piece);
            } else {
                broadcast(piece);
            }
        }
        if (!reduces && position == 0) {
            steps.copy(Ref.send(0), Ref.recv(0), shape.count());
        }
        final boolean synchronizing = !reduces && shape.size() == 2;
        return new Plan(name, shape, rank, Scratch.HEAP, reduces ? slots * pieces.piece() : 0, synchronizing,
                List.of(steps.steps()));
    }

    private void broadcast(final int piece) {
        if (position > 0) {
            steps.await(inner);
        }
        if (!last()) {
            if (piece == 0) {
                steps.await(outer);
            }
            final long start = pieces.start(piece);
            steps.send(outer, position == 0 ? Ref.send(start) : Ref.recv(start), Ref.recv(start), length(piece));
        }
    }

    private void reduce(final int piece) {
        final Ref own = Ref.send(pieces.start(piece));
        if (last()) {
            pass(piece, own);
            return;
        }
        steps.await(outer);
        final boolean outerIsLast = position == shape.size() - 2;
        final Ref to = position == 0 ? Ref.recv(pieces.start(piece)) : slot(piece);
        steps.reduce(List.of(new Step.Operand(own, true), new Step.Operand(slot(piece), outerIsLast)), to,
                length(piece),
                position == 0);
        if (position > 0) {
            pass(piece, to);
        }
        if (piece + slots < pieces.number()) {
            steps.signal(outer);
        }
    }

    /** Puts a partial result into the inner neighbour's scratch, once the place is free again. */
    private void pass(final int piece, final Ref from) {
        if (piece >= slots) {
            steps.await(inner);
        }
        steps.send(inner, from, slot(piece), length(piece));
    }

    private boolean last() {
        return position == shape.size() - 1;
    }

    private long length(final int piece) {
        return pieces.length(piece, shape.count());
    }

    private Ref slot(final int piece) {
        return Ref.scratch(piece % slots * pieces.piece());
    }

    static Cost cost(final Shape shape, final Limits limits) {
        final Chain any = new Chain(shape, 0, limits);
        final int n = shape.size();
        final int number = any.pieces.number();
        final boolean through = n > 2;
        final long fill = (n - 2L) * any.pieces.piece() * shape.elementSize();
        if (shape.collective() == Collective.BROADCAST) {
            return Cost.of(n, number + (through ? 1 : 0)).sending(shape.bytes(), fill).copying(shape.bytes());
        }
        return Cost.of(n - 1, number + (through ? number - any.slots : 0))
                .sending(shape.bytes(), fill)
                .reducing(shape.bytes(), n - 1)
                .staging(any.length(0) * shape.elementSize());
    }
}
