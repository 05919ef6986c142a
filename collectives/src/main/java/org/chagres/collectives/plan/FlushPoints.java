package org.chagres.collectives.plan;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * The steps of a plan before which a rank must wait until its links have read all that it gave them in this operation. A link may read the
 * source of a put long after the step (a socket once there is room, a NIC when it comes to it), so that who writes there again too early would
 * send the new data instead of the old.
 *
 * <p>
 * Executor and prover take the points from here: the executor waits there and at the end of the operation; the prover supposes just those waits
 * and, beside them, only that a link is a stream: when a peer has awaited a signal that follows a put, the put has been read. These steps get a
 * point:
 * <ul>
 * <li>a {@link Step.Copy} or {@link Step.Reduce} into the source of an earlier put of its channel, in place included;
 * <li>a {@link Step.Signal} to one peer after a put out of scratch to another: it may tell the one that the place is free to be written, while
 * the link to the other still reads it.
 * </ul>
 * No put gets one, so a reduction and the puts of its result that follow it may still go piece by piece: each piece of the reduction writes its
 * own part of the target, and what is being read by then are the parts before it.
 *
 * <p>
 * A point covers all before it, so the next is due only after another put. The rules look at one rank's channel alone and may mark a
 * step that other ranks' signals make safe; whether they mark enough for a plan is for the prover to say.
 */
public final class FlushPoints {
    private static final int NONE = -1;
    private static final int SEVERAL = -2;

    private final long inPlaceOffset;
    /** Where puts since the last point read from. */
    private final Ranges send = new Ranges();
    private final Ranges recv = new Ranges();
    private final Ranges scratch = new Ranges();
    /** Whom they sent scratch to. */
    private int scratchPeer = NONE;

    private FlushPoints(final Plan plan) {
        inPlaceOffset = plan.shape().inPlaceOffset(plan.rank());
    }

    /** By channel: the indices of the steps before which to flush. */
    public static List<BitSet> of(final Plan plan) {
        final List<BitSet> points = new ArrayList<>();
        for (final List<Step> steps : plan.channels()) {
            points.add(new FlushPoints(plan).find(steps));
        }
        return points;
    }

    private BitSet find(final List<Step> steps) {
        final BitSet points = new BitSet();
        for (int i = 0; i < steps.size(); i++) {
            final Step step = steps.get(i);
            if (needsFlush(step)) {
                points.set(i);
                forget();
            }
            if (step instanceof final Step.Put put) {
                note(put);
            }
        }
        return points;
    }

    private boolean needsFlush(final Step step) {
        return switch (step) {
            case final Step.Copy copy -> overwrites(copy.to(), copy.count(), isOntoItselfInPlace(copy));
            case final Step.Reduce reduce -> overwrites(reduce.to(), reduce.count(), false);
            case final Step.Signal signal -> scratchPeer != NONE && scratchPeer != signal.peer();
            case final Step.Put _,final Step.Wait _ -> false;
        };
    }

    /** In place such a copy does nothing; out of place it does not touch the input. */
    private boolean isOntoItselfInPlace(final Step.Copy copy) {
        return copy.from().space() == Space.SEND && inPlaceOffset != Shape.NOT_IN_PLACE
                && copy.from().offset() + inPlaceOffset == copy.to().offset();
    }

    private boolean overwrites(final Ref to, final long count, final boolean sparesInput) {
        return switch (to.space()) {
            case SCRATCH -> scratch.intersects(to.offset(), count);
            case RECV -> recv.intersects(to.offset(), count)
                    || (!sparesInput && inPlaceOffset != Shape.NOT_IN_PLACE
                            && send.intersects(to.offset() - inPlaceOffset, count));
            case SEND -> throw new IllegalArgumentException("a plan writes its input: " + to);
        };
    }

    private void note(final Step.Put put) {
        final Ref from = put.from();
        switch (from.space()) {
            case SEND -> send.add(from.offset(), put.count());
            case RECV -> recv.add(from.offset(), put.count());
            case SCRATCH -> {
                scratch.add(from.offset(), put.count());
                scratchPeer = scratchPeer == NONE || scratchPeer == put.peer() ? put.peer() : SEVERAL;
            }
        }
    }

    private void forget() {
        send.clear();
        recv.clear();
        scratch.clear();
        scratchPeer = NONE;
    }
}
