package org.chagres.collectives.reduce;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static org.chagres.collectives.reduce.Memory.ALL;

import java.lang.invoke.MethodHandles;
import org.chagres.collectives.ReduceOp.Kind;

/** Plain loops over FLOAT64. */
final class PlainDouble extends Kernel {
    private static final Kind KIND = KernelSpec.of(MethodHandles.lookup()).kind();

    @Override
    void fold(final long dst, final long[] srcs, final int n, final int rawMask, final long operand, final long from,
            final long to) {
        for (long i = from; i < to; i++) {
            final long at = i * Double.BYTES;
            double result = source(srcs[0] + at, rawMask & 1, operand);
            for (int j = 1; j < n; j++) {
                result = apply(result, source(srcs[j] + at, (rawMask >>> j) & 1, operand));
            }
            store(dst + at, result, operand);
        }
    }

    @Override
    void fold2(final long dst, final long a, final long b, final int rawMask, final long operand, final long from,
            final long to) {
        for (long i = from; i < to; i++) {
            final long at = i * Double.BYTES;
            final double left = source(a + at, rawMask & 1, operand);
            final double right = source(b + at, (rawMask >>> 1) & 1, operand);
            store(dst + at, apply(left, right), operand);
        }
    }

    private static double source(final long address, final int raw, final long factor) {
        final double value = ALL.get(JAVA_DOUBLE_UNALIGNED, address);
        return KIND == Kind.PREMULSUM && raw != 0 ? value * Double.longBitsToDouble(factor) : value;
    }

    private static double apply(final double a, final double b) {
        if (KIND == Kind.PROD) {
            return a * b;
        }
        if (KIND == Kind.MIN) {
            return Math.min(a, b);
        }
        if (KIND == Kind.MAX) {
            return Math.max(a, b);
        }
        return a + b;
    }

    private static void store(final long address, final double result, final long worldSize) {
        final double finished = KIND == Kind.AVG ? result / worldSize : result;
        // Which operand's NaN an addition passes on depends on the compiler.
        ALL.set(JAVA_DOUBLE_UNALIGNED, address, Double.isNaN(finished) ? Double.NaN : finished);
    }
}
