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
        if (shape.collective() == Collective.SEND_RECV) {
            return shape.size() == 2 && shape.bytes() <= limits.inboxBytes();
        }
        return shape.size() == 1 || shape.bytes() <= limits.inboxBytes();
    }

    @Override
    public Plan plan(final Shape shape, final int rank, final Limits limits) {
        Planners.requireSupported(this, shape, limits);
        final int n = shape.size();
        final ChannelBuilder steps = new ChannelBuilder(n);
        for (int i = 1; i < n; i++) {
            final int peer = (rank + i) % n;
            if (sends(shape, rank, peer)) {
                steps.send(peer, Ref.send(sendOffset(shape, peer)), slot(shape, rank), messageCount(shape));
            }
        }
        if (shape.collective().reduces()) {
            reduce(shape, rank, steps);
        } else {
            move(shape, rank, steps);
        }
        final long scratch = n == 1 ? 0 : messageCount(shape) * n;
        return new Plan(name(), shape, rank, Scratch.INBOX, scratch, synchronizing(shape), List.of(steps.steps()));
    }

    private static void reduce(final Shape shape, final int rank, final ChannelBuilder steps) {
        final List<Step.Operand> operands = new ArrayList<>();
        final boolean receives = shape.recvCount(rank) > 0;
        for (int source = 0; source < shape.size(); source++) {
            final boolean own = source == rank;
            operands.add(new Step.Operand(own ? Ref.send(sendOffset(shape, rank)) : slot(shape, source), true));
        }
        awaitAll(shape, rank, steps);
        if (receives) {
            steps.reduce(operands, Ref.recv(0), shape.count(), true);
        }
    }

    private static void awaitAll(final Shape shape, final int rank, final ChannelBuilder steps) {
        for (int i = 1; i < shape.size(); i++) {
            final int source = Math.floorMod(rank - i, shape.size());
            if (sends(shape, source, rank)) {
                steps.await(source);
            }
        }
    }

    private static void move(final Shape shape, final int rank, final ChannelBuilder steps) {
        final int n = shape.size();
        if (sends(shape, rank, rank)) {
            steps.copy(Ref.send(sendOffset(shape, rank)), Ref.recv(recvOffset(shape, rank)), messageCount(shape));
        }
        for (int i = 1; i < n; i++) {
            final int source = Math.floorMod(rank - i, n);
            if (sends(shape, source, rank)) {
                steps.await(source);
                steps.copy(slot(shape, source), Ref.recv(recvOffset(shape, source)), messageCount(shape));
            }
        }
    }

    /** Whether {@code receiver} needs data, or in a barrier a word, of {@code sender}. */
    private static boolean sends(final Shape shape, final int sender, final int receiver) {
        return switch (shape.collective()) {
            case ALL_REDUCE, ALL_GATHER, REDUCE_SCATTER, ALL_TO_ALL, BARRIER -> true;
            case BROADCAST, SCATTER -> sender == shape.root();
            case REDUCE, GATHER -> receiver == shape.root();
            case SEND_RECV -> sender == 0 && receiver == 1;
        };
    }

    private static long messageCount(final Shape shape) {
        return shape.collective() == Collective.BARRIER ? 0 : shape.count();
    }

    private static Ref slot(final Shape shape, final int source) {
        return Ref.scratch(source * messageCount(shape));
    }

    private static long sendOffset(final Shape shape, final int receiver) {
        return switch (shape.collective()) {
            case REDUCE_SCATTER, ALL_TO_ALL, SCATTER -> receiver * shape.count();
            case ALL_REDUCE, BROADCAST, REDUCE, ALL_GATHER, GATHER, BARRIER, SEND_RECV -> 0;
        };
    }

    private static long recvOffset(final Shape shape, final int sender) {
        return switch (shape.collective()) {
            case ALL_GATHER, ALL_TO_ALL, GATHER -> sender * shape.count();
            case ALL_REDUCE, BROADCAST, REDUCE, REDUCE_SCATTER, SCATTER, BARRIER, SEND_RECV -> 0;
        };
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
        final long peers = shape.size() - 1L;
        final long bytes = messageCount(shape) * shape.elementSize();
        final boolean toRoot = shape.collective() == Collective.REDUCE || shape.collective() == Collective.GATHER;
        final long messages = toRoot ? Math.min(1, peers) : peers;
        return new Cost(peers == 0 ? 0 : 1, messages * bytes, shape.collective().reduces() ? bytes : 0, messages);
    }
}
