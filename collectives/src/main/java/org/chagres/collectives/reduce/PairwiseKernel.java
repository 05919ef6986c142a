package org.chagres.collectives.reduce;

/**
 * A kernel with one loop for any number of sources from two on, the first two of which are given apart from the others.
 * One source, what remains after the last whole vector, and values that the loop leaves out go to the plain loop.
 */
abstract class PairwiseKernel extends Kernel {
    private final Kernel plain;
    /** The copy for two sources, whose code has no inner loop. */
    private final PairwiseKernel pair;

    PairwiseKernel(final KernelSpec spec) {
        plain = Kernels.PLAIN.of(spec.type(), spec.kind());
        pair = spec.pair()
                ? this
                : (PairwiseKernel) new KernelSpec(spec.template(), spec.type(), spec.kind(), true).specialize();
    }

    @Override
    final void fold(final long dst, final long[] srcs, final int n, final int rawMask, final long operand,
            final long from, final long to) {
        if (n < 2) {
            plain.fold(dst, srcs, n, rawMask, operand, from, to);
        } else {
            fold(dst, srcs[0], srcs[1], srcs, n, rawMask, operand, from, to);
        }
    }

    @Override
    final void fold2(final long dst, final long a, final long b, final int rawMask, final long operand, final long from,
            final long to) {
        pair.fold(dst, a, b, null, 2, rawMask, operand, from, to);
    }

    /** Combines n sources: a, b, and from number 2 on those of the array, which is null if there are none. */
    abstract void fold(long dst, long a, long b, long[] srcs, int n, int rawMask, long operand, long from, long to);

    /** The same by the plain loop. */
    final void plainly(final long dst, final long a, final long b, final long[] srcs, final int n, final int rawMask,
            final long operand, final long from, final long to) {
        if (n == 2) {
            plain.fold2(dst, a, b, rawMask, operand, from, to);
        } else {
            plain.fold(dst, srcs, n, rawMask, operand, from, to);
        }
    }
}
