package org.chagres.collectives.planner;

import java.util.List;
import org.chagres.collectives.plan.Ref;
import org.chagres.collectives.plan.Shape;
import org.chagres.collectives.plan.Step;

/** The part of {@link Hierarchical} that only moves data: from each source to that lane's owner, from there to the other hosts, and to all of each host. */
final class HostMove {
    private HostMove() {
    }

    static List<Step> steps(final Shape shape, final HostPattern pattern, final Lanes lanes, final Cargo cargo,
            final int rank) {
        final Script script = new Script(shape.size(), rank);
        final HostSpread spread = new HostSpread(lanes, pattern, script);
        final int host = lanes.host(rank);
        for (int lane = 0; lane < lanes.number(); lane++) {
            spread.relay(host, lane, cargo.items(host, lane));
        }
        for (int distance = 0; distance < lanes.hosts(); distance++) {
            for (int h = 0; h < lanes.hosts(); h++) {
                for (int lane = 0; lane < lanes.number(); lane++) {
                    if (h == host || lane == lanes.place(rank)) {
                        spread.pass(h, lane, distance, cargo.items(lanes.shift(h, -distance), lane));
                    }
                }
            }
        }
        if (Flow.sends(shape, rank, rank)) {
            script.copy(rank, Ref.send(0), Ref.recv(Flow.recvOffset(shape, rank)), shape.count());
        }
        return script.steps();
    }
}
