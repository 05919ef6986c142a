package org.chagres.collectives.reduce;

import java.util.Arrays;

/** A floating point format small enough to list all its values. */
final class NarrowFloat {
    /** The value of each bit pattern. */
    private final double[] values;
    /** The magnitude bits of the largest finite value. */
    private final int largest;
    /** The first magnitude that would follow, were exponents without end. */
    private final double end;
    /** The NaN that conversions give. */
    private final int canonicalNan;

    private NarrowFloat(final double[] values, final int largest, final double end, final int canonicalNan) {
        this.values = values;
        this.largest = largest;
        this.end = end;
        this.canonicalNan = canonicalNan;
    }

    /** An IEEE 754 format. */
    static NarrowFloat ieee(final int exponentBits, final int fractionBits, final int canonicalNan) {
        final int bias = (1 << (exponentBits - 1)) - 1;
        final int infinity = ((1 << exponentBits) - 1) << fractionBits;
        final double[] values = values(exponentBits, fractionBits, bias);
        final double end = values[infinity];
        final int sign = values.length / 2;
        Arrays.fill(values, infinity, sign, Double.NaN);
        Arrays.fill(values, infinity + sign, values.length, Double.NaN);
        values[infinity] = Double.POSITIVE_INFINITY;
        values[infinity + sign] = Double.NEGATIVE_INFINITY;
        return new NarrowFloat(values, infinity - 1, end, canonicalNan);
    }

    /** OFP8 E4M3, whose only special values are 7f and ff. */
    static NarrowFloat e4m3() {
        final double[] values = values(4, 3, 7);
        final double end = values[0x7f];
        values[0x7f] = Double.NaN;
        values[0xff] = Double.NaN;
        return new NarrowFloat(values, 0x7e, end, 0x7f);
    }

    private static double[] values(final int exponentBits, final int fractionBits, final int bias) {
        final double[] values = new double[2 << (exponentBits + fractionBits)];
        for (int bits = 0; bits < values.length; bits++) {
            final int exponent = (bits >>> fractionBits) & ((1 << exponentBits) - 1);
            final int fraction = bits & ((1 << fractionBits) - 1);
            final double significand = Math.scalb((double) fraction, -fractionBits) + (exponent == 0 ? 0 : 1);
            final double magnitude = Math.scalb(significand, Math.max(exponent, 1) - bias);
            values[bits] = bits < values.length / 2 ? magnitude : -magnitude;
        }
        return values;
    }

    /** The value of a bit pattern, whose upper bits are ignored. */
    double value(final long bits) {
        return values[(int) bits & (values.length - 1)];
    }

    /** The bits of the nearest value, of two the even one. */
    int nearest(final double value) {
        if (Double.isNaN(value)) {
            return canonicalNan;
        }
        final int sign = Double.doubleToRawLongBits(value) < 0 ? values.length / 2 : 0;
        final double magnitude = Math.abs(value);
        final int found = Arrays.binarySearch(values, 0, largest + 1, magnitude);
        if (found >= 0) {
            return found | sign;
        }
        final int above = -found - 1;
        final double middle = (values[above - 1] + (above > largest ? end : values[above])) / 2;
        final boolean up = magnitude > middle || (magnitude == middle && above % 2 == 0);
        return (up ? above : above - 1) | sign;
    }
}
