package org.chagres.collectives.planner;

import java.util.ArrayList;
import java.util.List;
import org.chagres.collectives.plan.Collective;
import org.chagres.collectives.plan.Ref;
import org.chagres.collectives.plan.Shape;
import org.chagres.collectives.plan.Step;

/**
 * The reductions of {@link Hierarchical} on one channel, but for the all_reduce between hosts that talk directly, which is {@link HostExchange}. Step by
 * step each host's owners combine what their host has for one home, and what other hosts have sent, and send it on to the next host or the home.
 */
final class HostReduction {
    private final Shape shape;
    private final HostPattern pattern;
    private final HostInputs inputs;
    private final Lanes lanes;
    private final Cargo cargo;
    private final Slots slots;
    private final int channel;
    private final int host;
    private final int lane;
    private final Script script;
    private final Turns turns;
    private final HostSpread spread;

    HostReduction(final Shape shape, final HostPattern pattern, final Lanes lanes, final Cargo cargo, final Slots slots,
            final int channel, final int rank) {
        this.shape = shape;
        this.pattern = pattern;
        this.lanes = lanes;
        this.cargo = cargo;
        this.slots = slots;
        this.channel = channel;
        host = lanes.host(rank);
        lane = lanes.place(rank);
        script = new Script(shape.size(), rank);
        turns = new Turns(slots.turns(), script);
        inputs = new HostInputs(lanes, slots, channel, script, turns);
        spread = new HostSpread(lanes, pattern, script);
    }

    List<Step> steps() {
        for (int group = 0; group * slots.group() < cargo.mostItems(); group++) {
            for (int step = 0; step < lanes.hosts(); step++) {
                for (int h = 0; h < lanes.hosts(); h++) {
                    reduce(h, step, group);
                }
            }
            for (int distance = 1; distance < lanes.hosts() && all(); distance++) {
                for (int h = 0; h < lanes.hosts(); h++) {
                    pass(h, distance, group);
                }
            }
        }
        return script.steps();
    }

    private boolean all() {
        return shape.collective() == Collective.ALL_REDUCE;
    }

    private void pass(final int h, final int distance, final int group) {
        for (int l = 0; l < lanes.number(); l++) {
            if (h == host || l == lane) {
                spread.pass(h, l, distance, cargo.group(lanes.shift(h, -distance), l, group, slots.group()));
            }
        }
    }

    private void reduce(final int h, final int step, final int group) {
        final int home = pattern.home(lanes, h, step);
        for (int l = 0; l < lanes.number(); l++) {
            final List<Cargo.Item> items = cargo.group(home, l, group, slots.group());
            if (h == host && !items.isEmpty()) {
                inputs.contribute(h, l, items);
            }
        }
        for (int l = 0; l < lanes.number(); l++) {
            final List<Cargo.Item> items = cargo.group(home, l, group, slots.group());
            if ((h == host || l == lane) && !items.isEmpty()) {
                combine(h, l, step, items);
            }
        }
    }

    private void combine(final int h, final int l, final int step, final List<Cargo.Item> items) {
        final int owner = lanes.owner(h, l);
        final int home = pattern.home(lanes, h, step);
        final int next = lanes.owner(pattern == HostPattern.RING ? lanes.shift(h, 1) : home, l);
        final int turn = h == home ? 0 : turns.fill(owner, next);
        final List<Integer> sources = sources(h, step);
        for (int i = 0; i < items.size(); i++) {
            final Cargo.Item item = items.get(i);
            final List<Step.Operand> operands = new ArrayList<>(inputs.own(h, l, i, item));
            for (final int source : sources) {
                operands.add(received(h, l, source, step, i));
            }
            if (h == home) {
                finish(h, l, i, item, operands);
            } else {
                send(owner, next, turn, i, item, operands);
            }
        }
        inputs.release(h, l, total(l));
        for (final int source : sources) {
            turns.release(lanes.owner(source, l), owner, lineTotal(source, h, l));
        }
    }

    /** The hosts whose partial results {@code h} takes in. */
    private List<Integer> sources(final int h, final int step) {
        final List<Integer> sources = new ArrayList<>();
        if (pattern.receives(lanes, step)) {
            for (int source = 0; source < lanes.hosts(); source++) {
                if (source != h && (pattern == HostPattern.DIRECT || source == lanes.shift(h, -1))) {
                    sources.add(source);
                }
            }
        }
        return sources;
    }

    private Step.Operand received(final int h, final int l, final int source, final int step, final int i) {
        final int from = lanes.owner(source, l);
        final int owner = lanes.owner(h, l);
        script.await(Script.Kind.INPUT, from, owner);
        final boolean first = pattern == HostPattern.DIRECT || step == 1;
        return new Step.Operand(slots.in(channel, turns.reading(from, owner), i, line(h, source)),
                first && lanes.size(source) == 1);
    }

    private int line(final int h, final int other) {
        return pattern == HostPattern.RING ? 0 : other < h ? other : other - 1;
    }

    private void send(final int owner, final int next, final int turn, final int i, final Cargo.Item item,
            final List<Step.Operand> operands) {
        final int h = lanes.host(owner);
        final int to = lanes.host(next);
        Ref from = item.send();
        if (operands.size() > 1) {
            from = slots.out(channel, turn, i, line(h, to));
            script.reduce(owner, operands, from, item.count(), false);
        }
        script.put(Script.Kind.INPUT, owner, next, from, slots.in(channel, turn, i, line(to, h)), item.count());
    }

    /**
     * A result for another rank of this host leaves from where that rank's contribution lay: it writes there again only after a signal that follows
     * the result.
     */
    private void finish(final int h, final int l, final int i, final Cargo.Item item,
            final List<Step.Operand> operands) {
        final int owner = lanes.owner(h, l);
        if (item.endpoint() < 0 || item.endpoint() == owner) {
            script.reduce(owner, operands, item.recv(), item.count(), true);
        } else {
            final Ref result = inputs.slot(h, l, lanes.place(item.endpoint()), i);
            script.reduce(owner, operands, result, item.count(), true);
            script.put(Script.Kind.OUTPUT, owner, item.endpoint(), result, item.recv(), item.count());
        }
        if (all()) {
            spread.toHosts(h, l, 0, item, item.recv());
            spread.toMembers(h, l, owner, item, item.recv());
        }
    }

    private long total(final int l) {
        return Volume.of(cargo, lanes, l, -1, slots.group()).groups();
    }

    private long lineTotal(final int source, final int h, final int l) {
        return pattern == HostPattern.RING
                ? Volume.of(cargo, lanes, l, source, slots.group()).groups()
                : Volume.at(cargo, h, l, slots.group()).groups();
    }
}
