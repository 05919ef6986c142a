package org.chagres.collectives.proof;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.chagres.collectives.plan.Collective;
import org.chagres.collectives.plan.Limits;
import org.chagres.collectives.plan.Plan;
import org.chagres.collectives.plan.Ref;
import org.chagres.collectives.plan.Scratch;
import org.chagres.collectives.plan.Shape;
import org.chagres.collectives.plan.Space;
import org.chagres.collectives.plan.Step;

/** The rules that can be seen without running: agreement between ranks, limits, bounds, the form of an inbox. */
final class Form {
    private final List<Plan> plans;
    private final Shape shape;
    private final Limits limits;

    Form(final List<Plan> plans, final Limits limits) {
        this.plans = plans;
        this.shape = plans.getFirst().shape();
        this.limits = limits;
    }

    void check() {
        for (int rank = 0; rank < plans.size(); rank++) {
            checkAgreement(plans.get(rank), rank);
        }
        for (int rank = 0; rank < plans.size(); rank++) {
            checkLimits(plans.get(rank));
            for (int channel = 0; channel < plans.get(rank).channels().size(); channel++) {
                checkChannel(plans.get(rank), channel);
            }
        }
    }

    private void checkAgreement(final Plan plan, final int rank) {
        final Plan first = plans.getFirst();
        final Place place = plan.channels().isEmpty() ? new Place(rank, 0, 0, null) : Place.end(plan);
        require(plan.rank() == rank, place, "is the plan of rank " + plan.rank());
        require(plans.size() == shape.size(), place,
                "there are " + plans.size() + " plans for " + shape.size() + " ranks");
        require(plan.shape().equals(shape), place, "is a plan for " + plan.shape() + ", rank 0's for " + shape);
        require(plan.algorithm().equals(first.algorithm()), place,
                "plans " + plan.algorithm() + ", rank 0 plans " + first.algorithm());
        require(plan.scratch() == first.scratch(), place,
                "lays scratch out as " + plan.scratch() + ", rank 0 as " + first.scratch());
        require(plan.synchronizing() == first.synchronizing(), place,
                "differs from rank 0 in the claim to synchronize");
        require(plan.channels().size() == first.channels().size(), place,
                "has " + plan.channels().size() + " channels, rank 0 has " + first.channels().size());
        require(!plan.channels().isEmpty(), place, "has no channel: there must be one, if only without steps");
    }

    private void checkLimits(final Plan plan) {
        final Place place = Place.end(plan);
        require(plan.channels().size() <= limits.channels(), place,
                "uses " + plan.channels().size() + " channels of " + limits.channels());
        require(plan.scratchCount() >= 0, place, "uses " + plan.scratchCount() + " elements of scratch");
        if (plan.scratch() == Scratch.HEAP) {
            require(plan.scratchCount() <= limits.scratchBytes() / shape.elementSize(), place,
                    "uses " + plan.scratchCount()
                            + " elements of scratch, " + limits.scratchBytes() + " bytes hold "
                            + limits.scratchBytes() / shape.elementSize());
        } else if (plan.scratchCount() > 0) {
            require(plan.scratchCount() == slot() * shape.size(), place,
                    "an inbox has " + shape.size() + " slots of " + slot()
                            + " elements, not " + plan.scratchCount() + " elements");
            require(slot() <= limits.inboxBytes() / shape.elementSize(), place,
                    "a slot of " + slot() + " elements exceeds " + limits.inboxBytes() + " bytes");
        }
        require(plan.scratch() == Scratch.HEAP || plan.channels().size() == 1, place,
                "an inbox has one channel, not " + plan.channels().size());
    }

    private long slot() {
        return shape.collective() == Collective.BARRIER ? 0 : shape.count();
    }

    private void checkChannel(final Plan plan, final int channel) {
        final List<Step> steps = plan.channels().get(channel);
        final int[] signals = new int[shape.size()];
        final Set<Integer> messaged = new HashSet<>();
        for (int i = 0; i < steps.size(); i++) {
            final Step step = steps.get(i);
            final Place place = new Place(plan.rank(), channel, i, step);
            checkBounds(plan, place);
            final int peer = receiver(step);
            if (peer >= 0) {
                require(++signals[peer] <= Limits.MAX_SIGNALS, place,
                        "raises more than " + Limits.MAX_SIGNALS + " signals at rank " + peer);
                require(plan.scratch() == Scratch.HEAP || messaged.add(peer), place,
                        "sends a second message into the inbox of rank " + peer);
            }
            if (plan.scratch() == Scratch.INBOX && step instanceof final Step.Put put) {
                checkInboxPut(plan, place, put);
            }
        }
    }

