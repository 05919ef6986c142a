package org.chagres.collectives.planner;

import java.util.List;
import org.chagres.collectives.plan.Cost;
import org.chagres.collectives.plan.Crossing;
import org.chagres.collectives.plan.Step;

/**
 * The barrier of {@link Hierarchical}: within each host to its first rank, among these as in {@link Dissemination} or from each to each, and back.
 */
final class HostBarrier {
    private HostBarrier() {
    }

    static List<Step> steps(final Lanes lanes, final HostPattern pattern, final int size, final int rank) {
        final ChannelBuilder steps = new ChannelBuilder(size);
        final int host = lanes.host(rank);
        if (lanes.place(rank) > 0) {
            steps.signal(lanes.member(host, 0));
            steps.await(lanes.member(host, 0));
            return steps.steps();
        }
        for (int place = 1; place < lanes.size(host); place++) {
            steps.await(lanes.member(host, place));
        }
        if (pattern == HostPattern.RING) {
            for (int distance = 1; distance < lanes.hosts(); distance *= 2) {
                steps.signal(lanes.member(lanes.shift(host, distance), 0));
                steps.await(lanes.member(lanes.shift(host, -distance), 0));
            }
        } else {
            for (int distance = 1; distance < lanes.hosts(); distance++) {
                steps.signal(lanes.member(lanes.shift(host, distance), 0));
            }
            for (int distance = 1; distance < lanes.hosts(); distance++) {
                steps.await(lanes.member(lanes.shift(host, -distance), 0));
            }
        }
        for (int place = 1; place < lanes.size(host); place++) {
            steps.signal(lanes.member(host, place));
        }
        return steps.steps();
    }

    static Cost cost(final Lanes lanes, final HostPattern pattern) {
        final int hops = pattern == HostPattern.RING ? Dissemination.rounds(lanes.hosts()) : 1;
        final int signals = pattern == HostPattern.RING ? hops : lanes.hosts() - 1;
        return Cost.of(hops + 2, signals + lanes.most() - 1L).crossing(new Crossing(hops, signals, 0, 0));
    }
}
