package org.chagres.bench.verbs.perf;

import java.util.Locale;

/** What is measured. */
enum Verb {
    WRITE("RDMA_Write", 2, 5000), SEND("Send", 2, 1000), READ("RDMA_Read", 1, 1000), ATOMIC("Atomic", 1, 1000);

    private final String title;
    private final int ways;
    private final int bandwidthIterations;

    Verb(final String title, final int ways, final int bandwidthIterations) {
        this.title = title;
        this.ways = ways;
        this.bandwidthIterations = bandwidthIterations;
    }

    /** As perftest's heading has it. */
    String title() {
        return title;
    }

    /** The word of the command line. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** By what perftest divides the time of an exchange: a ping-pong counts half, what answers by itself counts whole. */
    int ways() {
        return ways;
    }

    /** perftest's default of {@code -n} for bandwidth. */
    int bandwidthIterations() {
        return bandwidthIterations;
    }
}
