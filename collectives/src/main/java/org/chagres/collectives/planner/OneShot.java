package org.chagres.collectives.planner;

import java.util.ArrayList;
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
 * Everyone's data and signal in one hop: each rank sends once to each peer that needs its data, then computes locally. Reductions run in rank
 * order 0, 1, ... with one rounding at the end, so all ranks get identical bits. It is also how a world of one computes.
 */
public final class OneShot implements Planner {
    @Override
    public String name() {
        return "oneshot";
    }

    @Override
    public boolean supports(final Shape shape, final Limits limits) {
        final boolean possible = shape.collective() != Collective.SEND_RECV || shape.size() == 2;
        final boolean combines = shape.collective().reduces() && shape.count() > 0;
        if (combines && shape.size() > Limits.MAX_OPERANDS) {
            return false;
        }
        return possible && (shape.size() == 1 || Flow.count(shape) * shape.elementSize() <= limits.inboxBytes());
    }

    @Override
    public Plan plan(final Shape shape, final int rank, final Limits limits) {
        Planners.requireSupported(this, shape, limits);
        final int n = shape.size();
        final ChannelBuilder steps = new ChannelBuilder(n);
        for (int i = 1; i < n; i++) {
            final int peer = (rank + i) % n;
            if (Flow.sends(shape, rank, peer)) {
                steps.send(peer, Ref.send(Flow.sendOffset(shape, peer)), slot(shape, rank), Flow.count(shape));
            }
        }
        if (shape.collective().reduces()) {
            reduce(shape, rank, steps);
        } else {
            move(shape, rank, steps);
        }
        final long scratch = n == 1 ? 0 : Flow.count(shape) * n;
        return new Plan(name(), shape, rank, Scratch.INBOX, scratch, synchronizing(shape), List.of(steps.steps()));
    }

    private static void reduce(final Shape shape, final int rank, final ChannelBuilder steps) {
        final List<Step.Operand> operands = new ArrayList<>();
        final boolean receives = shape.recvCount(rank) > 0;
        for (int source = 0; source < shape.size(); source++) {
            final boolean own = source == rank;
            operands.add(new Step.Operand(own ? Ref.send(Flow.sendOffset(shape, rank)) : slot(shape, source), true));
        }
        awaitAll(shape, rank, steps);
        if (receives) {
            steps.reduce(operands, Ref.recv(0), shape.count(), true);
        }
    }

    private static void awaitAll(final Shape shape, final int rank, final ChannelBuilder steps) {
        for (int i = 1; i < shape.size(); i++) {
            final int source = Math.floorMod(rank - i, shape.size());
            if (Flow.sends(shape, source, rank)) {
                steps.await(source);
            }
        }
    }

    private static void move(final Shape shape, final int rank, final ChannelBuilder steps) {
        final int n = shape.size();
        if (Flow.sends(shape, rank, rank)) {
            steps.copy(Ref.send(Flow.sendOffset(shape, rank)), Ref.recv(Flow.recvOffset(shape, rank)),
                    Flow.count(shape));
        }
        for (int i = 1; i < n; i++) {
            final int source = Math.floorMod(rank - i, n);
            if (Flow.sends(shape, source, rank)) {
                steps.await(source);
                steps.copy(slot(shape, source), Ref.recv(Flow.recvOffset(shape, source)), Flow.count(shape));
            }
        }
    }

    private static Ref slot(final Shape shape, final int source) {
        return Ref.scratch(source * Flow.count(shape));
    }

    private static boolean synchronizing(final Shape shape) {
        return shape.size() == 1
                || switch (shape.collective()) {
                    case ALL_REDUCE, ALL_GATHER, REDUCE_SCATTER, ALL_TO_ALL, BARRIER -> true;
                    case BROADCAST, REDUCE, GATHER, SCATTER, SEND_RECV -> false;
                };
    }

    @Override
    public Cost cost(final Shape shape, final Limits limits) {
        long messages = 0;
        long copies = 0;
        for (int rank = 0; rank < shape.size(); rank++) {
            messages = Math.max(messages, Flow.receivers(shape, rank));
            copies = Math.max(copies, Flow.senders(shape, rank) + (Flow.sends(shape, rank, rank) ? 1 : 0));
        }
        final long bytes = Flow.count(shape) * shape.elementSize();
        final boolean reduces = shape.collective().reduces();
        final Cost cost = Cost.of(messages == 0 ? 0 : 1, messages)
                .sending(messages * bytes, 0)
                .staging(messages == 0 ? 0 : bytes);
        return reduces ? cost.reducing(bytes, shape.size() > 1 ? 1 : 0) : cost.copying(copies * bytes);
    }
}
