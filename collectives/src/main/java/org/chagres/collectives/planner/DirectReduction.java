package org.chagres.collectives.planner;

import java.util.ArrayList;
import java.util.List;
import org.chagres.collectives.plan.Collective;
import org.chagres.collectives.plan.Cost;
import org.chagres.collectives.plan.Limits;
import org.chagres.collectives.plan.Ref;
import org.chagres.collectives.plan.Shape;
import org.chagres.collectives.plan.Step;

/**
 * The reducing part of {@link Direct}. Rank p owns block p. Piece by piece, everyone puts its contribution into the owner's scratch; the owner
 * reduces it in rank order and puts the result into the output of whoever needs it.
 *
 * <p>
 * Pieces go through {@link #SLOTS} places in the owner's scratch: contributions run {@link #AHEAD} pieces ahead of the reduction, and a place
 * is written again only after the owner's answer to its last piece (the result, or a bare signal to those who get none) has come, which proves
 * that the owner has read it.
 */
final class DirectReduction {
    private static final int SLOTS = 3;
    private static final int AHEAD = 1;
    /** Answers are awaited this many pieces after the own block's piece has been reduced, so that a peer's delay is hidden. */
    private static final int LAG = SLOTS - AHEAD - 1;

    private final Shape shape;
    private final int size;
    private final int rank;
    private final Split split;
    private final Pieces pieces;
    private final ChannelBuilder steps;

    DirectReduction(final Shape shape, final int rank, final Limits limits) {
        this.shape = shape;
        size = shape.size();
        this.rank = rank;
        split = Split.blocks(shape);
        pieces = Pieces.of(split.longest(), mostPerPiece(shape, limits), 4 * (size - 1) + 1, shape.elementSize(),
                limits);
        steps = new ChannelBuilder(size);
    }

    static boolean fits(final Shape shape, final Limits limits) {
        return shape.size() <= Limits.MAX_OPERANDS && mostPerPiece(shape, limits) > 0;
    }

    /** Beside the slots there is room for a result on its way to a root. */
    private static long mostPerPiece(final Shape shape, final Limits limits) {
        return limits.scratchBytes() / shape.elementSize() / (SLOTS * (shape.size() - 1L) + 1);
    }

    long scratchCount() {
        return resultSlot() + (shape.collective() == Collective.REDUCE ? pieces.piece() : 0);
    }

    private long resultSlot() {
        return Math.min(SLOTS, pieces.number()) * (size - 1L) * pieces.piece();
    }

    /** An owner has heard of everyone; so has who gets a result of one. */
    boolean synchronizing() {
        boolean all = true;
        for (int owner = 0; owner < size; owner++) {
            all &= split.length(owner) > 0 || getsResult(owner);
        }
        return all;
    }

    private boolean getsResult(final int peer) {
        return switch (shape.collective()) {
            case ALL_REDUCE -> true;
            case REDUCE -> peer == shape.root();
            default -> false;
        };
    }

    List<Step> steps() {
        final int number = pieces.number();
        for (int i = -AHEAD; i < number + LAG; i++) {
            contribute(i + AHEAD);
            if (i >= 0 && i < number(rank)) {
                reduce(i);
            }
            awaitAnswers(i - LAG);
        }
        return steps.steps();
    }

    private void contribute(final int piece) {
        for (int i = 1; i < size; i++) {
            final int owner = (rank + i) % size;
            if (piece < number(owner)) {
                steps.send(owner, Ref.send(start(owner, piece)), slot(owner, rank, piece), length(owner, piece));
            }
        }
    }

    private void reduce(final int piece) {
        for (int i = 1; i < size; i++) {
            final int source = Math.floorMod(rank - i, size);
            steps.awaitOrdinal(source, contributionOrdinal(source, piece));
        }
        final long count = length(rank, piece);
        final Ref result = result(piece);
        steps.reduce(operands(piece), result, count, true);
        for (int i = 1; i < size; i++) {
            final int peer = (rank + i) % size;
            if (getsResult(peer)) {
                steps.send(peer, result, Ref.recv(start(rank, piece)), count);
            }
        }
        for (int i = 1; i < size; i++) {
            final int peer = (rank + i) % size;
            if (!getsResult(peer) && piece < answers(rank, peer)) {
                steps.signal(peer);
            }
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

    private Ref result(final int piece) {
        return switch (shape.collective()) {
            case REDUCE_SCATTER -> Ref.recv(pieces.start(piece));
            case REDUCE -> rank == shape.root() ? Ref.recv(start(rank, piece)) : Ref.scratch(resultSlot());
            default -> Ref.recv(start(rank, piece));
        };
    }

    private void awaitAnswers(final int piece) {
        for (int i = 1; i < size && piece >= 0; i++) {
            final int owner = Math.floorMod(rank - i, size);
            if (piece < answers(owner, rank)) {
                steps.awaitOrdinal(owner, piece + 1 + Math.min(piece + AHEAD + 1, number(rank)));
            }
        }
    }

    /** A peer signals me its contributions to my block and its answers to mine; before this contribution came these answers. */
    private int contributionOrdinal(final int peer, final int piece) {
        return piece + 1 + Math.clamp(piece - AHEAD, 0, answers(peer, rank));
    }

    /** The first so many pieces of {@code owner} are answered to {@code peer}: all by results, else those whose slot is needed again. */
    private int answers(final int owner, final int peer) {
        return getsResult(peer) ? number(owner) : Math.max(0, number(owner) - SLOTS);
    }

    private int number(final int owner) {
        return pieces.number(split.length(owner));
    }

    private long start(final int owner, final int piece) {
        return split.start(owner) + pieces.start(piece);
    }

    private long length(final int owner, final int piece) {
        return pieces.length(piece, split.length(owner));
    }

    /** Where in {@code owner}'s scratch the contribution of {@code source} to a piece lies. */
    private Ref slot(final int owner, final int source, final int piece) {
        final int index = source < owner ? source : source - 1;
        return Ref.scratch(((piece % SLOTS) * (size - 1L) + index) * pieces.piece());
    }

    static Cost cost(final Shape shape, final Limits limits) {
        long sent = 0;
        long messages = 0;
        int hops = 1;
        long reduced = 0;
        long staged = 0;
        for (int rank = 0; rank < shape.size(); rank++) {
            final DirectReduction mine = new DirectReduction(shape, rank, limits);
            sent = Math.max(sent, mine.elementsSent());
            messages = Math.max(messages, mine.messages());
            reduced = Math.max(reduced, mine.split.length(rank));
            staged = mine.length(0, 0);
            hops = mine.resultsSent() > 0 && mine.number(rank) > 0 ? 2 : hops;
        }
        final int size = shape.elementSize();
        return Cost.of(hops, messages).sending(sent * size, 0).reducing(reduced * size, 1).staging(staged * size);
    }

    private int resultsSent() {
        return switch (shape.collective()) {
            case ALL_REDUCE -> size - 1;
            case REDUCE -> rank == shape.root() ? 0 : 1;
            default -> 0;
        };
    }

    private long elementsSent() {
        return split.count() - split.length(rank) + split.length(rank) * resultsSent();
    }

    private long messages() {
        long messages = 0;
        for (int peer = 0; peer < size; peer++) {
            messages += peer == rank ? 0 : number(peer) + answers(rank, peer);
        }
        return messages;
    }
}
