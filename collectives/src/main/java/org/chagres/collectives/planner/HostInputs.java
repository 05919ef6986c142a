package org.chagres.collectives.planner;

import java.util.ArrayList;
import java.util.List;
import org.chagres.collectives.plan.Ref;
import org.chagres.collectives.plan.Step;

/** Within a host: all its ranks put their inputs into the scratch of the owner that will reduce them. */
final class HostInputs {
    private final Lanes lanes;
    private final Slots slots;
    private final int channel;
    private final Script script;
    private final Turns turns;

    HostInputs(final Lanes lanes, final Slots slots, final int channel, final Script script, final Turns turns) {
        this.lanes = lanes;
        this.slots = slots;
        this.channel = channel;
        this.script = script;
        this.turns = turns;
    }

    /** The other ranks of {@code host} put a group into the scratch of the lane's owner. */
    void contribute(final int host, final int lane, final List<Cargo.Item> items) {
        final int owner = lanes.owner(host, lane);
        for (int place = 0; place < lanes.size(host); place++) {
            final int member = lanes.member(host, place);
            if (place == lane || !script.concerns(member, owner)) {
                continue;
            }
            final int turn = turns.fill(member, owner);
            for (int i = 0; i < items.size(); i++) {
                script.put(Script.Kind.INPUT, member, owner, items.get(i).send(),
                        slots.local(channel, turn, i, lane, place), items.get(i).count());
            }
        }
    }

    /** The owner awaits piece {@code i} of the group: the inputs of its host's ranks, in their order. */
    List<Step.Operand> own(final int host, final int lane, final int i, final Cargo.Item item) {
        final int owner = lanes.owner(host, lane);
        final List<Step.Operand> operands = new ArrayList<>();
        for (int place = 0; place < lanes.size(host); place++) {
            if (place != lane) {
                script.await(Script.Kind.INPUT, lanes.member(host, place), owner);
            }
            operands.add(new Step.Operand(place == lane ? item.send() : slot(host, lane, place, i), true));
        }
        return operands;
    }

    /** Where the input of a host's rank to piece {@code i} of the group that is being read lies. */
    Ref slot(final int host, final int lane, final int place, final int i) {
        final int turn = turns.reading(lanes.member(host, place), lanes.owner(host, lane));
        return slots.local(channel, turn, i, lane, place);
    }

    /** The owner has read the group. */
    void release(final int host, final int lane, final long total) {
        for (int place = 0; place < lanes.size(host); place++) {
            if (place != lane) {
                turns.release(lanes.member(host, place), lanes.owner(host, lane), total);
            }
        }
    }
}
