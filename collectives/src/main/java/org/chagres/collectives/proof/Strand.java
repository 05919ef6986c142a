package org.chagres.collectives.proof;

import java.util.List;
import org.chagres.collectives.plan.Step;

/** One channel of one rank as it runs: how far it is and what it knows of the others' progress (a vector clock). */
final class Strand {
    final int rank;
    final int channel;
    /** By strand: the time until which its steps are known to have happened. */
    final long[] clock;
    /** By peer: the time of the first wait for a signal of that peer; 0 if none. */
    final long[] met;
    private final List<Step> steps;
    private final int self;
    private int next;
    /** Messages in the longest chain that led here. */
    int depth;

    Strand(final int rank, final int channel, final List<Step> steps, final int ranks, final int channels) {
        this.rank = rank;
        this.channel = channel;
        this.steps = steps;
        self = rank * channels + channel;
        clock = new long[ranks * channels];
        clock[self] = 1;
        met = new long[ranks];
    }

    boolean ended() {
        return next == steps.size();
    }

    Place place() {
        return new Place(rank, channel, next, ended() ? null : steps.get(next));
    }

    void tick() {
        clock[self]++;
    }

    void advance() {
        next++;
    }

    long time() {
        return clock[self];
    }

    void learn(final long[] other) {
        for (int i = 0; i < clock.length; i++) {
            clock[i] = Math.max(clock[i], other[i]);
        }
    }
}
