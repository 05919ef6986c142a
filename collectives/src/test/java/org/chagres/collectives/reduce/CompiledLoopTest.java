package org.chagres.collectives.reduce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Random;
import java.util.stream.Stream;
import org.chagres.collectives.DataType;
import org.chagres.collectives.ReduceOp;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Once compiled, reductions allocate nothing, and vectors and plain loop still give the same bits. An allocation is also
 * how the Vector API's cliff shows: a vector that the compiler does not keep in a register is an object.
 */
class CompiledLoopTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int COUNT = 20_000;
    /** How long the compiler may take on a machine that is busy with other things. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    /** So many calls in a row without an allocation. */
    private static final int CLEAN_ROUNDS = 10;

    /** One type of each kernel class, with an op for each path through it. */
    static Stream<Arguments> kernels() {
        return Stream.of(DataType.UINT8, DataType.INT32, DataType.INT64, DataType.FLOAT16, DataType.BFLOAT16,
                DataType.FLOAT32, DataType.FLOAT64, DataType.FLOAT8_E4M3)
                .flatMap(type -> Stream.of(ReduceOp.MIN, ReduceOp.AVG, ReduceOp.preMulSum(2))
                        .map(op -> Arguments.of(type, op)));
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void allocatesNothingAndAgrees(final DataType type, final ReduceOp op) {
        try (Arena arena = Arena.ofConfined()) {
            final long[] srcs = new long[3];
            final Random random = new Random(11);
            for (int j = 0; j < srcs.length; j++) {
                final Native source = Native.allocate(arena, type, COUNT, 0);
                fill(source, random);
                srcs[j] = source.address();
            }
            final Native fast = Native.allocate(arena, type, COUNT, 0);
            final Native plain = Native.allocate(arena, type, COUNT, 0);
            pair(Reduction.of(type, op), fast, srcs);
            pair(Reduction.scalar(type, op), plain, srcs);
            assertEquals(-1, fast.segment().mismatch(plain.segment()));
            three(Reduction.of(type, op), fast, srcs);
            three(Reduction.scalar(type, op), plain, srcs);
            assertEquals(-1, fast.segment().mismatch(plain.segment()));
        }
    }

    /** Stretches of anything, where kernels meet special values, and of numbers that are none. */
    private static void fill(final Native source, final Random random) {
        for (int i = 0; i < COUNT; i++) {
            source.set(i, i % 2048 < 1024
                    ? Values.pick(source.type(), random)
                    : Values.bits(source.type(), 1 + random.nextInt(100) / 64.0));
        }
    }

    private static void pair(final Reduction reduction, final Native dst, final long[] srcs) {
        final long address = dst.address();
        assertBecomesClean(() -> reduction.reduce2(address, srcs[0], srcs[1], 3, true, 3, COUNT));
    }

    private static void three(final Reduction reduction, final Native dst, final long[] srcs) {
        final long address = dst.address();
        assertBecomesClean(() -> reduction.reduce(address, srcs, 3, 7, true, 3, COUNT));
    }

    private static void assertBecomesClean(final Runnable call) {
        final long deadline = System.nanoTime() + PATIENCE.toNanos();
        int clean = 0;
        long rounds = 0;
        long allocated = 0;
        while (clean < CLEAN_ROUNDS && System.nanoTime() - deadline < 0) {
            final long before = THREADS.getCurrentThreadAllocatedBytes();
            call.run();
            allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
            clean = allocated == 0 ? clean + 1 : 0;
            rounds++;
        }
        assertTrue(clean >= CLEAN_ROUNDS, "still " + allocated + " bytes a call after " + rounds + " calls");
    }
}
