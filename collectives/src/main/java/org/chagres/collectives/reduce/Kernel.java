package org.chagres.collectives.reduce;

/**
 * The loops of one (data type, kind of operation). The kernel of AVG always divides, that of PREMULSUM multiplies the
 * sources that the raw mask names; {@link Reduction} calls the kernel of SUM where they must not.
 *
 * <p>{@code operand} is the world size for AVG, {@link Factor the factor's bits} for PREMULSUM, and unused otherwise.
 * {@code from} (inclusive) and {@code to} (exclusive) are element numbers: addresses stay those of element 0.
 */
abstract class Kernel {
    /** Combines the first n sources, n at least 1. */
    abstract void fold(long dst, long[] srcs, int n, int rawMask, long operand, long from, long to);

    /** Combines two sources. */
    abstract void fold2(long dst, long a, long b, int rawMask, long operand, long from, long to);
}
