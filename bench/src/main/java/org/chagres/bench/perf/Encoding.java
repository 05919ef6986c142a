package org.chagres.bench.perf;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.chagres.collectives.DataType;

/**
 * Writes numbers as elements of a data type. Written apart from the library's own conversions, so that a fault in those shows up as wrong data.
 */
final class Encoding {
    private Encoding() {
    }

    /** Stores {@code value}, rounded to nearest even where the type cannot hold it. */
    static void store(final MemorySegment segment, final long index, final DataType type, final double value) {
        switch (type) {
            case INT8, UINT8 -> segment.set(ValueLayout.JAVA_BYTE, index, (byte) (int) value);
            case INT32, UINT32 -> segment.set(ValueLayout.JAVA_INT_UNALIGNED, index * 4, (int) (long) value);
            case INT64, UINT64 -> segment.set(ValueLayout.JAVA_LONG_UNALIGNED, index * 8, (long) value);
            case FLOAT16 -> segment.set(ValueLayout.JAVA_SHORT_UNALIGNED, index * 2, (short) small(value, 5, 10));
            case BFLOAT16 -> segment.set(ValueLayout.JAVA_SHORT_UNALIGNED, index * 2, (short) small(value, 8, 7));
            case FLOAT32 -> segment.set(ValueLayout.JAVA_FLOAT_UNALIGNED, index * 4, (float) value);
            case FLOAT64 -> segment.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, index * 8, value);
            case FLOAT8_E4M3 -> segment.set(ValueLayout.JAVA_BYTE, index, (byte) small(value, 4, 3));
            case FLOAT8_E5M2 -> segment.set(ValueLayout.JAVA_BYTE, index, (byte) small(value, 5, 2));
        }
    }

    /** The bits of a binary floating point number with the given widths, for finite values inside its normal range, and 0. */
    static int small(final double value, final int exponentBits, final int fractionBits) {
        final int sign = (value < 0 || 1 / value < 0 ? 1 : 0) << (exponentBits + fractionBits);
        if (value == 0) {
            return sign;
        }
        final int exponent = Math.getExponent(value);
        final long significand = (long) Math.rint(Math.scalb(Math.abs(value), fractionBits - exponent));
        final int bias = (1 << (exponentBits - 1)) - 1;
        // A significand that rounds up to the next power of two carries into the exponent by itself.
        return sign + ((exponent + bias) << fractionBits) + (int) (significand - (1L << fractionBits));
    }
}
