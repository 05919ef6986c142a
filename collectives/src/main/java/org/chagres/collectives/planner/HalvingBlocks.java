package org.chagres.collectives.planner;

import java.util.List;
import org.chagres.collectives.plan.Collective;
import org.chagres.collectives.plan.Cost;
import org.chagres.collectives.plan.Plan;
import org.chagres.collectives.plan.Ref;
import org.chagres.collectives.plan.Scratch;
import org.chagres.collectives.plan.Shape;
import org.chagres.collectives.plan.Step;

/** The two halves of {@link HalvingDoubling} on their own, for powers of two. */
final class HalvingBlocks {
    private HalvingBlocks() {
    }

    static Plan reduceScatter(final String name, final Shape shape, final int rank) {
        final int n = shape.size();
        final ChannelBuilder steps = new ChannelBuilder(n);
        Ref mine = Ref.send(0);
        int first = 0;
        long area = 0;
        for (int distance = n / 2; distance > 0; distance /= 2) {
            final int partner = rank ^ distance;
            final int kept = rank & -distance;
            final long count = distance * shape.count();
            steps.send(partner, part(mine, ((partner & -distance) - first) * shape.count()), Ref.scratch(area), count);
            steps.await(partner);
            final boolean raw = distance == n / 2;
            final Step.Operand own = new Step.Operand(part(mine, (kept - first) * shape.count()), raw);
            final Step.Operand theirs = new Step.Operand(Ref.scratch(area), raw);
            final boolean last = distance == 1;
            steps.reduce(rank < partner ? List.of(own, theirs) : List.of(theirs, own),
                    last ? Ref.recv(0) : Ref.scratch(area), count, last);
            mine = Ref.scratch(area);
            first = kept;
            area += count;
        }
        return new Plan(name, shape, rank, Scratch.HEAP, area, true, List.of(steps.steps()));
    }

    private static Ref part(final Ref whole, final long offset) {
        return new Ref(whole.space(), whole.offset() + offset);
    }

    static Plan allGather(final String name, final Shape shape, final int rank) {
        final int n = shape.size();
        final ChannelBuilder steps = new ChannelBuilder(n);
        for (int distance = 1; distance < n; distance *= 2) {
            steps.signal(rank ^ distance);
        }
        steps.copy(Ref.send(0), Ref.recv(rank * shape.count()), shape.count());
        for (int distance = 1; distance < n; distance *= 2) {
            final int partner = rank ^ distance;
            final Ref have = Ref.recv((rank & -distance) * shape.count());
            steps.await(partner);
            steps.send(partner, distance == 1 ? Ref.send(0) : have, have, distance * shape.count());
            steps.await(partner);
        }
        return new Plan(name, shape, rank, Scratch.HEAP, 0, true, List.of(steps.steps()));
    }

    static Cost cost(final Shape shape) {
        final int rounds = Integer.numberOfTrailingZeros(shape.size());
        final long bytes = (shape.size() - 1) * shape.bytes();
        return shape.collective() == Collective.ALL_GATHER
                ? Cost.of(rounds + 1, 2L * rounds).sending(bytes, 0).copying(shape.bytes())
                : Cost.of(rounds, rounds)
                        .sending(bytes, 0)
                        .reducing(bytes, rounds)
                        .staging(shape.size() / 2 * shape.bytes());
    }
}
