package org.chagres.collectives.reduce;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.stream.Stream;
import org.chagres.collectives.DataType;
import org.chagres.collectives.ReduceOp;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Reductions allocate nothing once compiled. That is also how the Vector API's cliff shows: a vector that the compiler
 * does not keep in a register is an object.
 */
class AllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int COUNT = 20_000;
    private static final int MOST_ROUNDS = 2_000;
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
    void compiledLoopsAllocateNothing(final DataType type, final ReduceOp op) {
        try (Arena arena = Arena.ofConfined()) {
            final long[] srcs = new long[3];
            for (int j = 0; j < srcs.length; j++) {
                final Native source = Native.allocate(arena, type, COUNT, 0);
                source.segment().fill((byte) (0x20 + j));
                srcs[j] = source.address();
            }
            final long dst = Native.allocate(arena, type, COUNT, 0).address();
            for (final Reduction reduction : List.of(Reduction.of(type, op), Reduction.scalar(type, op))) {
                assertBecomesClean(type + " " + op + " pair",
                        () -> reduction.reduce2(dst, srcs[0], srcs[1], 3, true, 3, COUNT));
                assertBecomesClean(type + " " + op + " three",
                        () -> reduction.reduce(dst, srcs, srcs.length, 7, true, 3, COUNT));
            }
        }
    }

    private static void assertBecomesClean(final String what, final Runnable call) {
        int clean = 0;
        long allocated = 0;
        for (int round = 0; round < MOST_ROUNDS && clean < CLEAN_ROUNDS; round++) {
            final long before = THREADS.getCurrentThreadAllocatedBytes();
            call.run();
            allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
            clean = allocated == 0 ? clean + 1 : 0;
        }
        assertTrue(clean >= CLEAN_ROUNDS, what + ": still " + allocated + " bytes a call");
    }
}
