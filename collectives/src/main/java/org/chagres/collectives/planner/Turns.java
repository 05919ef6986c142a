package org.chagres.collectives.planner;

import java.util.HashMap;
import java.util.Map;

/**
 * Places that one rank fills and another one reads, group by group in turn: before a place is filled again, its reader has said that it is
 * free. What is filled no more is not said to be free.
 */
final class Turns {
    private record Line(int writer, int reader) {}

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

    private Use use(final int writer, final int reader) {
        return lines.computeIfAbsent(new Line(writer, reader), key -> new Use());
    }

    /** {@code writer} is about to fill places at {@code reader}: which turn it is. */
    int fill(final int writer, final int reader) {
        if (!script.concerns(writer, reader)) {
            return 0;
        }
        final int number = use(writer, reader).filled++;
        if (number >= turns) {
            script.await(Script.Kind.CREDIT, reader, writer);
        }
        return number % turns;
    }

    /** Which turn {@code reader} reads next. */
    int reading(final int writer, final int reader) {
        return script.concerns(writer, reader) ? use(writer, reader).read % turns : 0;
    }

    /**
     * {@code reader} has read what came last.
     *
     * @param total how often {@code writer} fills in all
     */
    void release(final int writer, final int reader, final long total) {
        if (script.concerns(writer, reader) && use(writer, reader).read++ + (long) turns < total) {
            script.signal(Script.Kind.CREDIT, reader, writer);
        }
    }

    /** Signals that {@link #release} makes in all. */
    static long credits(final long total, final int turns) {
        return Math.max(0, total - turns);
    }
}
