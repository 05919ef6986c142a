package org.chagres.collectives.planner;

import java.util.List;
import org.chagres.collectives.plan.Cost;
import org.chagres.collectives.plan.Crossing;
import org.chagres.collectives.plan.Step;

/** The barrier of {@link Hierarchical}: within each host to its first rank, among these as in {@link Dissemination}, and back. */
final class HostBarrier {
    private HostBarrier() {
    }

    static List<Step> steps(final Lanes lanes, final int size, final int rank) {
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
        for (int distance = 1; distance < lanes.hosts(); distance *= 2) {
            steps.signal(lanes.member(lanes.shift(host, distance), 0));
            steps.await(lanes.member(lanes.shift(host, -distance), 0));
        }
        for (int place = 1; place < lanes.size(host); place++) {
            steps.signal(lanes.member(host, place));
        }
        return steps.steps();
    }

    static Cost cost(final Lanes lanes) {
        final int rounds = Dissemination.rounds(lanes.hosts());
        return Cost.of(rounds + 2, rounds + lanes.most() - 1L).crossing(new Crossing(rounds, rounds, 0, 0));
    }
}
