package org.chagres.collectives.reduce;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.chagres.collectives.DataType;
import org.chagres.collectives.ReduceOp;

/**
 * Combines n arrays of one data type, element by element, into one: {@code dst[i] = s0[i] op s1[i] op ...}, from left
 * to right.
 *
 * <p>Arrays are raw native addresses, in native byte order, aligned or not. <b>Nothing is checked:</b> the caller has
 * established that every array lies in live memory and holds {@code count} elements. {@code dst} may be one of the
 * sources; any other overlap of it gives undefined contents. Instances are immutable, shared, and safe for use by any
 * number of threads; calls allocate nothing.
 *
 * <h2>Arithmetic</h2>
 * The result depends on the operands alone: the vector kernels, the plain loop, and every compiler of the JVM give the
 * same bits.
 * <ul>
 * <li>Integers wrap around, modulo 2 to the number of bits. Unsigned types compare and divide as unsigned.
 * <li>FLOAT32 and FLOAT64 round after each operation, to nearest even, as IEEE 754 says; nothing is fused.
 * <li>FLOAT16, BFLOAT16 and the 8-bit floats are widened to float32, combined there over all sources of a call, and
 * rounded once, to nearest even. Beyond the largest value lies infinity; E4M3, which has none, gives NaN.
 * <li>MIN and MAX follow {@link Math#min(float, float)}: a NaN operand gives NaN, and -0.0 is less than +0.0.
 * <li>AVG is SUM, divided by the world size where the result is finished: integers truncate towards zero, floats divide
 * in the type that they are summed in, before the rounding.
 * <li>PREMULSUM multiplies each raw contribution by the scalar in the type that is summed in, then adds.
 * <li>A NaN in a result is always the type's canonical one: sign clear, the first fraction bit alone set; all fraction
 * bits set in the 8-bit floats.
 * </ul>
 */
public final class Reduction {
    /** The most sources of one call: one for each bit of a raw mask. */
    public static final int MAX_SOURCES = Integer.SIZE;

    /** Those without a scalar. */
    private static final Map<Key, Reduction> SHARED = new ConcurrentHashMap<>();

    private final Kernel kernel;
    /** What AVG does before the end, and PREMULSUM where nothing is raw; for the other kinds, the kernel itself. */
    private final Kernel partial;
    private final boolean averages;
    private final long factor;

    private record Key(DataType type, ReduceOp op, Kernels kernels) {}

    private Reduction(final DataType type, final ReduceOp op, final Kernels kernels) {
        averages = op.kind() == ReduceOp.Kind.AVG;
        factor = Factor.bits(type, op);
        kernel = kernels.of(type, op.kind());
        partial = op.kind() == ReduceOp.Kind.PREMULSUM || averages ? kernels.of(type, ReduceOp.Kind.SUM) : kernel;
    }

    /**
     * The fastest reduction that this JVM has for a type and an op.
     *
     * @param type the type of the elements
     * @param op the operation
     * @return the reduction
     * @throws IllegalArgumentException if the op has a scalar that the type cannot hold: for integers one that is not
     *         exactly a value of the type, for floats a finite one that overflows; or if CHAGRES_VECTOR is
     *         {@linkplain #vectorized() not legal}
     */
    public static Reduction of(final DataType type, final ReduceOp op) {
        return of(type, op, Kernels.fastest());
    }

    /**
     * The reduction by a plain loop, whatever this JVM has: the same bits as {@link #of}, more slowly.
     *
     * @param type the type of the elements
     * @param op the operation
     * @return the reduction
     * @throws IllegalArgumentException if the type cannot hold the op's scalar
     */
    public static Reduction scalar(final DataType type, final ReduceOp op) {
        return of(type, op, Kernels.PLAIN);
    }

    /**
     * Whether {@link #of} uses the Vector API: the JVM has the module {@code jdk.incubator.vector} and the environment
     * does not say {@code CHAGRES_VECTOR=0}.
     *
     * @return true if reductions are vectorized
     * @throws IllegalArgumentException if CHAGRES_VECTOR is neither 0 nor 1, or 1 where the module is missing
     */
    public static boolean vectorized() {
        return Kernels.fastest() == Kernels.VECTOR;
    }

    /**
     * Combines n arrays.
     *
     * @param dst the address of the result; may be one of the sources
     * @param srcs the addresses of the sources, of which the first n count
     * @param n the number of sources, 1 to {@link #MAX_SOURCES}
     * @param rawMask bit j is set if source j is a rank's own contribution, not a partial result
     * @param finish whether the result is complete, so that AVG divides
     * @param worldSize the number of ranks, which AVG divides by
     * @param count the number of elements
     * @throws IllegalArgumentException if n is out of range
     */
    public void reduce(final long dst, final long[] srcs, final int n, final int rawMask, final boolean finish,
            final int worldSize, final long count) {
        if (n == 2) {
            reduce2(dst, srcs[0], srcs[1], rawMask, finish, worldSize, count);
            return;
        }
        if (n < 1 || n > MAX_SOURCES) {
            throw badSources(n);
        }
        kernel(rawMask, finish).fold(dst, srcs, n, rawMask, operand(worldSize), 0, count);
    }

    /**
     * Combines two arrays: {@link #reduce} for the most frequent n.
     *
     * @param dst the address of the result; may be {@code a} or {@code b}
     * @param a the address of the left operands
     * @param b the address of the right operands
     * @param rawMask bit 0 for a, bit 1 for b: set if the array is a rank's own contribution, not a partial result
     * @param finish whether the result is complete, so that AVG divides
     * @param worldSize the number of ranks, which AVG divides by
     * @param count the number of elements
     */
    public void reduce2(final long dst, final long a, final long b, final int rawMask, final boolean finish,
            final int worldSize, final long count) {
        kernel(rawMask, finish).fold2(dst, a, b, rawMask, operand(worldSize), 0, count);
    }

    private static Reduction of(final DataType type, final ReduceOp op, final Kernels kernels) {
        if (op.kind() == ReduceOp.Kind.PREMULSUM) {
            return new Reduction(type, op, kernels);
        }
        return SHARED.computeIfAbsent(new Key(type, op, kernels), key -> new Reduction(type, op, kernels));
    }

    private Kernel kernel(final int rawMask, final boolean finish) {
        return (averages ? finish : rawMask != 0) ? kernel : partial;
    }

    private long operand(final int worldSize) {
        return averages ? worldSize : factor;
    }

    private static IllegalArgumentException badSources(final int n) {
        return new IllegalArgumentException("cannot reduce " + n + " sources in one call: pass 1 to " + MAX_SOURCES);
    }
}
