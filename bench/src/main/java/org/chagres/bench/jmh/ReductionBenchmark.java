package org.chagres.bench.jmh;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.chagres.collectives.DataType;
import org.chagres.collectives.ReduceOp;
import org.chagres.collectives.reduce.Reduction;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The sum of two arrays of each type, against the copy and the add bandwidth of the machine.
 *
 * <p>{@code bytes} is the size of one array, so that scores compare directly: a sum of any type reads two arrays and
 * writes one, as the add does; the copy reads one. The add is C2's own vector code for a loop over three Java arrays of
 * float, the fastest that the JVM has.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(value = 1, jvmArgsAppend = {"--add-modules=jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED" })
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class ReductionBenchmark {
    /** Bytes of each array: in the first cache, in the second, in the third, and in none. */
    @Param({"4096", "131072", "4194304", "67108864" })
    public int bytes;

    private Arena arena;
    private MemorySegment left;
    private MemorySegment right;
    private MemorySegment result;

    /** The type and the loop of the reductions. */
    @State(Scope.Thread)
    public static class Arithmetic {
        /** The element type. */
        @Param({"INT8", "INT32", "INT64", "FLOAT16", "BFLOAT16", "FLOAT32", "FLOAT64", "FLOAT8_E4M3", "FLOAT8_E5M2" })
        public DataType type;

        /** Whether to use the plain loop even where there are vectors. */
        @Param({"false", "true" })
        public boolean plain;

        private Reduction reduction;

        /** Chooses the loop. */
        @Setup
        public void choose() {
            reduction = plain ? Reduction.scalar(type, ReduceOp.SUM) : Reduction.of(type, ReduceOp.SUM);
        }
    }

    /** The Java arrays of the add. */
    @State(Scope.Thread)
    public static class Arrays {
        private float[] left;
        private float[] right;
        private float[] result;

        /** Allocates them. */
        @Setup
        public void allocate(final ReductionBenchmark sizes) {
            left = new float[sizes.bytes / Float.BYTES];
            right = new float[left.length];
            result = new float[left.length];
            java.util.Arrays.fill(left, 1);
            java.util.Arrays.fill(right, 2);
        }
    }

    /** Allocates, with contents that are small positive numbers of every type. */
    @Setup(Level.Trial)
    public void allocate() {
        arena = Arena.ofConfined();
        left = arena.allocate(bytes, 4096).fill((byte) 0x21);
        right = arena.allocate(bytes, 4096).fill((byte) 0x22);
        result = arena.allocate(bytes, 4096).fill((byte) 0);
    }

    /** Frees. */
    @TearDown(Level.Trial)
    public void free() {
        arena.close();
    }

    /** The reduction. */
    @Benchmark
    public void sum(final Arithmetic arithmetic) {
        arithmetic.reduction.reduce2(result.address(), left.address(), right.address(), 0b11, true, 2,
                bytes / arithmetic.type.size());
    }

    /** The machine's add bandwidth. */
    @Benchmark
    public void add(final Arrays arrays) {
        final float[] a = arrays.left;
        final float[] b = arrays.right;
        final float[] c = arrays.result;
        for (int i = 0; i < c.length; i++) {
            c[i] = a[i] + b[i];
        }
    }

    /** The machine's copy bandwidth. */
    @Benchmark
    public void copy() {
        MemorySegment.copy(left, 0, result, 0, bytes);
    }
}
