package org.chagres.collectives.reduce;

import static jdk.incubator.vector.VectorOperators.ASHR;
import static jdk.incubator.vector.VectorOperators.EQ;
import static jdk.incubator.vector.VectorOperators.LSHL;
import static jdk.incubator.vector.VectorOperators.LSHR;
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
 * The 8-bit floats with the Vector API, for SUM, MIN, MAX and AVG: as {@link VectorFloat16} does it, with four elements
 * in each 32-bit word, which take turns in the same lane.
 */
final class VectorFloat8 extends PairwiseKernel {
    private static final KernelSpec SPEC = KernelSpec.of(MethodHandles.lookup());
    private static final boolean E4M3 = SPEC.type() == DataType.FLOAT8_E4M3;
    private static final Kind KIND = SPEC.kind();
    private static final VectorOperators.Binary OP = VectorOp.of(SPEC);
    private static final VectorSpecies<Integer> WORDS = IntVector.SPECIES_PREFERRED;
    private static final int ELEMENTS = WORDS.vectorByteSize();

    /** How much wider float32's exponent is. */
    private static final int EXPONENT_BITS = E4M3 ? 4 : 3;
    /** How many fraction bits rounding drops. */
    private static final int DROPPED = E4M3 ? 20 : 21;
    private static final int SIGN = 0x8000_0000;
    /** The sign and the seven bits of exponent and fraction in a float32. */
    private static final int FIELDS = SIGN | 0x7f << DROPPED;
    /** Added to the bits together with the last one that is kept, it rounds to nearest even. */
    private static final int BELOW_HALF = (1 << (DROPPED - 1)) - 1;
    /** What is among E4M3's values the one NaN, and starts E5M2's infinity and NaNs. */
    private static final byte SPECIAL = (byte) (E4M3 ? 0x7f : 0x7c);
    /** World sizes below this are divided by in vectors. */
    private static final int DIVISORS = 1 << DROPPED;

    VectorFloat8() {
        super(Kernels.PLAIN.of(SPEC.type(), KIND));
    }

    @Override
    void fold(final long dst, final long a, final long b, final long[] srcs, final int n, final int rawMask,
            final long operand, final long from, final long to) {
        final long end = KIND == Kind.AVG && operand >= DIVISORS ? from : to - (to - from) % ELEMENTS;
        for (long at = from; at < end; at += ELEMENTS) {
            final IntVector left = IntVector.fromMemorySegment(WORDS, ALL, a + at, ORDER);
            final IntVector right = IntVector.fromMemorySegment(WORDS, ALL, b + at, ORDER);
            ByteVector special = left.reinterpretAsBytes().and(SPECIAL).max(right.reinterpretAsBytes().and(SPECIAL));
            for (int j = 2; j < n; j++) {
                special = special.max(ByteVector.fromMemorySegment(ByteVector.SPECIES_PREFERRED, ALL, srcs[j] + at,
                        ORDER).and(SPECIAL));
            }
            if (special.compare(EQ, SPECIAL).anyTrue()) {
                plainly(dst, a, b, srcs, n, rawMask, operand, at, at + ELEMENTS);
                continue;
            }
            IntVector magnitudes = IntVector.zero(WORDS);
            IntVector signs = IntVector.zero(WORDS);
            for (int up = Integer.SIZE - Byte.SIZE; up >= 0; up -= Byte.SIZE) {
                final int down = Integer.SIZE - Byte.SIZE - up;
                FloatVector result = left.lanewise(LSHL, up)
                        .lanewise(ASHR, EXPONENT_BITS)
                        .and(FIELDS)
                        .reinterpretAsFloats();
                result = result.lanewise(OP, right.lanewise(LSHL, up)
                        .lanewise(ASHR, EXPONENT_BITS)
                        .and(FIELDS)
                        .reinterpretAsFloats());
                for (int j = 2; j < n; j++) {
                    result = result.lanewise(OP,
                            IntVector.fromMemorySegment(WORDS, ALL, srcs[j] + at, ORDER)
                                    .lanewise(LSHL, up)
                                    .lanewise(ASHR, EXPONENT_BITS)
                                    .and(FIELDS)
                                    .reinterpretAsFloats());
                }
                if (KIND == Kind.AVG) {
                    result = result.div((float) operand);
                }
                final IntVector bits = result.reinterpretAsInts();
                final IntVector rounded = bits.add(bits.lanewise(LSHR, DROPPED).and(1)).add(BELOW_HALF);
                magnitudes = magnitudes.or(rounded.lanewise(LSHR, DROPPED).and(0xff).lanewise(LSHL, down));
                signs = signs.or(bits.and(SIGN).lanewise(LSHR, up));
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
