package org.chagres.collectives.exec;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.chagres.collectives.DataType;
import org.chagres.collectives.ReduceOp;
import org.chagres.collectives.plan.FlushPoints;
import org.chagres.collectives.plan.Plan;
import org.chagres.collectives.plan.Ref;
import org.chagres.collectives.plan.Scratch;
import org.chagres.collectives.plan.Shape;
import org.chagres.collectives.plan.Step;
import org.chagres.collectives.reduce.Reduction;

/**
 * A plan with what the executor needs beside it: the reduction, the fingerprint, and facts about the steps that are found once. The steps
 * themselves are the plan's own, in its order. Immutable; shared by runs.
 */
public final class Program {
    final Plan plan;
    final Shape shape;
    final boolean inbox;
    final int elementSize;
    final Reduction reduction;
    final long fingerprint;
    /** The steps of each channel. */
    final Step[][] steps;
    /** For a step that raises a signal: which one of this channel and peer it is, from 1. */
    final int[][] ordinals;
    /** For a reduction: how many of the steps after it only put its result, so that all can go piece by piece through the cache. */
    final int[][] fused;
    /** By channel and step: whether the links to all {@link #targets} must be flushed before it; null if no step needs that. */
    final boolean[][] flushBefore;
    /** The peers that this rank writes to. */
    final int[] targets;
    /** All other ranks, */
    final int[] others;
    /** and those of them to which this rank writes nothing. */
    final int[] silent;
    final int mostOperands;
    /** Whether the plan is the one that {@link Run} has a shorter way for: see {@link #exchange}. */
    final boolean exchange;

    /** @param op null where nothing is reduced */
    public Program(final Plan plan, final DataType type, final ReduceOp op, final int algorithm) {
        this.plan = plan;
        this.shape = plan.shape();
        this.inbox = plan.scratch() == Scratch.INBOX;
        this.elementSize = shape.elementSize();
        this.reduction = op == null ? null : Reduction.of(type, op);
        this.fingerprint = Fingerprint.of(shape, type, op, algorithm);
        final int channels = plan.channels().size();
        this.steps = new Step[channels][];
        this.ordinals = new int[channels][];
        this.fused = new int[channels][];
        final TreeSet<Integer> peers = new TreeSet<>();
        int operands = 1;
        for (int c = 0; c < channels; c++) {
            final List<Step> list = plan.channels().get(c);
            steps[c] = list.toArray(Step[]::new);
            ordinals[c] = ordinals(list, shape.size());
            // An inbox message is written whole: its data and its flag are one.
            fused[c] = inbox ? new int[list.size()] : fused(list);
            for (final Step step : list) {
                switch (step) {
                    case Step.Put put -> peers.add(put.peer());
                    case Step.Signal signal -> peers.add(signal.peer());
                    case Step.Reduce reduce -> operands = Math.max(operands, reduce.operands().size());
                    case Step.Wait _,Step.Copy _ -> {
                    }
                }
            }
        }
        this.flushBefore = flushBefore(plan);
        this.targets = peers.stream().mapToInt(Integer::intValue).toArray();
        this.others = IntStream.range(0, shape.size()).filter(p -> p != plan.rank()).toArray();
        this.silent = Arrays.stream(others).filter(p -> !peers.contains(p)).toArray();
        this.mostOperands = operands;
        this.exchange = shape.size() == 2 && inbox && plan.channels().equals(List.of(exchange(shape, plan.rank())));
    }

    public Plan plan() {
        return plan;
    }

    /** The small all_reduce of two ranks: each sends all it has to the other and adds. Compared step by step with the plan that was made. */
    private static List<Step> exchange(final Shape shape, final int rank) {
        final int peer = 1 - rank;
        final long count = shape.count();
        final Step.Operand own = new Step.Operand(Ref.send(0), true);
        final Step.Operand theirs = new Step.Operand(Ref.scratch(peer * count), true);
        return List.of(new Step.Put(peer, Ref.send(0), Ref.scratch(rank * count), count, true), new Step.Wait(peer, 1),
                new Step.Reduce(rank == 0 ? List.of(own, theirs) : List.of(theirs, own), Ref.recv(0), count, true));
    }

    private static int[] ordinals(final List<Step> steps, final int size) {
        final int[] sent = new int[size];
        final int[] ordinals = new int[steps.size()];
        for (int i = 0; i < ordinals.length; i++) {
            ordinals[i] = switch (steps.get(i)) {
                case Step.Put put -> put.signal() ? ++sent[put.peer()] : 0;
                case Step.Signal signal -> ++sent[signal.peer()];
                case Step.Wait _,Step.Copy _,Step.Reduce _ -> 0;
            };
        }
        return ordinals;
    }

    private static boolean[][] flushBefore(final Plan plan) {
        final List<BitSet> points = FlushPoints.of(plan);
        if (points.stream().allMatch(BitSet::isEmpty)) {
            return null;
        }
        final boolean[][] before = new boolean[points.size()][];
        for (int c = 0; c < before.length; c++) {
            before[c] = new boolean[plan.channels().get(c).size()];
            for (int i = points.get(c).nextSetBit(0); i >= 0; i = points.get(c).nextSetBit(i + 1)) {
                before[c][i] = true;
            }
        }
        return before;
    }

    private static int[] fused(final List<Step> steps) {
        final int[] fused = new int[steps.size()];
        for (int i = 0; i < fused.length; i++) {
            if (steps.get(i) instanceof final Step.Reduce reduce) {
                final List<Step> puts = new ArrayList<>();
                for (int j = i + 1; j < fused.length && steps.get(j) instanceof final Step.Put put
                        && put.from().equals(reduce.to()) && put.count() == reduce.count(); j++) {
                    puts.add(put);
                }
                fused[i] = puts.size();
            }
        }
        return fused;
    }
}
