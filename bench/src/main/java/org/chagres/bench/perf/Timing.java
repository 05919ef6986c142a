package org.chagres.bench.perf;

import java.lang.foreign.MemorySegment;
import net.openhft.chronicle.core.util.Histogram;

/**
 * The timed loops. They are short and take what they need as arguments, so that the JIT compiles each once, and nothing in them allocates.
 * Times are nanoseconds.
 */
final class Timing {
    private Timing() {
    }

    /** {@code n} operations back to back. */
    static long operations(final Operation operation, final long n) {
        final long start = System.nanoTime();
        for (long i = 0; i < n; i++) {
            operation.run();
        }
        return System.nanoTime() - start;
    }

    /** {@code n} times: rewrite the input, then the operation. */
    static long rewritesAndOperations(final Operation operation, final MemorySegment input, final long n) {
        final long start = System.nanoTime();
        for (long i = 0; i < n; i++) {
            rewrite(input, i);
            operation.run();
        }
        return System.nanoTime() - start;
    }

    /** {@code n} rewrites of the input. */
    static long rewrites(final MemorySegment input, final long n) {
        final long start = System.nanoTime();
        for (long i = 0; i < n; i++) {
            rewrite(input, i);
        }
        return System.nanoTime() - start;
    }

    /** Each of {@code n} operations by itself. */
    static void sample(final Operation operation, final long n, final Histogram histogram) {
        long before = System.nanoTime();
        for (long i = 0; i < n; i++) {
            operation.run();
            final long after = System.nanoTime();
            histogram.sampleNanos(after - before);
            before = after;
        }
    }

    /** Each of {@code n} operations by itself, after rewriting its input. */
    static void sampleFresh(final Operation operation, final MemorySegment input, final long n,
            final Histogram histogram) {
        for (long i = 0; i < n; i++) {
            rewrite(input, i);
            final long before = System.nanoTime();
            operation.run();
            histogram.sampleNanos(System.nanoTime() - before);
        }
    }

    /** Ordinary stores of another value each time; as float32 the bytes are 0.0115 to 0.0118, and a number in every other type too. */
    private static void rewrite(final MemorySegment input, final long i) {
        input.fill((byte) (0x3c | (i & 3)));
    }
}
