package org.chagres.collectives.planner;

import java.util.ArrayList;
import java.util.List;
import org.chagres.collectives.plan.Collective;
import org.chagres.collectives.plan.Cost;
import org.chagres.collectives.plan.Limits;
import org.chagres.collectives.plan.Plan;
import org.chagres.collectives.plan.Planner;
import org.chagres.collectives.plan.Scratch;
import org.chagres.collectives.plan.Shape;
import org.chagres.collectives.plan.Step;

/**
 * Two complementary binary trees, each on a channel of its own with half of the data, as NCCL has them between hosts: latency grows with the
 * logarithm of the ranks, and yet no rank sends more than the whole tensor each way. A node adds itself, then its children in the order of
 * the tree; the root's result goes to all ranks.
 */
public final class DoubleBinaryTree implements Planner {
    @Override
    public String name() {
        return "tree";
    }

    @Override
    public boolean supports(final Shape shape, final Limits limits) {
        if (shape.size() < 2 || shape.count() == 0 || limits.channels() < TwoTrees.TREES) {
            return false;
        }
        return switch (shape.collective()) {
            case ALL_REDUCE, REDUCE -> TreePipeline.fits(shape, limits);
            case BROADCAST -> true;
            case ALL_GATHER, REDUCE_SCATTER, ALL_TO_ALL, GATHER, SCATTER, BARRIER, SEND_RECV -> false;
        };
    }

    @Override
    public Plan plan(final Shape shape, final int rank, final Limits limits) {
        Planners.requireSupported(this, shape, limits);
        final List<List<Step>> channels = new ArrayList<>();
        long scratch = 0;
        for (int tree = 0; tree < TwoTrees.TREES; tree++) {
            final TreePipeline pipeline = new TreePipeline(shape, tree, rank, limits);
            channels.add(pipeline.steps());
            scratch = pipeline.scratchCount();
        }
        final boolean synchronizing = shape.collective() == Collective.ALL_REDUCE
                || (shape.collective() == Collective.BROADCAST && shape.size() == 2);
        return new Plan(name(), shape, rank, Scratch.HEAP, scratch, synchronizing, channels);
    }

    @Override
    public Cost cost(final Shape shape, final Limits limits) {
        final boolean down = shape.collective() != Collective.REDUCE;
        final boolean up = shape.collective().reduces();
        final int height = new TwoTrees(shape.size(), shape.root()).height();
        final int hops = height * (up && down ? 2 : 1) + (up ? 0 : 1);
        long sent = 0;
        long reduced = 0;
        long messages = 0;
        for (int rank = 0; rank < shape.size(); rank++) {
            long rankSent = 0;
            long rankReduced = 0;
            long rankMessages = 0;
            for (int tree = 0; tree < TwoTrees.TREES; tree++) {
                final TreePipeline pipeline = new TreePipeline(shape, tree, rank, limits);
                rankSent += pipeline.elementsSent();
                rankReduced += pipeline.elementsReduced();
                rankMessages += pipeline.messages();
            }
            sent = Math.max(sent, rankSent);
            reduced = Math.max(reduced, rankReduced);
            messages = Math.max(messages, rankMessages);
        }
        final int size = shape.elementSize();
        final long piece = new TreePipeline(shape, 0, 0, limits).pieceCount();
        // Beyond the first, each level passes a piece up once and down twice, to one child after the other.
        final long fill = (height - 1L) * piece * ((up ? 1 : 0) + (down ? 2 : 0));
        final Cost cost = Cost.of(hops, messages).sending(sent * size, fill * size);
        return up ? cost.reducing(reduced * size, height).staging(piece * size) : cost.copying(shape.bytes());
    }
}
