package org.chagres.collectives.reduce;

/** The upper half of a float32. */
final class BFloat16 {
    private static final short NAN = 0x7fc0;

    private BFloat16() {
    }

    static float toFloat(final short value) {
        return Float.intBitsToFloat(value << Short.SIZE);
    }

    /** Rounds to nearest even; a carry out of the fraction gives the next exponent, at the end infinity. */
    static short fromFloat(final float value) {
        if (Float.isNaN(value)) {
            return NAN;
        }
        final int bits = Float.floatToRawIntBits(value);
        return (short) ((bits + 0x7fff + ((bits >>> Short.SIZE) & 1)) >>> Short.SIZE);
    }
}
