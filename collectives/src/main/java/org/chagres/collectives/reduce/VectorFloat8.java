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
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.chagres.collectives.DataType;
import org.chagres.collectives.ReduceOp.Kind;

/**
 * The 8-bit floats with the Vector API: as {@link VectorFloat16} does it, with four elements in each 32-bit word, which
 * take turns in the same lane.
 */
final class VectorFloat8 extends PairwiseKernel {
    private static final KernelSpec SPEC = KernelSpec.of(MethodHandles.lookup());
    private static final boolean E4M3 = SPEC.type() == DataType.FLOAT8_E4M3;
    private static final Kind KIND = SPEC.kind();
    private static final boolean SCALED = KIND != Kind.PROD && KIND != Kind.PREMULSUM;
    private static final VectorOperators.Binary OP = VectorOp.of(SPEC);
    private static final VectorSpecies<Integer> WORDS = IntVector.SPECIES_PREFERRED;
    private static final int ELEMENTS = WORDS.vectorByteSize();

    /** How much wider float32's exponent is. */
    private static final int EXPONENT_BITS = E4M3 ? 4 : 3;
    /** How many fraction bits rounding drops. */
    private static final int DROPPED = E4M3 ? 20 : 21;
    /** Added to the bits together with the last one that is kept, it rounds to nearest even. */
    private static final int BELOW_HALF = (1 << (DROPPED - 1)) - 1;
    private static final int SIGN = 0x8000_0000;
    private static final int LOWEST = 0xff;
    /** The sign and the seven bits of exponent and fraction in a float32. */
    private static final int FIELDS = SIGN | 0x7f << DROPPED;
    /** E4M3's one NaN; what E5M2's infinity and NaNs have in common. */
    private static final byte SPECIAL = (byte) (E4M3 ? 0x7f : 0x7c);
    /** World sizes below this are divided by in vectors. */
    private static final int DIVISORS = 1 << DROPPED;

    /** By how much float32's exponent bias is larger. */
    private static final int BIAS = E4M3 ? 120 : 112;
    /** Undoes the scale. */
    private static final float UNSCALE = E4M3 ? 0x1p120f : 0x1p112f;
    private static final int SCALE_BITS = BIAS << 23;
    private static final int LEAST_NORMAL = (BIAS + 1) << 23;
    /** The bits of the first power of two past the type's exponents. */
    private static final int END = (BIAS + (E4M3 ? 16 : 31)) << 23;
    /** The last bit of a float32 near it weighs what a subnormal's does, so that adding it rounds. */
    private static final float SUBNORMAL = Float.intBitsToFloat((BIAS + 1 + DROPPED) << 23);

    VectorFloat8() {
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
        for (long at = from; at < end; at += ELEMENTS) {
            final IntVector left = IntVector.fromMemorySegment(WORDS, ALL, a + at, ORDER);
            final IntVector right = IntVector.fromMemorySegment(WORDS, ALL, b + at, ORDER);
            ByteVector special = left.reinterpretAsBytes().and(SPECIAL).max(right.reinterpretAsBytes().and(SPECIAL));
            for (int j = 2; j < sources; j++) {
                final IntVector next = IntVector.fromMemorySegment(WORDS, ALL, srcs[j] + at, ORDER);
                special = special.max(next.reinterpretAsBytes().and(SPECIAL));
            }
            IntVector magnitudes = IntVector.zero(WORDS);
            IntVector signs = IntVector.zero(WORDS);
            FloatVector all = FloatVector.zero(FloatVector.SPECIES_PREFERRED);
            for (int up = 0; up < Integer.SIZE; up += Byte.SIZE) {
                FloatVector result = left.lanewise(LSHL, up)
                        .lanewise(ASHR, EXPONENT_BITS)
                        .and(FIELDS)
                        .reinterpretAsFloats();
                FloatVector other = right.lanewise(LSHL, up)
                        .lanewise(ASHR, EXPONENT_BITS)
                        .and(FIELDS)
                        .reinterpretAsFloats();
                if (!SCALED) {
                    result = result.mul(UNSCALE).mul(leftFactor);
                    other = other.mul(UNSCALE).mul(rightFactor);
                }
                result = other.lanewise(OP, result);
                for (int j = 2; j < sources; j++) {
                    final IntVector next = IntVector.fromMemorySegment(WORDS, ALL, srcs[j] + at, ORDER);
                    other = next.lanewise(LSHL, up).lanewise(ASHR, EXPONENT_BITS).and(FIELDS).reinterpretAsFloats();
                    if (!SCALED) {
                        other = other.mul(UNSCALE).mul(((rawMask >>> j) & 1) == 0 ? 1 : factor);
                    }
                    result = other.lanewise(OP, result);
                }
                if (KIND == Kind.AVG) {
                    result = result.div((float) operand);
                }
                all = all.add(result);
                final IntVector bits = result.reinterpretAsInts();
                IntVector rounded = SCALED ? bits : bits.and(~SIGN).min(END).sub(SCALE_BITS);
                rounded = rounded.add(rounded.lanewise(LSHR, DROPPED).and(1)).add(BELOW_HALF);
                if (!SCALED) {
                    rounded = rounded.blend(
                            result.abs().add(SUBNORMAL).sub(SUBNORMAL).mul(1 / UNSCALE).reinterpretAsInts(),
                            bits.and(~SIGN).compare(LT, LEAST_NORMAL));
                }
                magnitudes = magnitudes.lanewise(LSHL, Byte.SIZE).or(rounded.lanewise(LSHR, DROPPED).and(LOWEST));
                signs = signs.or(bits.and(SIGN).lanewise(LSHR, up));
            }
            if (special.compare(EQ, SPECIAL).anyTrue() || (!SCALED && all.compare(NE, all).anyTrue())) {
                plainly(dst, a, b, srcs, n, rawMask, operand, at, at + ELEMENTS);
                continue;
            }
            magnitudes.reinterpretAsBytes()
                    .lanewise(UMIN, SPECIAL)
                    .reinterpretAsInts()
                    .or(signs)
                    .intoMemorySegment(ALL, dst + at, ORDER);
        }
        plainly(dst, a, b, srcs, n, rawMask, operand, end, to);
    }
}
