package org.chagres.bench.compare;

import java.util.function.Consumer;

/** Something whose all_reduce is timed. */
sealed interface Contender permits CProgram, ChagresRun {
    /** The name in the table. */
    String name();

    /** What the contender is a way of using; its best way counts. */
    default String library() {
        return name();
    }

    /** Runs the whole sweep once, both ways, and adds what it took. */
    void round(Samples samples);

    /** Runs the contender's round, and drops it with one line if it fails. */
    default boolean tryRound(final Samples samples, final Consumer<String> log) {
        try {
            round(samples);
            return true;
        } catch (final ContenderException e) {
            log.accept("# " + name() + " is left out: " + e.getMessage());
            return false;
        }
    }
}
