package org.chagres.bench.perf;

import java.util.OptionalLong;
import org.chagres.collectives.ReduceOp;

/**
 * How many operations to warm up with and to time. nccl-tests' fixed 20 are too few for operations of a fraction of a microsecond under a JIT,
 * so unless the options say otherwise a row gets a fixed time. Rank 0 decides, for all ranks must run the same number.
 */
final class Pace {
    /** The first warm-up of a run: the JIT compiles beside ranks that keep every core busy. */
    private static final long FIRST_WARM_UP = 1_000_000_000;
    private static final long WARM_UP = 30_000_000;
    /** A row's warm-up goes on while the compiler is at work, but no longer than this. */
    private static final long MOST_WARM_UP = 3_000_000_000L;
    /** The compilers are believed to have finished after so many quiet stretches of {@link #WARM_UP}; */
    private static final int QUIET = 2;
    /** and so many when all the code is new: a method is compiled only once it has run thousands of times, here for some 10 us each. */
    private static final int FIRST_QUIET = 12;
    /** Milliseconds of compiling within {@link #WARM_UP} that do not matter. */
    private static final long COMPILING = 3;
    private static final long MEASURE = 100_000_000;
    private static final long LEAST = 20;
    private static final long MOST = 500_000;

    private final Agreement agreement;
    private final PerfOptions options;
    private final Runnable barrier;
    private long budget = FIRST_WARM_UP;
    private int quiet = QUIET;

    /** @param barrier run before each batch, as before those that count: a kind of operation met for the first time makes compiled code useless */
    Pace(final Agreement agreement, final PerfOptions options, final Runnable barrier) {
        this.agreement = agreement;
        this.barrier = barrier;
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

    /** Makes the next warm-up a long one: every size has just run for the first time. */
    void settle() {
        quiet = FIRST_QUIET;
    }

    private long takeBudget() {
        final long nanos = budget;
        budget = WARM_UP;
        return nanos;
    }

    /** Runs batches that double until {@code nanos} are over and the compiler is idle on all ranks, and returns how many operations fit into {@link #MEASURE}. */
    private long fitting(final Measured measured, final long nanos) {
        long spent = 0;
        long batch = 1;
        double each = 1;
        double compiled = Compilers.millis();
        final int calm = quiet;
        quiet = QUIET;
        int left = calm;
        while (batch > 0) {
            barrier.run();
            final long elapsed = measured.elapsed(batch);
            spent += elapsed;
            each = Math.max(1, (double) elapsed / batch);
            final long rest = (long) (Math.max(nanos - spent, WARM_UP) / each);
            batch = agreement.fromRoot(spent < nanos ? Math.clamp(rest, 1, 2 * batch) : 0);
            if (batch == 0) {
                final double now = Compilers.millis();
                final boolean busy = agreement.over(now - compiled, ReduceOp.MAX) > COMPILING;
                compiled = now;
                left = busy ? calm : left - 1;
                batch = agreement.fromRoot(left > 0 && spent < MOST_WARM_UP ? Math.max(1, rest) : 0);
            }
        }
        return agreement.fromRoot(Math.clamp((long) (MEASURE / each), LEAST, MOST));
    }
}
