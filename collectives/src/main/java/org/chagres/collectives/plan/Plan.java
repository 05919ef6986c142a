package org.chagres.collectives.plan;

import java.util.List;

/**
 * What one rank does in one collective. A plan is data: the executor runs it, the prover proves it, the cost model prices it and
 * {@code explain} prints it.
 *
 * @param algorithm the planner's name
 * @param rank whose plan this is
 * @param scratch how the scratch lies
 * @param scratchCount elements of scratch that the plan uses on this rank
 * @param synchronizing whether every rank's end implies that every other rank has begun; the prover checks the claim. Where it does not
 *        hold, ranks tell each other what they have completed before scratch is written again
 * @param channels steps, in order within a channel
 */
public record Plan(String algorithm, Shape shape, int rank, Scratch scratch, long scratchCount, boolean synchronizing,
        List<List<Step>> channels) {
    public Plan {
        channels = channels.stream().map(List::copyOf).toList();
    }

    public int steps() {
        return channels.stream().mapToInt(List::size).sum();
    }
}
