package org.chagres.collectives.planner;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.chagres.collectives.plan.Ref;
import org.chagres.collectives.plan.Step;

/**
 * Collects the steps of one rank of a ring in which all ranks do the same. Signals bear labels, and a wait names the label: because the left
 * neighbour sends to its right what this rank sends to its right, a label's ordinal is its place among this rank's own signals. That also
 * holds for two ranks, where left and right are the same peer.
 */
final class RingBuilder {
    /** What a signal means. */
    enum Kind {
        /** My output may be written. */
        READY,
        /** A partial result is in your scratch. */
        PARTIAL,
        /** Your partial result has been read, and its place is free. */
        FREE,
        /** Data is in your output. */
        OUTPUT
    }

    private record Label(Kind kind, int number) {}

    private record Pending(int step, int peer, Label label, Map<Label, Integer> ordinals) {}

    private final int left;
    private final int right;
    private final ChannelBuilder steps;
    private final Map<Label, Integer> toRight = new HashMap<>();
    private final Map<Label, Integer> toLeft;
    private final List<Pending> waits = new ArrayList<>();

    RingBuilder(final int size, final int rank) {
        left = Math.floorMod(rank - 1, size);
        right = (rank + 1) % size;
        steps = new ChannelBuilder(size);
        toLeft = left == right ? toRight : new HashMap<>();
    }

    void sendRight(final Kind kind, final int number, final Ref from, final Ref to, final long count) {
        toRight.put(new Label(kind, number), toRight.size() + 1);
        steps.send(right, from, to, count);
    }

    void signalLeft(final Kind kind, final int number) {
        toLeft.put(new Label(kind, number), toLeft.size() + 1);
        steps.signal(left);
    }

    void awaitLeft(final Kind kind, final int number) {
        await(left, new Label(kind, number), toRight);
    }

    void awaitRight(final Kind kind, final int number) {
        await(right, new Label(kind, number), toLeft);
    }

    private void await(final int peer, final Label label, final Map<Label, Integer> ordinals) {
        waits.add(new Pending(steps.steps().size(), peer, label, ordinals));
        steps.await(peer);
    }

    void copy(final Ref from, final Ref to, final long count) {
        steps.copy(from, to, count);
    }

    void reduce(final Ref partial, final boolean raw, final Ref own, final Ref to, final long count,
            final boolean finish) {
        steps.reduce(List.of(new Step.Operand(partial, raw), new Step.Operand(own, true)), to, count, finish);
    }

    List<Step> steps() {
        for (final Pending wait : waits) {
            steps.steps().set(wait.step(), new Step.Wait(wait.peer(), wait.ordinals().get(wait.label())));
        }
        return steps.steps();
    }
}
