package org.chagres.collectives.planner;

import java.util.List;
import org.chagres.collectives.plan.Collective;
import org.chagres.collectives.plan.Cost;
import org.chagres.collectives.plan.Limits;
import org.chagres.collectives.plan.Plan;
import org.chagres.collectives.plan.Planner;
import org.chagres.collectives.plan.Ref;
import org.chagres.collectives.plan.Scratch;
import org.chagres.collectives.plan.Shape;
import org.chagres.collectives.plan.Step;

/**
 * In round k partners 2^k apart exchange all they have and both add it up, so that all have the result after log2(n) rounds: few hops for
 * small messages. Both add the lower one's value first, so all ranks get identical bits; each round rounds once.
 */
public final class RecursiveDoubling implements Planner {
    @Override
    public String name() {
        return "recursive_doubling";
    }

    @Override
    public boolean supports(final Shape shape, final Limits limits) {
        return shape.collective() == Collective.ALL_REDUCE && shape.size() > 1 && shape.count() > 0
                && shape.count() <= limits.scratchBytes() / shape.elementSize() / slots(new Folding(shape.size()));
    }

    /** Each round and the folding has a place of its own in the scratch, so nobody need wait for one to be free. */
    private static int slots(final Folding folding) {
        return folding.rounds() + (folding.excess() > 0 ? 1 : 0);
    }

    @Override
    public Plan plan(final Shape shape, final int rank, final Limits limits) {
        Planners.requireSupported(this, shape, limits);
        final Folding folding = new Folding(shape.size());
        final ChannelBuilder steps = new ChannelBuilder(shape.size());
        final long count = shape.count();
        if (folding.handsOver(rank)) {
            steps.send(rank - 1, Ref.send(0), Ref.scratch(folding.rounds() * count), count);
            steps.await(rank - 1);
        } else {
            exchange(folding, shape, rank, steps);
        }
        return new Plan(name(), shape, rank, Scratch.HEAP, slots(folding) * count, true, List.of(steps.steps()));
    }

    private static void exchange(final Folding folding, final Shape shape, final int rank, final ChannelBuilder steps) {
        final long count = shape.count();
        final Ref result = Ref.recv(0);
        if (folding.takesIn(rank)) {
            steps.await(rank + 1);
            final Step.Operand taken = new Step.Operand(Ref.scratch(folding.rounds() * count), true);
            steps.reduce(List.of(new Step.Operand(Ref.send(0), true), taken), result, count, false);
        }
        for (int round = 0; round < folding.rounds(); round++) {
            final int partner = folding.rank(folding.number(rank) ^ 1 << round);
            final boolean raw = round == 0 && !folding.takesIn(rank);
            final Ref mine = raw ? Ref.send(0) : result;
            final Ref slot = Ref.scratch(round * count);
            steps.send(partner, mine, slot, count);
            steps.await(partner);
            final Step.Operand own = new Step.Operand(mine, raw);
            final Step.Operand theirs = new Step.Operand(slot, round == 0 && !folding.takesIn(partner));
            steps.reduce(rank < partner ? List.of(own, theirs) : List.of(theirs, own), result, count,
                    round == folding.rounds() - 1);
        }
        if (folding.takesIn(rank)) {
            steps.send(rank + 1, result, result, count);
        }
    }

    /**
     * Hops before and after the rounds. A chain of messages through all rounds ends at the rank whose number differs from the first one's in
     * every bit; both of them fold only where more than half do.
     */
    private static int foldingHops(final Folding folding) {
        if (folding.excess() == 0) {
            return 0;
        }
        return 2 * folding.excess() > folding.active() ? 2 : 1;
    }

    @Override
    public Cost cost(final Shape shape, final Limits limits) {
        final Folding folding = new Folding(shape.size());
        final int folds = folding.excess() > 0 ? 1 : 0;
        final int messages = folding.rounds() + folds;
        final long bytes = messages * shape.bytes();
        return Cost.of(folding.rounds() + foldingHops(folding), messages)
                .sending(bytes, folds * shape.bytes())
                .reducing(bytes, messages)
                .staging(shape.bytes());
    }
}
