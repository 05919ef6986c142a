package org.chagres.verbs;

/** Bounds of numbers that travel in fields of some bits. */
final class Range {
    /** The largest number of 24 bits: queue pair and packet sequence numbers. */
    static final int MAX_24 = 0xffffff;

    private Range() {
    }

    static int check(final String name, final int value, final int min, final int max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(name + " " + value + " is not in " + min + ".." + max);
        }
        return value;
    }
}
