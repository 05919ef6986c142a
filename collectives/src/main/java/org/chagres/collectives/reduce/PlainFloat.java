package org.chagres.collectives.reduce;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;
import static org.chagres.collectives.reduce.Memory.ALL;

import java.lang.invoke.MethodHandles;
import org.chagres.collectives.DataType;
import org.chagres.collectives.ReduceOp.Kind;

/** Plain loops over FLOAT32 and all that is narrower, computed in float32. */
final class PlainFloat extends Kernel {
    private static final KernelSpec SPEC = KernelSpec.of(MethodHandles.lookup());
    private static final DataType TYPE = SPEC.type();
    private static final Kind KIND = SPEC.kind();
    private static final int SIZE = TYPE.size();

    @Override
    void fold(final long dst, final long[] srcs, final int n, final int rawMask, final long operand, final long from,
            final long to) {
        for (long i = from; i < to; i++) {
            final long at = i * SIZE;
            float result = source(srcs[0] + at, rawMask & 1, operand);
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
            final long at = i * SIZE;
            final float left = source(a + at, rawMask & 1, operand);
            final float right = source(b + at, (rawMask >>> 1) & 1, operand);
            store(dst + at, apply(left, right), operand);
        }
    }

    private static float source(final long address, final int raw, final long factor) {
        final float value = load(address);
        return KIND == Kind.PREMULSUM && raw != 0 ? value * Float.intBitsToFloat((int) factor) : value;
    }

    private static float load(final long address) {
        if (TYPE == DataType.FLOAT32) {
            return ALL.get(JAVA_FLOAT_UNALIGNED, address);
        }
        if (TYPE == DataType.FLOAT16) {
            return Float.float16ToFloat(ALL.get(JAVA_SHORT_UNALIGNED, address));
        }
        if (TYPE == DataType.BFLOAT16) {
            return BFloat16.toFloat(ALL.get(JAVA_SHORT_UNALIGNED, address));
        }
        final byte value = ALL.get(JAVA_BYTE, address);
        return TYPE == DataType.FLOAT8_E4M3 ? Float8.fromE4m3(value) : Float8.fromE5m2(value);
    }

    private static float apply(final float a, final float b) {
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

    private static void store(final long address, final float result, final long worldSize) {
        final float finished = KIND == Kind.AVG ? result / worldSize : result;
        // Which operand's NaN an addition passes on depends on the compiler.
        final float value = Float.isNaN(finished) ? Float.NaN : finished;
        if (TYPE == DataType.FLOAT32) {
            ALL.set(JAVA_FLOAT_UNALIGNED, address, value);
        } else if (TYPE == DataType.FLOAT16) {
            ALL.set(JAVA_SHORT_UNALIGNED, address, Float.floatToFloat16(value));
        } else if (TYPE == DataType.BFLOAT16) {
            ALL.set(JAVA_SHORT_UNALIGNED, address, BFloat16.fromFloat(value));
        } else {
            ALL.set(JAVA_BYTE, address, TYPE == DataType.FLOAT8_E4M3 ? Float8.toE4m3(value) : Float8.toE5m2(value));
        }
    }
}
