package org.chagres.collectives;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.Map;

/** Encodes small whole numbers in every data type, independently of the code under test. */
final class Elements {
    private static final Map<Double, Byte> E4M3 = table(4, 7);
    private static final Map<Double, Byte> E5M2 = table(5, 15);

    private Elements() {
    }

    static void set(final MemorySegment segment, final DataType type, final long index, final double value) {
        switch (type) {
            case INT8, UINT8 -> segment.set(ValueLayout.JAVA_BYTE, index, (byte) (long) value);
            case INT32, UINT32 -> segment.set(ValueLayout.JAVA_INT_UNALIGNED, index * 4, (int) (long) value);
            case INT64, UINT64 -> segment.set(ValueLayout.JAVA_LONG_UNALIGNED, index * 8, (long) value);
            case FLOAT16 ->
                segment.set(ValueLayout.JAVA_SHORT_UNALIGNED, index * 2, Float.floatToFloat16((float) value));
            case BFLOAT16 -> segment.set(ValueLayout.JAVA_SHORT_UNALIGNED, index * 2,
                    (short) (Float.floatToIntBits((float) value) >>> 16));
            case FLOAT32 -> segment.set(ValueLayout.JAVA_FLOAT_UNALIGNED, index * 4, (float) value);
            case FLOAT64 -> segment.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, index * 8, value);
            case FLOAT8_E4M3 -> segment.set(ValueLayout.JAVA_BYTE, index, E4M3.get(value));
            case FLOAT8_E5M2 -> segment.set(ValueLayout.JAVA_BYTE, index, E5M2.get(value));
        }
    }

    /** Every finite normal number, and zero, of an 8-bit float by its value. */
    private static Map<Double, Byte> table(final int exponentBits, final int bias) {
        final int fractionBits = 7 - exponentBits;
        final Map<Double, Byte> table = new HashMap<>(Map.of(0.0, (byte) 0));
        for (int exponent = 1; exponent < (1 << exponentBits) - 1; exponent++) {
            for (int fraction = 0; fraction < 1 << fractionBits; fraction++) {
                final double value = Math.scalb(1 + Math.scalb((double) fraction, -fractionBits), exponent - bias);
                final int code = exponent << fractionBits | fraction;
                table.put(value, (byte) code);
                table.put(-value, (byte) (0x80 | code));
            }
        }
        return table;
    }
}
