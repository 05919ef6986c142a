package org.chagres.collectives.planner;

import java.util.ArrayList;
import java.util.List;
import org.chagres.collectives.plan.Ref;
import org.chagres.collectives.plan.Step;

/**
 * Collects the steps of one channel. Moves of nothing are left out, but a message of nothing still raises its signal, so that a planner need
 * not treat empty blocks apart.
 */
final class ChannelBuilder {
    private final List<Step> steps = new ArrayList<>();
    private final int[] awaited;

    ChannelBuilder(final int size) {
        awaited = new int[size];
    }

    /** Puts and signals. */
    void send(final int peer, final Ref from, final Ref to, final long count) {
        steps.add(count == 0 ? new Step.Signal(peer) : new Step.Put(peer, from, to, count, true));
    }

    /** Puts without a signal: a later one of this channel to the same peer publishes it. */
    void put(final int peer, final Ref from, final Ref to, final long count) {
        if (count > 0) {
            steps.add(new Step.Put(peer, from, to, count, false));
        }
    }

    void signal(final int peer) {
        steps.add(new Step.Signal(peer));
    }

    /** Waits for the signal of {@code peer} that follows the one awaited last. */
    void await(final int peer) {
        awaitOrdinal(peer, awaited[peer] + 1);
    }

    void awaitOrdinal(final int peer, final int ordinal) {
        awaited[peer] = ordinal;
        steps.add(new Step.Wait(peer, ordinal));
    }

    void copy(final Ref from, final Ref to, final long count) {
        if (count > 0) {
            steps.add(new Step.Copy(from, to, count));
        }
    }

    void reduce(final List<Step.Operand> operands, final Ref to, final long count, final boolean finish) {
        if (count > 0) {
            steps.add(new Step.Reduce(operands, to, count, finish));
        }
    }

    List<Step> steps() {
        return steps;
    }
}
