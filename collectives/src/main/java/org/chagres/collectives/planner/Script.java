package org.chagres.collectives.planner;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeSet;
import org.chagres.collectives.plan.Ref;
import org.chagres.collectives.plan.Space;
import org.chagres.collectives.plan.Step;

/**
 * Collects one rank's steps of a channel from a script for all ranks: the planner says in one order what every rank does, each wait after the
 * message that it waits for, so that the plans cannot deadlock; what other ranks do among themselves is passed over. Of one kind, a rank awaits
 * the messages of another in the order in which they are sent.
 *
 * <p>
 * Who is about to write a peer's output before it has heard of that peer awaits a signal with which the peer, seeing the same script, begins.
 */
final class Script {
    /** What a message is. */
    enum Kind {
        /** Data to reduce, in my scratch. */
        INPUT,
        /** Places in my scratch that you had filled are free. */
        CREDIT,
        /** Data in my output. */
        OUTPUT
    }

    private record Line(Kind kind, int source) {}

    private final int rank;
    private final ChannelBuilder steps;
    /** By source: messages to me so far. */
    private final int[] sent;
    private final int[] awaited;
    private final Map<Line, Queue<Integer>> pending = new HashMap<>();
    /** Peers of which I have heard, and that have heard of me. */
    private final boolean[] heardOf;
    private final boolean[] heardBy;
    /** Peers that begin by telling me that their output is there, and those that I tell. */
    private final TreeSet<Integer> tellMe = new TreeSet<>();
    private final TreeSet<Integer> told = new TreeSet<>();

    Script(final int size, final int rank) {
        this.rank = rank;
        steps = new ChannelBuilder(size);
        sent = new int[size];
        awaited = new int[size];
        heardOf = new boolean[size];
        heardBy = new boolean[size];
    }

    /** Whether a message between these ranks is this rank's business. */
    boolean concerns(final int source, final int destination) {
        return source == rank || destination == rank;
    }

    void put(final Kind kind, final int source, final int destination, final Ref from, final Ref to, final long count) {
        if (to.space() == Space.RECV) {
            permit(source, destination);
        }
        if (source == rank) {
            steps.send(destination, from, to, count);
        }
        note(kind, source, destination);
    }

    private void permit(final int source, final int destination) {
        if (source == rank && !heardOf[destination]) {
            heardOf[destination] = true;
            tellMe.add(destination);
            steps.awaitOrdinal(destination, 0);
        } else if (destination == rank && !heardBy[source]) {
            heardBy[source] = true;
            told.add(source);
        }
    }

    void signal(final Kind kind, final int source, final int destination) {
        if (source == rank) {
            steps.signal(destination);
        }
        note(kind, source, destination);
    }

    private void note(final Kind kind, final int source, final int destination) {
        if (destination == rank) {
            pending.computeIfAbsent(new Line(kind, source), key -> new ArrayDeque<>()).add(++sent[source]);
        }
    }

    /** {@code destination} awaits the oldest message of this kind from {@code source} that it has not awaited. */
    void await(final Kind kind, final int source, final int destination) {
        if (destination == rank) {
            heardOf[source] = true;
            awaitOrdinal(source, pending.get(new Line(kind, source)).remove());
        } else if (source == rank) {
            heardBy[destination] = true;
        }
    }

    /** A later message that has come implies the earlier ones. */
    private void awaitOrdinal(final int source, final int ordinal) {
        if (ordinal > awaited[source]) {
            awaited[source] = ordinal;
            steps.awaitOrdinal(source, ordinal);
        }
    }

    void reduce(final int owner, final List<Step.Operand> operands, final Ref to, final long count,
            final boolean finish) {
        if (owner == rank) {
            steps.reduce(operands, to, count, finish);
        }
    }

    void copy(final int owner, final Ref from, final Ref to, final long count) {
        if (owner == rank) {
            steps.copy(from, to, count);
        }
    }

    /** The steps, with waits at the end for all that nobody has awaited. */
    List<Step> steps() {
        for (int source = 0; source < sent.length; source++) {
            awaitOrdinal(source, sent[source]);
        }
        final List<Step> all = new ArrayList<>();
        for (final int peer : told) {
            all.add(new Step.Signal(peer));
        }
        for (final Step step : steps.steps()) {
            all.add(step instanceof final Step.Wait wait && tellMe.contains(wait.peer())
                    ? new Step.Wait(wait.peer(), wait.ordinal() + 1)
                    : step);
        }
        return all;
    }
}
