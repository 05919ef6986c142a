package org.chagres.collectives.reduce;

import org.chagres.collectives.DataType;
import org.chagres.collectives.ReduceOp;

/** The scalar of PREMULSUM in the type that a kernel computes in. */
final class Factor {
    private Factor() {
    }

    /**
     * The op's scalar as bits.
     *
     * @return for integers the value, for FLOAT64 its bits, for the other floats those of the nearest float32
     * @throws IllegalArgumentException if the type cannot hold the scalar
     */
    static long bits(final DataType type, final ReduceOp op) {
        final double scalar = op.scalar();
        if (type == DataType.FLOAT64) {
            return Double.doubleToLongBits(scalar);
        }
        if (type.isFloatingPoint()) {
            if (Double.isFinite(scalar) && Float.isInfinite((float) scalar)) {
                throw new IllegalArgumentException("scalar " + scalar + " overflows the float32 that " + type.label()
                        + " is multiplied in: use one of at most " + Float.MAX_VALUE);
            }
            return Float.floatToIntBits((float) scalar);
        }
        return integer(type, scalar);
    }

    private static long integer(final DataType type, final double scalar) {
        final int bits = Byte.SIZE * type.size();
        final double low = type.isUnsigned() ? 0 : -Math.scalb(1.0, bits - 1);
        final double end = Math.scalb(1.0, type.isUnsigned() ? bits : bits - 1);
        if (scalar != Math.rint(scalar) || scalar < low || scalar >= end) {
            throw new IllegalArgumentException("scalar " + scalar + " is not a value of " + type.label()
                    + ": use an integer of its range, or a floating point type");
        }
        // Beyond the range of long (uint64 alone gets there) a cast saturates; the halves below are exact.
        return scalar < Math.scalb(1.0, Long.SIZE - 1) ? (long) scalar : (long) (scalar / 2) << 1;
    }
}
