package org.chagres.collectives.planner;

import java.util.BitSet;
import org.chagres.collectives.plan.Collective;
import org.chagres.collectives.plan.Cost;
import org.chagres.collectives.plan.Shape;

/** What {@link HostMove} costs. */
final class HostMoveCost {
    private final Shape shape;
    private final HostPattern pattern;
    private final Lanes lanes;
    private final Cargo cargo;

    HostMoveCost(final Shape shape, final HostPattern pattern, final Lanes lanes, final Cargo cargo) {
        this.shape = shape;
        this.pattern = pattern;
        this.lanes = lanes;
        this.cargo = cargo;
    }

    Cost cost() {
        final Load most = new Load();
        boolean relays = false;
        for (int rank = 0; rank < shape.size(); rank++) {
            final Load load = new Load();
            relays |= relay(load, rank);
            ready(load, rank);
            if (lanes.owns(rank)) {
                own(load, lanes.host(rank), lanes.place(rank));
            }
            most.atLeast(load);
        }
        final int across = pattern == HostPattern.RING ? lanes.hosts() - 1 : 1;
        final boolean chain = pattern == HostPattern.RING && shape.collective() == Collective.BROADCAST;
        final long fill = chain ? (lanes.hosts() - 2L) * cargo.longest() : 0;
        return most.cost(2 + across + (relays ? 1 : 0), across, fill, 0, shape.elementSize()).copying(shape.bytes());
    }

    private boolean relay(final Load load, final int rank) {
        boolean relays = false;
        for (int lane = 0; lane < lanes.number(); lane++) {
            if (lane != lanes.place(rank)) {
                for (final Cargo.Item item : cargo.items(lanes.host(rank), lane)) {
                    if (item.endpoint() == rank) {
                        load.within(1, item.count());
                        relays = true;
                    }
                }
            }
        }
        return relays;
    }

    private void own(final Load load, final int host, final int lane) {
        for (int home = 0; home < lanes.hosts(); home++) {
            final int distance = Math.floorMod(host - home, lanes.hosts());
            final int hosts = HostSpread.targets(lanes, pattern, distance);
            for (final Cargo.Item item : cargo.items(home, lane)) {
                final boolean given = home == host && item.endpoint() != lanes.owner(host, lane);
                final int members = lanes.size(host) - 1 - (given ? 1 : 0);
                load.across(hosts, hosts * item.count());
                load.within(members, members * item.count());
            }
        }
    }

    /** A signal to everyone that writes this rank's output. */
    private void ready(final Load load, final int rank) {
        final int host = lanes.host(rank);
        final BitSet within = new BitSet();
        final BitSet across = new BitSet();
        for (int home = 0; home < lanes.hosts(); home++) {
            for (int lane = 0; lane < lanes.number(); lane++) {
                final int owner = lanes.owner(host, lane);
                for (final Cargo.Item item : cargo.items(home, lane)) {
                    if (owner != rank && (home != host || item.endpoint() != rank)) {
                        within.set(owner);
                    } else if (owner == rank && home == host && item.endpoint() != rank) {
                        within.set(item.endpoint());
                    } else if (owner == rank && home != host) {
                        across.set(pattern == HostPattern.RING ? lanes.shift(host, -1) : home);
                    }
                }
            }
        }
        load.within(within.cardinality(), 0);
        load.across(across.cardinality(), 0);
    }
}
