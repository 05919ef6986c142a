package org.chagres.bench.compare;

import java.util.List;
import java.util.Locale;

/** The algorithms of Gloo that {@code gloo_allreduce.cpp} knows. */
enum GlooWay {
    RING(false), BCUBE(false), RING_CHUNKED(false), RING_CHUNKED_BUSY(true), HALVING_DOUBLING(
            false), HALVING_DOUBLING_BUSY(true);

    private final boolean busy;

    /** @param busy whether the caller polls its sockets instead of waiting for Gloo's thread */
    GlooWay(final boolean busy) {
        this.busy = busy;
    }

    String title() {
        return "Gloo " + algorithm().replace('_', ' ') + (busy ? ", polling" : "");
    }

    List<String> command(final String program, final int ranks) {
        return List.of(program, Integer.toString(ranks), algorithm(), busy ? "busy" : "thread");
    }

    private String algorithm() {
        return name().toLowerCase(Locale.ROOT).replaceFirst("_busy$", "");
    }
}
