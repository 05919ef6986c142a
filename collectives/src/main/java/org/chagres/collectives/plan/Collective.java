package org.chagres.collectives.plan;

import java.util.Locale;

/**
 * The collective operations, with NCCL's meaning of {@code count}: the elements of the whole tensor for all_reduce, broadcast and reduce; of
 * one rank's contribution for all_gather and gather; of one rank's result for reduce_scatter and scatter; of one pair's exchange for
 * all_to_all; of the message for send_recv; none for barrier.
 */
public enum Collective {
    ALL_REDUCE, BROADCAST, REDUCE, ALL_GATHER, REDUCE_SCATTER, ALL_TO_ALL, GATHER, SCATTER, BARRIER,
    /** One rank's message to another: rank 0 of the plan sends, rank 1 receives. */
    SEND_RECV;

    /** The name that {@code perf}, {@code explain} and the settings use: {@code all_reduce}, ... */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Collective parse(final String label) {
        for (final Collective c : values()) {
            if (c.label().equals(label.toLowerCase(Locale.ROOT))) {
                return c;
            }
        }
        final StringBuilder legal = new StringBuilder();
        for (final Collective c : values()) {
            legal.append(legal.isEmpty() ? "" : ", ").append(c.label());
        }
        throw new IllegalArgumentException("unknown collective '" + label + "': use one of " + legal);
    }

    /** Whether a reduce op takes part. */
    public boolean reduces() {
        return this == ALL_REDUCE || this == REDUCE || this == REDUCE_SCATTER;
    }

    /** Whether one rank differs from the others. */
    public boolean rooted() {
        return this == BROADCAST || this == REDUCE || this == GATHER || this == SCATTER;
    }
}
