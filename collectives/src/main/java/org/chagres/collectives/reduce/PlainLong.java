package org.chagres.collectives.reduce;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.chagres.collectives.reduce.Memory.ALL;

import java.lang.invoke.MethodHandles;
import org.chagres.collectives.DataType;
import org.chagres.collectives.ReduceOp.Kind;

/** Plain loops over integers, computed in 64 bits and cut to size, which gives the same as wrapping throughout. */
final class PlainLong extends Kernel {
    private static final KernelSpec SPEC = KernelSpec.of(MethodHandles.lookup());
    private static final DataType TYPE = SPEC.type();
    private static final Kind KIND = SPEC.kind();
    private static final int SIZE = TYPE.size();

    @Override
    void fold(final long dst, final long[] srcs, final int n, final int rawMask, final long operand, final long from,
            final long to) {
        for (long i = from; i < to; i++) {
            final long at = i * SIZE;
            long result = source(srcs[0] + at, rawMask & 1, operand);
            for (int j = 1; j < n; j++) {
                result = apply(result, source(srcs[j] + at, (rawMask >>> j) & 1, operand));
            }
            store(dst + at, finish(result, operand));
        }
    }

    @Override
    void fold2(final long dst, final long a, final long b, final int rawMask, final long operand, final long from,
            final long to) {
        for (long i = from; i < to; i++) {
            final long at = i * SIZE;
            final long left = source(a + at, rawMask & 1, operand);
            final long right = source(b + at, (rawMask >>> 1) & 1, operand);
            store(dst + at, finish(apply(left, right), operand));
        }
    }

    private static long source(final long address, final int raw, final long factor) {
        return KIND == Kind.PREMULSUM && raw != 0 ? load(address) * factor : load(address);
    }

    private static long load(final long address) {
        if (SIZE == Long.BYTES) {
            return ALL.get(JAVA_LONG_UNALIGNED, address);
        }
        return extend(SIZE == Integer.BYTES ? ALL.get(JAVA_INT_UNALIGNED, address) : ALL.get(JAVA_BYTE, address));
    }

    /** The value of the element that the low bits hold. */
    private static long extend(final long bits) {
        final int unused = Long.SIZE - Byte.SIZE * SIZE;
        return TYPE.isUnsigned() ? (bits << unused) >>> unused : (bits << unused) >> unused;
    }

    private static long apply(final long a, final long b) {
        if (KIND == Kind.PROD) {
            return a * b;
        }
        if (KIND == Kind.MIN) {
            return less(a, b) ? a : b;
        }
        if (KIND == Kind.MAX) {
            return less(a, b) ? b : a;
        }
        return a + b;
    }

    private static boolean less(final long a, final long b) {
        return TYPE == DataType.UINT64 ? Long.compareUnsigned(a, b) < 0 : a < b;
    }

    private static long finish(final long result, final long worldSize) {
        if (KIND != Kind.AVG) {
            return result;
        }
        final long sum = extend(result);
        return TYPE == DataType.UINT64 ? Long.divideUnsigned(sum, worldSize) : sum / worldSize;
    }

    private static void store(final long address, final long value) {
        if (SIZE == Long.BYTES) {
            ALL.set(JAVA_LONG_UNALIGNED, address, value);
        } else if (SIZE == Integer.BYTES) {
            ALL.set(JAVA_INT_UNALIGNED, address, (int) value);
        } else {
            ALL.set(JAVA_BYTE, address, (byte) value);
        }
    }
}
