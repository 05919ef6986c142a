package org.chagres.bench.perf;

import java.util.OptionalLong;

/**
 * How many operations to warm up with and to time. nccl-tests' fixed 20 are too few for operations of a fraction of a microsecond under a JIT,
 * so unless the options say otherwise a row gets a fixed time. Rank 0 decides, for all ranks must run the same number.
 */
final class Pace {
    /** The first warm-up of a run: the JIT compiles beside ranks that keep every core busy. */
    private static final long FIRST_WARM_UP = 1_000_000_000;
    private static final long WARM_UP = 30_000_000;
    private static final long MEASURE = 100_000_000;
    private static final long LEAST = 20;
    private static final long MOST = 500_000;

    private final Agreement agreement;
    private final PerfOptions options;
    private long budget = FIRST_WARM_UP;

    Pace(final Agreement agreement, final PerfOptions options) {
        this.agreement = agreement;
        this.options = options;
    }

    /** Warms up, and returns how many operations fit into the time of a row if the options leave that open. */
    OptionalLong warmUp(final Measured measured) {
        if (options.warmUp().isPresent()) {
            measured.elapsed(options.warmUp().getAsLong());
            return options.iterations().isPresent() ? OptionalLong.empty() : OptionalLong.of(fitting(measured, 1));
        }
        return OptionalLong.of(fitting(measured, takeBudget()));
    }

    private long takeBudget() {
        final long nanos = budget;
        budget = WARM_UP;
        return nanos;
    }

    /** Runs batches that double until {@code nanos} are over, and returns how many operations fit into {@link #MEASURE}. */
    private long fitting(final Measured measured, final long nanos) {
        long spent = 0;
        long batch = 1;
        double each = 1;
        while (batch > 0) {
            final long elapsed = measured.elapsed(batch);
            spent += elapsed;
            each = Math.max(1, (double) elapsed / batch);
            final long rest = (long) ((nanos - spent) / each);
            batch = agreement.fromRoot(spent < nanos ? Math.clamp(rest, 1, 2 * batch) : 0);
        }
        return agreement.fromRoot(Math.clamp((long) (MEASURE / each), LEAST, MOST));
    }
}
