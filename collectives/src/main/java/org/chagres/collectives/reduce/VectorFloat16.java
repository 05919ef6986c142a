package org.chagres.collectives.reduce;

import static jdk.incubator.vector.VectorOperators.ASHR;
import static jdk.incubator.vector.VectorOperators.EQ;
import static jdk.incubator.vector.VectorOperators.LSHL;
import static jdk.incubator.vector.VectorOperators.LSHR;
import static jdk.incubator.vector.VectorOperators.LT;
import static jdk.incubator.vector.VectorOperators.NE;
import static jdk.incubator.vector.VectorOperators.UMIN;
import static org.chagres.collectives.reduce.Memory.ALL;
import static org.chagres.collectives.reduce.Memory.ORDER;

import java.lang.invoke.MethodHandles;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.chagres.collectives.ReduceOp.Kind;

/**
 * FLOAT16 with the Vector API, which has no conversion for it.
 *
 * <p>Each 32-bit word holds two elements; the even and the odd ones become a vector of float32 each, without crossing
 * lanes. A binary16's fields, moved to where float32 has its own but with the exponent as it is, are the value times
 * 2<sup>-112</sup>, and its subnormals land on float32's. Rounding back to binary16 then drops 13 bits, whether the
 * result is subnormal or not, and a magnitude beyond the last finite one is infinity. In between
 * <ul>
 * <li>SUM, MIN and MAX work on the scaled values, since they commute with the scale: sums are multiples of
 * 2<sup>-24</sup>, scaled 2<sup>-136</sup>, and float32 resolves 2<sup>-149</sup>;
 * <li>so does AVG up to {@link #DIVISORS}: a quotient m 2<sup>-24</sup> / w that is not in the middle between two
 * binary16 subnormals is at least 2<sup>-25</sup> / w off, and float32's rounding, by at most 2<sup>-38</sup>
 * there, does not take it to the middle;
 * <li>PROD and PREMULSUM undo the scale first, and round subnormal results apart.
 * </ul>
 * Vectors with an infinity or a NaN in a source, or a NaN in the result, go to the plain loop.
 */
final class VectorFloat16 extends PairwiseKernel {
    private static final KernelSpec SPEC = KernelSpec.of(MethodHandles.lookup());
    private static final Kind KIND = SPEC.kind();
    private static final boolean SCALED = KIND != Kind.PROD && KIND != Kind.PREMULSUM;
    private static final VectorOperators.Binary OP = VectorOp.of(SPEC);
    private static final VectorSpecies<Integer> WORDS = IntVector.SPECIES_PREFERRED;
    private static final int ELEMENTS = WORDS.vectorByteSize() / Short.BYTES;

    /** How much wider float32's exponent is. */
    private static final int EXPONENT_BITS = 3;
    /** How many fraction bits rounding drops. */
    private static final int DROPPED = 13;
    /** Added to the bits together with the last one that is kept, it rounds to nearest even. */
    private static final int BELOW_HALF = (1 << (DROPPED - 1)) - 1;
    private static final int SIGN = 0x8000_0000;
    private static final int UPPER = 0xffff_0000;
    /** The sign, five exponent and ten fraction bits in a float32. */
    private static final int FIELDS = 0x8fff_e000;
    private static final short INFINITY = 0x7c00;
    /** World sizes below this are divided by in vectors. */
    private static final int DIVISORS = 1 << DROPPED;

    /** Undoes the scale. */
    private static final float UNSCALE = 0x1p112f;
    private static final int SCALE_BITS = 112 << 23;
    /** The bits of 2^-14, the least normal binary16, and of 2^16, the first magnitude past its exponents. */
    private static final int LEAST_NORMAL = 113 << 23;
    private static final int END = 143 << 23;
    /** The last bit of a float32 near it weighs what a binary16 subnormal's does, so that adding it rounds. */
    private static final float SUBNORMAL = 0.5f;

    VectorFloat16() {
        super(SPEC);
    }

