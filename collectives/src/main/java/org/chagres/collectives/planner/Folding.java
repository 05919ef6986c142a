package org.chagres.collectives.planner;

/**
 * How algorithms for powers of two take other numbers of ranks: of the first 2e ranks, where e is the excess over the power of two, each odd
 * one hands its data to the even one before it and gets the result at the end. Those that stay are renumbered in order, so that combining the
 * lower first keeps the order of ranks.
 */
record Folding(int size) {
    /** Ranks that stay: the largest power of two not above {@code size}. */
    int active() {
        return Integer.highestOneBit(size);
    }

    int rounds() {
        return Integer.numberOfTrailingZeros(active());
    }

    int excess() {
        return size - active();
    }

    /** Whether {@code rank} hands its data to {@code rank - 1}. */
    boolean handsOver(final int rank) {
        return rank < 2 * excess() && rank % 2 == 1;
    }

    /** Whether {@code rank} takes the data of {@code rank + 1} in. */
    boolean takesIn(final int rank) {
        return rank < 2 * excess() && rank % 2 == 0;
    }

    int number(final int rank) {
        return rank < 2 * excess() ? rank / 2 : rank - excess();
    }

    int rank(final int number) {
        return number < excess() ? 2 * number : number + excess();
    }
}
