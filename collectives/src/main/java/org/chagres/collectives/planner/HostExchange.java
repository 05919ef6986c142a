package org.chagres.collectives.planner;

import java.util.ArrayList;
import java.util.List;
import org.chagres.collectives.plan.Ref;
import org.chagres.collectives.plan.Shape;
import org.chagres.collectives.plan.Step;

/**
 * The all_reduce of {@link Hierarchical} between hosts that talk directly: each owner sends its host's sum to that lane's owners of all other hosts, all
 * of which add the sums in the order of hosts. The sums of the next group are under way while one is added.
 */
final class HostExchange {
    private final Lanes lanes;
    private final Cargo cargo;
    private final Slots slots;
    private final int host;
    private final int lane;
    private final Script script;
    private final Turns turns;
    private final HostInputs inputs;
    private final HostSpread spread;

    HostExchange(final Shape shape, final Lanes lanes, final Cargo cargo, final Slots slots, final int rank) {
        this.lanes = lanes;
        this.cargo = cargo;
        this.slots = slots;
        host = lanes.host(rank);
        lane = lanes.place(rank);
        script = new Script(shape.size(), rank);
        turns = new Turns(slots.turns(), script);
        inputs = new HostInputs(lanes, slots, 0, script, turns);
        spread = new HostSpread(lanes, HostPattern.DIRECT, script);
    }

    List<Step> steps() {
        sendSums(0);
        for (int group = 0; group * slots.group() < cargo.mostItems(); group++) {
            sendSums(group + 1);
            addSums(group);
        }
        return script.steps();
    }

    private List<Cargo.Item> group(final int l, final int group) {
        return cargo.group(0, l, group, slots.group());
    }

    private void sendSums(final int group) {
        for (int l = 0; l < lanes.number(); l++) {
            if (!group(l, group).isEmpty()) {
                inputs.contribute(host, l, group(l, group));
            }
        }
        for (int h = 0; h < lanes.hosts(); h++) {
            for (int l = 0; l < lanes.number(); l++) {
                if ((h == host || l == lane) && !group(l, group).isEmpty()) {
                    sendSums(h, l, group(l, group));
                }
            }
        }
    }

    private void sendSums(final int h, final int l, final List<Cargo.Item> items) {
        final int owner = lanes.owner(h, l);
        final int[] turn = new int[lanes.hosts()];
        for (int next = 1; next < lanes.hosts(); next++) {
            final int to = lanes.shift(h, next);
            turn[to] = turns.fill(owner, lanes.owner(to, l));
        }
        for (int i = 0; i < items.size(); i++) {
            final Cargo.Item item = items.get(i);
            final List<Step.Operand> operands = inputs.own(h, l, i, item);
            final Ref sum = sum(h, turn[lanes.shift(h, 1)], i, item);
            if (operands.size() > 1) {
                script.reduce(owner, operands, sum, item.count(), false);
            }
            for (int next = 1; next < lanes.hosts(); next++) {
                final int to = lanes.shift(h, next);
                script.put(Script.Kind.INPUT, owner, lanes.owner(to, l), sum,
                        slots.in(0, turn[to], i, h < to ? h : h - 1), item.count());
            }
        }
        inputs.release(h, l, total(l));
    }

    /** A host of one rank has its sum in the input. */
    private Ref sum(final int h, final int turn, final int i, final Cargo.Item item) {
        return lanes.size(h) > 1 ? slots.out(0, turn, i, 0) : item.send();
    }

    private void addSums(final int group) {
        for (int h = 0; h < lanes.hosts(); h++) {
            for (int l = 0; l < lanes.number(); l++) {
                if ((h == host || l == lane) && !group(l, group).isEmpty()) {
                    addSums(h, l, group, group(l, group));
                }
            }
        }
    }

    private void addSums(final int h, final int l, final int group, final List<Cargo.Item> items) {
        final int owner = lanes.owner(h, l);
        for (int i = 0; i < items.size(); i++) {
            final Cargo.Item item = items.get(i);
            final List<Step.Operand> operands = new ArrayList<>();
            for (int source = 0; source < lanes.hosts(); source++) {
                final int from = lanes.owner(source, l);
                Ref at = sum(h, group % slots.turns(), i, item);
                if (source != h) {
                    script.await(Script.Kind.INPUT, from, owner);
                    at = slots.in(0, turns.reading(from, owner), i, source < h ? source : source - 1);
                }
                operands.add(new Step.Operand(at, lanes.size(source) == 1));
            }
            script.reduce(owner, operands, item.recv(), item.count(), true);
            spread.toMembers(h, l, owner, item, item.recv());
        }
        for (int next = 1; next < lanes.hosts(); next++) {
            turns.release(lanes.owner(lanes.shift(h, next), l), owner, total(l));
        }
    }

    private long total(final int l) {
        return Volume.at(cargo, 0, l, slots.group()).groups();
    }
}