    /** The rank at which {@code step} raises a signal, or -1. */
    private static int receiver(final Step step) {
        return switch (step) {
            case final Step.Put put -> put.signal() ? put.peer() : -1;
            case final Step.Signal signal -> signal.peer();
            case final Step.Wait _,final Step.Copy _,final Step.Reduce _ -> -1;
        };
    }

    private void checkInboxPut(final Plan plan, final Place place, final Step.Put put) {
        require(put.signal(), place, "a put into an inbox must be signalled");
        require(put.to().space() == Space.SCRATCH, place, "an inbox plan puts into " + put.to());
        require(put.to().offset() == plan.rank() * slot() && put.count() == slot(), place,
                "must fill rank " + plan.rank() + "'s slot, " + slot() + " elements from " + plan.rank() * slot()
                        + " on");
    }

    private void checkBounds(final Plan plan, final Place place) {
        switch (place.step()) {
            case final Step.Put put -> {
                checkPeer(place, put.peer());
                checkRange(plan, place, put.from(), put.count());
                checkTarget(plans.get(put.peer()), place, put.to(), put.count());
            }
            case final Step.Signal signal -> checkPeer(place, signal.peer());
            case final Step.Wait wait -> {
                checkPeer(place, wait.peer());
                require(wait.ordinal() >= 1, place, "signals are counted from 1");
            }
            case final Step.Copy copy -> {
                checkRange(plan, place, copy.from(), copy.count());
                checkTarget(plan, place, copy.to(), copy.count());
                checkOverlap(plan, place, copy.from(), copy.to(), copy.count());
            }
            case final Step.Reduce reduce -> {
                require(shape.collective().reduces(), place, shape.collective().label() + " does not reduce");
                require(!reduce.operands().isEmpty(), place, "reduces nothing");
                checkTarget(plan, place, reduce.to(), reduce.count());
                for (final Step.Operand operand : reduce.operands()) {
                    checkRange(plan, place, operand.at(), reduce.count());
                    checkOverlap(plan, place, operand.at(), reduce.to(), reduce.count());
                }
            }
        }
    }

    private void checkPeer(final Place place, final int peer) {
        require(peer >= 0 && peer < shape.size() && peer != place.rank(), place,
                "rank " + peer + " is no peer of rank " + place.rank() + " in a world of " + shape.size());
    }

    private void checkTarget(final Plan owner, final Place place, final Ref to, final long count) {
        require(to.space() != Space.SEND, place, "writes the input");
        checkRange(owner, place, to, count);
    }

    private void checkRange(final Plan owner, final Place place, final Ref ref, final long count) {
        require(count > 0, place, "moves " + count + " elements");
        final long length = lengthOf(owner, ref.space());
        require(ref.offset() >= 0 && ref.offset() <= length - count, place, count + " elements from " + ref
                + " on leave the buffer of rank " + owner.rank() + ", which has " + length);
    }

    static long lengthOf(final Plan plan, final Space space) {
        return switch (space) {
            case SEND -> plan.shape().sendCount(plan.rank());
            case RECV -> plan.shape().recvCount(plan.rank());
            case SCRATCH -> plan.scratchCount();
        };
    }

    /** Within a step, source and target must be the same elements or none of the same, also when the rank computes in place. */
    private void checkOverlap(final Plan plan, final Place place, final Ref from, final Ref to, final long count) {
        final long offset = shape.inPlaceOffset(plan.rank());
        final boolean aliased = from.space() == Space.SEND && to.space() == Space.RECV && offset != Shape.NOT_IN_PLACE;
        if (from.space() != to.space() && !aliased) {
            return;
        }
        final long distance = Math.abs(from.offset() + (aliased ? offset : 0) - to.offset());
        require(distance == 0 || distance >= count, place, from + " and " + to + " overlap partly"
                + (aliased ? " when in place" : ""));
    }

    private static void require(final boolean holds, final Place place, final String reason) {
        if (!holds) {
            throw new ProofException(place, reason);
        }
    }
}