    @Override
    void fold(final long dst, final long a, final long b, final long[] srcs, final int n, final int rawMask,
            final long operand, final long from, final long to) {
        final int sources = SPEC.pair() ? 2 : n;
        final float factor = Float.intBitsToFloat((int) operand);
        final float leftFactor = (rawMask & 1) == 0 ? 1 : factor;
        final float rightFactor = (rawMask & 2) == 0 ? 1 : factor;
        final long end = KIND == Kind.AVG && operand >= DIVISORS ? from : to - (to - from) % ELEMENTS;
        for (long i = from; i < end; i += ELEMENTS) {
            final long at = i * Short.BYTES;
            final IntVector left = IntVector.fromMemorySegment(WORDS, ALL, a + at, ORDER);
            final IntVector right = IntVector.fromMemorySegment(WORDS, ALL, b + at, ORDER);
            ShortVector exponent = left.reinterpretAsShorts()
                    .and(INFINITY)
                    .max(right.reinterpretAsShorts().and(INFINITY));
            FloatVector even = left.lanewise(LSHL, Short.SIZE)
                    .lanewise(ASHR, EXPONENT_BITS)
                    .and(FIELDS)
                    .reinterpretAsFloats();
            FloatVector odd = left.lanewise(ASHR, EXPONENT_BITS).and(FIELDS).reinterpretAsFloats();
            FloatVector nextEven = right.lanewise(LSHL, Short.SIZE)
                    .lanewise(ASHR, EXPONENT_BITS)
                    .and(FIELDS)
                    .reinterpretAsFloats();
            FloatVector nextOdd = right.lanewise(ASHR, EXPONENT_BITS).and(FIELDS).reinterpretAsFloats();
            if (!SCALED) {
                even = even.mul(UNSCALE).mul(leftFactor);
                odd = odd.mul(UNSCALE).mul(leftFactor);
                nextEven = nextEven.mul(UNSCALE).mul(rightFactor);
                nextOdd = nextOdd.mul(UNSCALE).mul(rightFactor);
            }
            even = nextEven.lanewise(OP, even);
            odd = nextOdd.lanewise(OP, odd);
            for (int j = 2; j < sources; j++) {
                final IntVector next = IntVector.fromMemorySegment(WORDS, ALL, srcs[j] + at, ORDER);
                exponent = exponent.max(next.reinterpretAsShorts().and(INFINITY));
                nextEven = next.lanewise(LSHL, Short.SIZE)
                        .lanewise(ASHR, EXPONENT_BITS)
                        .and(FIELDS)
                        .reinterpretAsFloats();
                nextOdd = next.lanewise(ASHR, EXPONENT_BITS).and(FIELDS).reinterpretAsFloats();
                if (!SCALED) {
                    final float nextFactor = ((rawMask >>> j) & 1) == 0 ? 1 : factor;
                    nextEven = nextEven.mul(UNSCALE).mul(nextFactor);
                    nextOdd = nextOdd.mul(UNSCALE).mul(nextFactor);
                }
                even = nextEven.lanewise(OP, even);
                odd = nextOdd.lanewise(OP, odd);
            }
            final FloatVector both = even.add(odd);
            if (exponent.compare(EQ, INFINITY).anyTrue() || (!SCALED && both.compare(NE, both).anyTrue())) {
                plainly(dst, a, b, srcs, n, rawMask, operand, i, i + ELEMENTS);
                continue;
            }
            if (KIND == Kind.AVG) {
                even = even.div((float) operand);
                odd = odd.div((float) operand);
            }
            final IntVector evenBits = even.reinterpretAsInts();
            final IntVector oddBits = odd.reinterpretAsInts();
            IntVector evenRounded = evenBits;
            IntVector oddRounded = oddBits;
            if (!SCALED) {
                evenRounded = evenBits.and(~SIGN).min(END).sub(SCALE_BITS);
                oddRounded = oddBits.and(~SIGN).min(END).sub(SCALE_BITS);
            }
            evenRounded = evenRounded.add(evenRounded.lanewise(LSHR, DROPPED).and(1)).add(BELOW_HALF);
            oddRounded = oddRounded.add(oddRounded.lanewise(LSHR, DROPPED).and(1)).add(BELOW_HALF);
            if (!SCALED) {
                evenRounded = evenRounded.blend(
                        even.abs().add(SUBNORMAL).sub(SUBNORMAL).mul(1 / UNSCALE).reinterpretAsInts(),
                        evenBits.and(~SIGN).compare(LT, LEAST_NORMAL));
                oddRounded = oddRounded.blend(
                        odd.abs().add(SUBNORMAL).sub(SUBNORMAL).mul(1 / UNSCALE).reinterpretAsInts(),
                        oddBits.and(~SIGN).compare(LT, LEAST_NORMAL));
            }
            // Even the sum of 32 largest values has an exponent that fits in 16 bits with the fraction.
            final IntVector magnitudes = evenRounded.lanewise(LSHR, DROPPED)
                    .and(~UPPER)
                    .or(oddRounded.lanewise(LSHL, EXPONENT_BITS).and(UPPER))
                    .reinterpretAsShorts()
                    .lanewise(UMIN, INFINITY)
                    .reinterpretAsInts();
            final IntVector signs = evenBits.lanewise(LSHR, Short.SIZE).and(SIGN >>> Short.SIZE).or(oddBits.and(SIGN));
            magnitudes.or(signs).intoMemorySegment(ALL, dst + at, ORDER);
        }
        plainly(dst, a, b, srcs, n, rawMask, operand, end, to);
    }
}
