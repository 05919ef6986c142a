package org.chagres.collectives.reduce;

/**
 * The 8-bit floats of the Open Compute Project's OFP8 specification (revision 1.0).
 *
 * <p>Conversions to float32 are exact. Those from float32 round to nearest even; overflow gives infinity in E5M2 and NaN
 * in E4M3, which has no infinity (torch's non-saturating cast).
 */
final class Float8 {
    private static final int SIGN = 0x80;
    private static final int FRACTION_BITS_32 = 23;
    private static final int BIAS_32 = 127;

    private static final int E4M3_NAN = 0x7f;
    private static final int E4M3_FRACTION_BITS = 3;
    private static final int E4M3_BIAS = 7;

    private static final int E5M2_NAN = 0x7f;
    private static final int E5M2_INFINITY = 0x7c;
    private static final int E5M2_FRACTION_BITS = 2;
    private static final int E5M2_BIAS = 15;

    private Float8() {
    }

    static float fromE4m3(final byte value) {
        final int magnitude = value & 0x7f;
        if (magnitude == E4M3_NAN) {
            return Float.NaN;
        }
        // Read with float32's bias, the fields give the value too small by 2^(127 - 7), subnormals included.
        final float tiny = Float.intBitsToFloat(magnitude << (FRACTION_BITS_32 - E4M3_FRACTION_BITS));
        return Math.copySign(tiny * 0x1p120f, value);
    }

    static float fromE5m2(final byte value) {
        return Float.float16ToFloat((short) (value << Byte.SIZE));
    }

    static byte toE4m3(final float value) {
        if (Float.isNaN(value)) {
            return E4M3_NAN;
        }
        final int magnitude = round(value, E4M3_FRACTION_BITS, E4M3_BIAS);
        return sign(value, Math.min(magnitude, E4M3_NAN));
    }

    static byte toE5m2(final float value) {
        if (Float.isNaN(value)) {
            return E5M2_NAN;
        }
        final int magnitude = round(value, E5M2_FRACTION_BITS, E5M2_BIAS);
        return sign(value, Math.min(magnitude, E5M2_INFINITY));
    }

    /** The exponent and fraction of the nearest value, as if exponents had no end. */
    private static int round(final float value, final int fractionBits, final int bias) {
        final int magnitude = Float.floatToRawIntBits(value) & ~(1 << 31);
        final int dropped = FRACTION_BITS_32 - fractionBits;
        final int leastNormal = (BIAS_32 - bias + 1) << FRACTION_BITS_32;
        if (magnitude < leastNormal) {
            // A float32 whose last bit weighs what a subnormal's does: the addition rounds there.
            final float unit = Float.intBitsToFloat((BIAS_32 - bias + 1 + dropped) << FRACTION_BITS_32);
            return Float.floatToRawIntBits(Math.abs(value) + unit) - Float.floatToRawIntBits(unit);
        }
        final int odd = (magnitude >>> dropped) & 1;
        final int rounded = magnitude + odd + (1 << (dropped - 1)) - 1;
        return (rounded >>> dropped) - ((BIAS_32 - bias) << fractionBits);
    }

    private static byte sign(final float value, final int magnitude) {
        return (byte) (magnitude | ((Float.floatToRawIntBits(value) >>> 24) & SIGN));
    }
}
