package org.chagres.collectives.planner;

import java.util.List;
import org.chagres.collectives.plan.Collective;
import org.chagres.collectives.plan.Cost;
import org.chagres.collectives.plan.Limits;
import org.chagres.collectives.plan.Ref;
import org.chagres.collectives.plan.Shape;
import org.chagres.collectives.plan.Step;

/**
 * The part of {@link Direct} that only moves data: a receiver signals that its output is there, the sender puts straight from its input into
 * it. Each rank begins with another peer, so that nobody is hit by all at once.
 */
final class DirectMove {
    private DirectMove() {
    }

    static List<Step> steps(final Shape shape, final int rank, final Limits limits) {
        final int n = shape.size();
        final ChannelBuilder steps = new ChannelBuilder(n);
        for (int i = 1; i < n; i++) {
            final int source = Math.floorMod(rank - i, n);
            if (Flow.sends(shape, source, rank)) {
                steps.signal(source);
            }
        }
        final Pieces pieces = pieces(shape, limits);
        for (int piece = 0; piece < pieces.number(); piece++) {
            put(shape, rank, pieces, piece, steps);
        }
        if (Flow.sends(shape, rank, rank)) {
            steps.copy(Ref.send(Flow.sendOffset(shape, rank)), Ref.recv(Flow.recvOffset(shape, rank)), shape.count());
        }
        for (int i = 1; i < n; i++) {
            final int source = Math.floorMod(rank - i, n);
            if (Flow.sends(shape, source, rank)) {
                steps.await(source);
            }
        }
        return steps.steps();
    }

    /** Who sends several pieces has heard of all peers before it ends. */
    static boolean synchronizing(final Shape shape, final Limits limits) {
        return shape.size() == 2
                || switch (shape.collective()) {
                    case ALL_GATHER, ALL_TO_ALL -> true;
                    case BROADCAST -> pieces(shape, limits).number() > 1;
                    default -> false;
                };
    }

    /** Where the same data goes to several peers, it goes piece by piece, so that all but the first read it from the cache. */
    private static Pieces pieces(final Shape shape, final Limits limits) {
        final boolean repeated = shape.collective() == Collective.BROADCAST
                || shape.collective() == Collective.ALL_GATHER;
        return repeated && shape.size() > 2
                ? Pieces.of(shape.count(), shape.count(), shape.size() - 1, shape.elementSize(), limits)
                : new Pieces(shape.count(), shape.count());
    }

    private static void put(final Shape shape, final int rank, final Pieces pieces, final int piece,
            final ChannelBuilder steps) {
        final long start = pieces.start(piece);
        final long count = pieces.length(piece, shape.count());
        for (int i = 1; i < shape.size(); i++) {
            final int peer = (rank + i) % shape.size();
            if (!Flow.sends(shape, rank, peer)) {
                continue;
            }
            if (piece == 0) {
                steps.await(peer);
            }
            final Ref from = Ref.send(Flow.sendOffset(shape, peer) + start);
            final Ref to = Ref.recv(Flow.recvOffset(shape, rank) + start);
            if (piece == pieces.number() - 1) {
                steps.send(peer, from, to, count);
            } else {
                steps.put(peer, from, to, count);
            }
        }
    }

    static Cost cost(final Shape shape) {
        final long bytes = shape.bytes();
        long puts = 0;
        long messages = 0;
        boolean copies = false;
        for (int rank = 0; rank < shape.size(); rank++) {
            puts = Math.max(puts, Flow.receivers(shape, rank));
            messages = Math.max(messages, Flow.receivers(shape, rank) + (long) Flow.senders(shape, rank));
            copies |= Flow.sends(shape, rank, rank);
        }
        return Cost.of(2, messages).sending(puts * bytes, 0).copying(copies ? bytes : 0);
    }
}
