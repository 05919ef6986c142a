package org.chagres.collectives.planner;

import java.util.List;
import org.chagres.collectives.plan.Collective;
import org.chagres.collectives.plan.Cost;
import org.chagres.collectives.plan.Shape;

/** What {@link HostReduction} and {@link HostExchange} cost. */
final class HostReductionCost {
    private final Shape shape;
    private final HostPattern pattern;
    private final Lanes lanes;
    private final List<Cargo> cargos;
    private final Slots slots;
    private final boolean all;
    private final boolean exchange;

    HostReductionCost(final Shape shape, final HostPattern pattern, final Lanes lanes, final List<Cargo> cargos,
            final Slots slots) {
        this.shape = shape;
        this.pattern = pattern;
        this.lanes = lanes;
        this.cargos = cargos;
        this.slots = slots;
        all = shape.collective() == Collective.ALL_REDUCE;
        exchange = all && pattern == HostPattern.DIRECT;
    }

    Cost cost() {
        final Load most = new Load();
        for (int rank = 0; rank < shape.size(); rank++) {
            final Load load = new Load();
            for (final Cargo cargo : cargos) {
                contribute(load, cargo, rank);
                if (lanes.owns(rank)) {
                    own(load, cargo, lanes.host(rank), lanes.place(rank));
                }
            }
            most.atLeast(load);
        }
        final int across = acrossOneWay();
        final boolean chain = pattern == HostPattern.RING && shape.collective() == Collective.REDUCE;
        final long fill = chain ? (lanes.hosts() - 2L) * Slots.longest(cargos) : 0;
        return most.cost(hops(across), all && !exchange ? 2 * across : across, fill, roundings(), shape.elementSize())
                .staging(Slots.longest(cargos) * shape.elementSize());
    }

    private int acrossOneWay() {
        return pattern == HostPattern.RING ? lanes.hosts() - 1 : 1;
    }

    /** A reduce_scatter's owners turn from home to home, which adds one signal within the host each time. */
    private int hops(final int across) {
        return switch (shape.collective()) {
            case ALL_REDUCE -> exchange ? 3 : 2 + 2 * across;
            case REDUCE -> 1 + across + relays();
            default -> lanes.hosts() + relays();
        };
    }

    /** 1 if some result is not reduced by the rank that gets it. */
    private int relays() {
        for (int home = 0; home < lanes.hosts(); home++) {
            for (int lane = 0; lane < lanes.number(); lane++) {
                for (final Cargo.Item item : cargos.getFirst().items(home, lane)) {
                    if (item.endpoint() >= 0 && item.endpoint() != lanes.owner(home, lane)) {
                        return 1;
                    }
                }
            }
        }
        return 0;
    }

    private int roundings() {
        int most = 0;
        for (int home = 0; home < lanes.hosts(); home++) {
            if (!cargos.getFirst().items(home, 0).isEmpty()) {
                most = Math.max(most, roundings(home));
            }
        }
        return most;
    }

    /** A host with one rank has nothing to add up before it sends. */
    private int roundings(final int home) {
        if (pattern == HostPattern.RING) {
            return lanes.hosts() - (lanes.size(lanes.shift(home, 1)) == 1 ? 1 : 0);
        }
        for (int host = 0; host < lanes.hosts(); host++) {
            if (lanes.size(host) > 1 && (exchange || host != home)) {
                return 2;
            }
        }
        return 1;
    }

    private void contribute(final Load load, final Cargo cargo, final int rank) {
        for (int lane = 0; lane < lanes.number(); lane++) {
            if (lane != lanes.place(rank)) {
                final Volume volume = of(cargo, lane, -1);
                load.within(volume.items(), volume.elements());
            }
        }
    }

    private void own(final Load load, final Cargo cargo, final int host, final int lane) {
        final Volume whole = of(cargo, lane, -1);
        final long others = lanes.size(host) - 1L;
        load.within(others * Turns.credits(whole.groups(), slots.turns()), 0);
        if (all) {
            load.within(others * whole.items(), others * whole.elements());
        }
        if (exchange) {
            final long hosts = lanes.hosts() - 1L;
            load.across(hosts * (whole.items() + Turns.credits(whole.groups(), slots.turns())),
                    hosts * whole.elements());
            load.reduce(whole.elements() * (others > 0 ? 2 : 1));
            return;
        }
        final Volume sent = of(cargo, lane, host);
        load.across(sent.items() + creditsAcross(cargo, host, lane), sent.elements());
        load.reduce(whole.elements() - (others > 0 ? 0 : unreduced(cargo, host, lane)));
        deliver(load, cargo, host, lane);
        if (all) {
            final Volume passed = of(cargo, lane, lanes.shift(host, 1));
            load.across(passed.items() + ready(cargo, host, lane), passed.elements());
        }
    }

    private long creditsAcross(final Cargo cargo, final int host, final int lane) {
        return pattern == HostPattern.RING
                ? Turns.credits(of(cargo, lane, lanes.shift(host, -1)).groups(), slots.turns())
                : (lanes.hosts() - 1) * Turns.credits(at(cargo, host, lane).groups(), slots.turns());
    }

    /** What the only rank of a host sends as it is. */
    private long unreduced(final Cargo cargo, final int host, final int lane) {
        return pattern == HostPattern.RING
                ? at(cargo, lanes.shift(host, -1), lane).elements()
                : of(cargo, lane, host).elements();
    }

    private void deliver(final Load load, final Cargo cargo, final int host, final int lane) {
        for (final Cargo.Item item : cargo.items(host, lane)) {
            if (item.endpoint() >= 0 && item.endpoint() != lanes.owner(host, lane)) {
                load.within(1, item.count());
            }
        }
    }

    /** The host before passes results on without having heard of this one: unless there are two, or it has needed places again before. */
    private long ready(final Cargo cargo, final int host, final int lane) {
        final int before = lanes.shift(host, -1);
        int fills = 0;
        for (int home = 0; home < lanes.hosts(); home++) {
            fills += home != before && !cargo.items(home, lane).isEmpty() ? 1 : 0;
        }
        final boolean passes = of(cargo, lane, host).items() > 0;
        return lanes.hosts() > 2 && passes && fills <= slots.turns() ? 1 : 0;
    }

    private Volume of(final Cargo cargo, final int lane, final int except) {
        return Volume.of(cargo, lanes, lane, except, slots.group());
    }

    private Volume at(final Cargo cargo, final int home, final int lane) {
        return Volume.at(cargo, home, lane, slots.group());
    }
}
