package org.chagres.collectives.planner;

import java.util.ArrayList;
import java.util.List;
import org.chagres.collectives.plan.Plan;
import org.chagres.collectives.plan.Step;

/** How long plans take if a rank puts one element at a time, each in a unit of time, and all else is free. */
final class ByteClock {
    private final List<Plan> plans;
    private final int channels;
    private final long[] now;
    private final int[][] next;
    /** By rank: the channel whose turn it is where several could go on. */
    private final int[] turn;
    /** By source, destination and channel: when each signal came. */
    private final List<List<Long>> arrivals = new ArrayList<>();

    private ByteClock(final List<Plan> plans) {
        this.plans = plans;
        channels = plans.getFirst().channels().size();
        now = new long[plans.size()];
        next = new int[plans.size()][channels];
        turn = new int[plans.size()];
        for (int i = 0; i < plans.size() * plans.size() * channels; i++) {
            arrivals.add(new ArrayList<>());
        }
    }

    static long elements(final List<Plan> plans) {
        final ByteClock clock = new ByteClock(plans);
        while (clock.stepEarliest()) {
            // Each call is one step.
        }
        long end = 0;
        for (final long time : clock.now) {
            end = Math.max(end, time);
        }
        return end;
    }

    private boolean stepEarliest() {
        int earliestRank = -1;
        int earliestChannel = -1;
        long earliest = Long.MAX_VALUE;
        for (int rank = 0; rank < plans.size(); rank++) {
            for (int i = 0; i < channels; i++) {
                final int channel = (turn[rank] + i) % channels;
                final long start = start(rank, channel);
                if (start < earliest) {
                    earliest = start;
                    earliestRank = rank;
                    earliestChannel = channel;
                }
            }
        }
        if (earliestRank >= 0) {
            now[earliestRank] = earliest;
            turn[earliestRank] = (earliestChannel + 1) % channels;
            step(earliestRank, earliestChannel);
        }
        return earliestRank >= 0;
    }

    private long start(final int rank, final int channel) {
        final List<Step> steps = plans.get(rank).channels().get(channel);
        if (next[rank][channel] == steps.size()) {
            return Long.MAX_VALUE;
        }
        if (!(steps.get(next[rank][channel]) instanceof final Step.Wait wait)) {
            return now[rank];
        }
        final List<Long> line = line(wait.peer(), rank, channel);
        return line.size() < wait.ordinal() ? Long.MAX_VALUE : Math.max(now[rank], line.get(wait.ordinal() - 1));
    }

    private void step(final int rank, final int channel) {
        final Step step = plans.get(rank).channels().get(channel).get(next[rank][channel]++);
        if (step instanceof final Step.Put put) {
            now[rank] += put.count();
            if (put.signal()) {
                line(rank, put.peer(), channel).add(now[rank]);
            }
        } else if (step instanceof final Step.Signal signal) {
            line(rank, signal.peer(), channel).add(now[rank]);
        }
    }

    private List<Long> line(final int source, final int destination, final int channel) {
        return arrivals.get((source * plans.size() + destination) * channels + channel);
    }
}
