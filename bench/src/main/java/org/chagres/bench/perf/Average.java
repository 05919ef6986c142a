package org.chagres.bench.perf;

import org.chagres.bench.UsageException;

/** nccl-tests' {@code -a}: how the ranks' times become the time reported. The order is that of the option's numbers. */
enum Average {
    RANK_0("rank 0's time"), AVERAGE("average of the ranks"), MINIMUM("fastest rank"), MAXIMUM("slowest rank");

    private final String label;

    Average(final String label) {
        this.label = label;
    }

    static Average of(final int number) {
        if (number < 0 || number >= values().length) {
            throw new UsageException("-a " + number + ": use 0 (rank 0), 1 (average), 2 (minimum) or 3 (maximum)");
        }
        return values()[number];
    }

    /** For the header of the table. */
    String label() {
        return label;
    }
}
