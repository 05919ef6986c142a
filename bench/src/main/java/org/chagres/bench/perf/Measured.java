package org.chagres.bench.perf;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import net.openhft.chronicle.core.util.Histogram;

/**
 * An operation and the way to time it.
 *
 * @param input what this rank rewrites before each operation if {@code fresh}; empty where it sends nothing
 */
record Measured(Operation operation, MemorySegment input, boolean fresh) {
    /** Up to 2^40 ns, in steps of at most 1/64. */
    private static final int HISTOGRAM_POWERS = 40;
    private static final int HISTOGRAM_FRACTION_BITS = 6;

    /** Runs {@code n} times as {@link #time} does and returns the nanoseconds in all, rewrites included. */
    long elapsed(final long n) {
        return fresh ? Timing.rewritesAndOperations(operation, input, n) : Timing.operations(operation, n);
    }

    /** {@link #time} in {@code batches} of {@code n / batches} operations, of which the median counts. */
    double median(final long n, final int batches, final Runnable barrier) {
        final double[] times = new double[batches];
        for (int i = 0; i < batches; i++) {
            times[i] = time(Math.max(1, n / batches), barrier);
        }
        Arrays.sort(times);
        return times[batches / 2];
    }

    /**
     * Nanoseconds of one operation on this rank, the mean of {@code n}. Fresh: the time of rewrite and operation less that of the rewrite
     * alone.
     */
    double time(final long n, final Runnable barrier) {
        final long rewrites = fresh ? Timing.rewrites(input, n) : 0;
        barrier.run();
        return (double) (elapsed(n) - rewrites) / n;
    }

    /** The times of {@code n} operations, each timed by itself; includes the clock's own time, about 0.02 µs. */
    Histogram histogram(final long n, final Runnable barrier) {
        final Histogram histogram = new Histogram(HISTOGRAM_POWERS, HISTOGRAM_FRACTION_BITS);
        barrier.run();
        if (fresh) {
            Timing.sampleFresh(operation, input, n, histogram);
        } else {
            Timing.sample(operation, n, histogram);
        }
        return histogram;
    }
}
