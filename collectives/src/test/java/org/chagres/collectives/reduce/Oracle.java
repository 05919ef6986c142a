package org.chagres.collectives.reduce;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.chagres.collectives.DataType;
import org.chagres.collectives.ReduceOp;
import org.chagres.collectives.ReduceOp.Kind;

/**
 * What a reduction must give, worked out another way: integers in unlimited width, floats in double or decimal, and the
 * narrow floats by looking up the nearest of all values of the type.
 */
final class Oracle {
    private static final Map<DataType, NarrowFloat> NARROW = new ConcurrentHashMap<>();

    private Oracle() {
    }

    /** The bits of the result, right-aligned, of sources given likewise. */
    static long reduce(final DataType type, final ReduceOp op, final long[] sources, final int rawMask,
            final boolean finish, final int worldSize) {
        if (!type.isFloatingPoint()) {
            return integers(type, op, sources, rawMask, finish, worldSize);
        }
        double result = contribution(type, op, sources[0], rawMask & 1);
        for (int j = 1; j < sources.length; j++) {
            result = apply(type, op.kind(), result, contribution(type, op, sources[j], (rawMask >>> j) & 1));
        }
        if (op.kind() == Kind.AVG && finish) {
            result = round(type, result / worldSize);
        }
        return encode(type, result);
    }

    private static long integers(final DataType type, final ReduceOp op, final long[] sources, final int rawMask,
            final boolean finish, final int worldSize) {
        BigInteger result = null;
        for (int j = 0; j < sources.length; j++) {
            BigInteger value = integer(type, BigInteger.valueOf(sources[j]));
            if (op.kind() == Kind.PREMULSUM && ((rawMask >>> j) & 1) != 0) {
                value = value.multiply(new BigDecimal(op.scalar()).toBigIntegerExact());
            }
            result = result == null ? value : switch (op.kind()) {
                case SUM, AVG, PREMULSUM -> result.add(value);
                case PROD -> result.multiply(value);
                case MIN -> result.min(value);
                case MAX -> result.max(value);
            };
        }
        if (op.kind() == Kind.AVG && finish) {
            result = integer(type, result).divide(BigInteger.valueOf(worldSize));
        }
        return integer(type, result).longValue();
    }

    /** Wrapped to the type's range. */
    private static BigInteger integer(final DataType type, final BigInteger value) {
        final int bits = Byte.SIZE * type.size();
        final BigInteger low = value.mod(BigInteger.ONE.shiftLeft(bits));
        return type.isUnsigned() || !low.testBit(bits - 1) ? low : low.subtract(BigInteger.ONE.shiftLeft(bits));
    }

    private static double contribution(final DataType type, final ReduceOp op, final long bits, final int raw) {
        final double value = decode(type, bits);
        return op.kind() == Kind.PREMULSUM && raw != 0
                ? apply(type, Kind.PROD, value, round(type, op.scalar()))
                : value;
    }

    private static double apply(final DataType type, final Kind kind, final double a, final double b) {
        return switch (kind) {
            case SUM, AVG, PREMULSUM -> round(type, add(a, b));
            case PROD -> round(type, a * b);
            case MIN -> Double.isNaN(a) || Double.isNaN(b) ? Double.NaN : less(a, b) ? a : b;
            case MAX -> Double.isNaN(a) || Double.isNaN(b) ? Double.NaN : less(a, b) ? b : a;
        };
    }

    private static double add(final double a, final double b) {
        if (!Double.isFinite(a) || !Double.isFinite(b) || a + b == 0) {
            return a + b;
        }
        return new BigDecimal(a).add(new BigDecimal(b)).doubleValue();
    }

    private static boolean less(final double a, final double b) {
        return a < b || (a == b && 1 / a < 1 / b);
    }

    /** To the type that is computed in; double has enough bits for the rounding to happen only once. */
    private static double round(final DataType type, final double value) {
        return type == DataType.FLOAT64 ? value : (float) value;
    }

    private static double decode(final DataType type, final long bits) {
        return switch (type) {
            case FLOAT64 -> Double.longBitsToDouble(bits);
            case FLOAT32 -> Float.intBitsToFloat((int) bits);
            default -> narrow(type).value(bits);
        };
    }

    private static long encode(final DataType type, final double value) {
        return switch (type) {
            case FLOAT64 -> Double.doubleToLongBits(value);
            case FLOAT32 -> Float.floatToIntBits((float) value);
            default -> narrow(type).nearest(value);
        };
    }

    static NarrowFloat narrow(final DataType type) {
        return NARROW.computeIfAbsent(type, key -> switch (key) {
            case FLOAT16 -> NarrowFloat.ieee(5, 10, 0x7e00);
            case BFLOAT16 -> NarrowFloat.ieee(8, 7, 0x7fc0);
            case FLOAT8_E5M2 -> NarrowFloat.ieee(5, 2, 0x7f);
            case FLOAT8_E4M3 -> NarrowFloat.e4m3();
            default -> throw new IllegalArgumentException(key.label());
        });
    }
}
