package org.chagres.collectives.planner;

import java.util.HashMap;
import java.util.Map;

/**
 * Places that one rank fills and another one reads, group by group in turn: before a place is filled again, its reader has said that it is
 * free. What is filled no more is not said to be free.
 */
final class Turns {
    private record Line(int source, int destination) {}

    private static final class Use {
        private int filled;
        private int read;
    }

    private final int turns;
    private final Script script;
    private final Map<Line, Use> lines = new HashMap<>();

    Turns(final int turns, final Script script) {
        this.turns = turns;
        this.script = script;
    }

    private Use use(final int source, final int destination) {
        return lines.computeIfAbsent(new Line(source, destination), key -> new Use());
    }

    /** {@code source} is about to fill places at {@code destination}: which turn it is. */
    int fill(final int source, final int destination) {
        if (!script.concerns(source, destination)) {
            return 0;
        }
        final int number = use(source, destination).filled++;
        if (number >= turns) {
            script.await(Script.Kind.CREDIT, destination, source);
        }
        return number % turns;
    }

    /** Which turn {@code destination} reads next. */
    int reading(final int source, final int destination) {
        return script.concerns(source, destination) ? use(source, destination).read % turns : 0;
    }

    /**
     * {@code destination} has read what came last.
     *
     * @param total how often {@code source} fills in all
     */
    void release(final int source, final int destination, final long total) {
        if (script.concerns(source, destination) && use(source, destination).read++ + (long) turns < total) {
            script.signal(Script.Kind.CREDIT, destination, source);
        }
    }

    /** Signals that {@link #release} makes in all. */
    static long credits(final long total, final int turns) {
        return Math.max(0, total - turns);
    }
}
