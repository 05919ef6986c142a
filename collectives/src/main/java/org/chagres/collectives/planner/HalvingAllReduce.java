package org.chagres.collectives.planner;

import java.util.List;
import org.chagres.collectives.plan.Cost;
import org.chagres.collectives.plan.Limits;
import org.chagres.collectives.plan.Plan;
import org.chagres.collectives.plan.Ref;
import org.chagres.collectives.plan.Scratch;
import org.chagres.collectives.plan.Shape;
import org.chagres.collectives.plan.Step;

/** The all_reduce of {@link HalvingDoubling}, for any number of ranks; what exceeds the scratch goes segment by segment. */
final class HalvingAllReduce {
    private final Shape shape;
    private final int rank;
    private final Folding folding;
    /** Elements of a segment, the last one excepted. */
    private final long segment;
    private final ChannelBuilder steps;

    HalvingAllReduce(final Shape shape, final int rank, final Limits limits) {
        this.shape = shape;
        this.rank = rank;
        folding = new Folding(shape.size());
        segment = Math.min(shape.count(), longestSegment(shape, limits));
        steps = new ChannelBuilder(shape.size());
    }

    static boolean fits(final Shape shape, final Limits limits) {
        return longestSegment(shape, limits) > 0;
    }

    /** The halves come to less than a segment and an element a block, the folding to a segment. */
    private static long longestSegment(final Shape shape, final Limits limits) {
        final Folding folding = new Folding(shape.size());
        return (limits.scratchBytes() / shape.elementSize() - folding.active()) / (folding.excess() > 0 ? 2 : 1);
    }

    Plan plan(final String name) {
        for (long start = 0; start < shape.count(); start += segment) {
            final long count = Math.min(segment, shape.count() - start);
            if (folding.handsOver(rank)) {
                steps.send(rank - 1, Ref.send(start), foldSlot(), count);
                steps.await(rank - 1);
            } else {
                reduceAndCollect(start, count);
            }
        }
        final long scratch = halvesCount() + (folding.excess() > 0 ? segment : 0);
        return new Plan(name, shape, rank, Scratch.HEAP, scratch, true, List.of(steps.steps()));
    }

    private void reduceAndCollect(final long start, final long count) {
        final Split split = new Split(count, folding.active(), 1);
        if (folding.takesIn(rank)) {
            steps.await(rank + 1);
            final List<Step.Operand> both = List.of(new Step.Operand(Ref.send(start), true),
                    new Step.Operand(foldSlot(), true));
            steps.reduce(both, Ref.recv(start), count, false);
        }
        for (int distance = folding.active() / 2; distance > 0; distance /= 2) {
            halve(split, start, distance);
        }
        for (int distance = 1; distance < folding.active(); distance *= 2) {
            final int partner = partner(distance);
            final Ref have = Ref.recv(start + split.start(window(rank, distance)));
            steps.send(partner, have, have, length(split, rank, distance));
            steps.await(partner);
        }
        if (folding.takesIn(rank)) {
            steps.send(rank + 1, Ref.recv(start), Ref.recv(start), count);
        }
    }

    private void halve(final Split split, final long start, final int distance) {
        final int partner = partner(distance);
        final boolean first = distance == folding.active() / 2;
        final boolean raw = first && !folding.takesIn(rank);
        final long given = start + split.start(window(partner, distance));
        final long kept = start + split.start(window(rank, distance));
        steps.send(partner, raw ? Ref.send(given) : Ref.recv(given), slot(distance), length(split, partner, distance));
        steps.await(partner);
        final Step.Operand own = new Step.Operand(raw ? Ref.send(kept) : Ref.recv(kept), raw);
        final Step.Operand theirs = new Step.Operand(slot(distance), first && !folding.takesIn(partner));
        steps.reduce(rank < partner ? List.of(own, theirs) : List.of(theirs, own), Ref.recv(kept),
                length(split, rank, distance), distance == 1);
    }

    private int partner(final int distance) {
        return folding.rank(folding.number(rank) ^ distance);
    }

    /** The first of the {@code distance} blocks that {@code rank} keeps in the round with partners so far apart. */
    private int window(final int rank, final int distance) {
        return folding.number(rank) & -distance;
    }

    private long length(final Split split, final int rank, final int distance) {
        final int first = window(rank, distance);
        return split.start(first + distance) - split.start(first);
    }

    private long longestBlock() {
        return new Split(segment, folding.active(), 1).longest();
    }

    private long halvesCount() {
        return (folding.active() - 1) * longestBlock();
    }

    /** A place for each round, the longest first. */
    private Ref slot(final int distance) {
        return Ref.scratch((folding.active() - 2L * distance) * longestBlock());
    }

    private Ref foldSlot() {
        return Ref.scratch(halvesCount());
    }

    static Cost cost(final Shape shape, final Limits limits) {
        final Folding folding = new Folding(shape.size());
        final int folds = folding.excess() > 0 ? 1 : 0;
        long sent = 0;
        long reduced = 0;
        long segments = 0;
        long staged = 0;
        for (int rank = 0; rank < shape.size(); rank++) {
            final HalvingAllReduce mine = new HalvingAllReduce(shape, rank, limits);
            segments = (shape.count() + mine.segment - 1) / mine.segment;
            staged = folds > 0
                    ? mine.segment
                    : new Split(mine.segment, folding.active(), 1).start(folding.active() / 2);
            if (!folding.handsOver(rank)) {
                final long taken = folding.takesIn(rank) ? shape.count() : 0;
                final long windows = mine.windows();
                final long last = mine.finalBlocks();
                sent = Math.max(sent, shape.count() - last + windows + taken);
                reduced = Math.max(reduced, windows + taken);
            } else {
                sent = Math.max(sent, shape.count());
            }
        }
        final int size = shape.elementSize();
        final long folded = folds * shape.bytes();
        return Cost
                .of(Math.toIntExact(segments * 2 * (folding.rounds() + folds)),
                        segments * (2L * folding.rounds() + folds))
                .sending(sent * size, folded)
                .reducing(reduced * size, folding.rounds() + folds)
                .staging(staged * size);
    }

    /** Elements that this rank keeps, summed over rounds and segments. */
    private long windows() {
        long sum = 0;
        for (int distance = 1; distance < folding.active(); distance *= 2) {
            sum += kept(distance);
        }
        return sum;
    }

    private long finalBlocks() {
        return kept(1);
    }

    private long kept(final int distance) {
        long sum = 0;
        for (long start = 0; start < shape.count(); start += segment) {
            sum += length(new Split(Math.min(segment, shape.count() - start), folding.active(), 1), rank, distance);
        }
        return sum;
    }
}
