package org.chagres.collectives.reduce;

import java.util.random.RandomGenerator;
import org.chagres.collectives.DataType;

/** Bit patterns that are likely to find a mistake. */
final class Values {
    private static final double[] FLOATS = {0.0, -0.0, 1, -1, 2, 3, 0.5, 1 / 3.0, Double.NaN, Double.POSITIVE_INFINITY,
            Double.NEGATIVE_INFINITY, Double.MAX_VALUE, Double.MIN_VALUE, Double.MIN_NORMAL, Float.MAX_VALUE,
            -Float.MAX_VALUE, Float.MIN_VALUE, -Float.MIN_VALUE, Float.MIN_NORMAL, 65504, -65504, 65520, 57344,
            448, 464, -448, 0x1p-14, 0x1p-24, 0x1p-25, 0x1p-9, 0x1p-10, 1e-3 };

    private Values() {
    }

    /** One pattern: anything, something special, or a moderate number. */
    static long pick(final DataType type, final RandomGenerator random) {
        final long any = random.nextLong();
        if (!type.isFloatingPoint()) {
            return switch (random.nextInt(4)) {
                case 0 -> any;
                case 1 -> any % 4;
                case 2 -> Long.MIN_VALUE >> (Long.SIZE - Byte.SIZE * type.size());
                default -> ~(Long.MIN_VALUE >> (Long.SIZE - Byte.SIZE * type.size()));
            };
        }
        return switch (random.nextInt(8)) {
            case 0 -> any;
            case 1 -> bits(type, FLOATS[random.nextInt(FLOATS.length)]);
            default -> bits(type, Math.scalb(random.nextGaussian(), random.nextInt(12) - 6));
        };
    }

    /** The nearest value of the type. */
    static long bits(final DataType type, final double value) {
        return switch (type) {
            case INT8, UINT8, INT32, UINT32, INT64, UINT64 -> (long) value;
            case FLOAT64 -> Double.doubleToRawLongBits(value);
            case FLOAT32 -> Float.floatToRawIntBits((float) value);
            default -> Oracle.narrow(type).nearest(value);
        };
    }
}
