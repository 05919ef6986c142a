package org.chagres.collectives.reduce;

import static jdk.incubator.vector.VectorOperators.ASHR;
import static jdk.incubator.vector.VectorOperators.EQ;
import static jdk.incubator.vector.VectorOperators.LSHL;
import static jdk.incubator.vector.VectorOperators.LSHR;
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
 * FLOAT16 with the Vector API, for SUM, MIN, MAX and AVG.
 *
 * <p>Each 32-bit word holds two elements; the even and the odd ones become a vector of float32 each, without crossing
 * lanes. The API has no conversion, and the usual ones in integers take some 25 operations for a sum; here it is 12:
 * <ul>
 * <li>A binary16's fields, moved to where float32 has its own but with the exponent as it is, are the value times
 * 2<sup>-112</sup>: its subnormals land on float32's. Adding and comparing commute with that scale: sums are
 * multiples of 2<sup>-24</sup>, which scaled is 2<sup>-136</sup>, and float32 resolves 2<sup>-149</sup>.
 * <li>So do quotients as far as {@link #DIVISORS}: 2<sup>-24</sup> m / w, where it does not lie in the middle between
 * two binary16 subnormals, is at least 2<sup>-25</sup> / w off, and rounding to multiples of 2<sup>-37</sup>, by
 * at most 2<sup>-38</sup>, does not take it there.
 * <li>Rounding to binary16 then drops 13 bits, for subnormals as for all others, and what exceeds the largest exponent
 * is infinity.
 * <li>Vectors with an infinity or a NaN among the sources go to the plain loop.
 * </ul>
 */
final class VectorFloat16 extends PairwiseKernel {
    private static final KernelSpec SPEC = KernelSpec.of(MethodHandles.lookup());
    private static final Kind KIND = SPEC.kind();
    private static final VectorOperators.Binary OP = VectorOp.of(SPEC);
    private static final VectorSpecies<Integer> WORDS = IntVector.SPECIES_PREFERRED;
    private static final int ELEMENTS = WORDS.vectorByteSize() / Short.BYTES;

    /** How much wider float32's exponent is. */
    private static final int EXPONENT_BITS = 3;
    /** The sign, five exponent and ten fraction bits in a float32. */
    private static final int FIELDS = 0x8fff_e000;
    /** How many fraction bits rounding drops. */
    private static final int DROPPED = 13;
    /** Added to the bits together with the last one that is kept, it rounds to nearest even. */
    private static final int BELOW_HALF = 0x0fff;
    private static final int SIGN = 0x8000_0000;
    private static final int UPPER = 0xffff_0000;
    private static final short INFINITY = 0x7c00;
    /** World sizes below this are divided by in vectors. */
    private static final int DIVISORS = 1 << DROPPED;

    VectorFloat16() {
        super(Kernels.PLAIN.of(SPEC.type(), KIND));
    }

    @Override
    void fold(final long dst, final long a, final long b, final long[] srcs, final int n, final int rawMask,
            final long operand, final long from, final long to) {
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
            even = even.lanewise(OP, right.lanewise(LSHL, Short.SIZE)
                    .lanewise(ASHR, EXPONENT_BITS)
                    .and(FIELDS)
                    .reinterpretAsFloats());
            odd = odd.lanewise(OP, right.lanewise(ASHR, EXPONENT_BITS).and(FIELDS).reinterpretAsFloats());
            for (int j = 2; j < n; j++) {
                final IntVector next = IntVector.fromMemorySegment(WORDS, ALL, srcs[j] + at, ORDER);
                exponent = exponent.max(next.reinterpretAsShorts().and(INFINITY));
                even = even.lanewise(OP, next.lanewise(LSHL, Short.SIZE)
                        .lanewise(ASHR, EXPONENT_BITS)
                        .and(FIELDS)
                        .reinterpretAsFloats());
                odd = odd.lanewise(OP, next.lanewise(ASHR, EXPONENT_BITS).and(FIELDS).reinterpretAsFloats());
            }
            if (exponent.compare(EQ, INFINITY).anyTrue()) {
                plainly(dst, a, b, srcs, n, rawMask, operand, i, i + ELEMENTS);
                continue;
            }
            if (KIND == Kind.AVG) {
                even = even.div((float) operand);
                odd = odd.div((float) operand);
            }
            final IntVector evenBits = even.reinterpretAsInts();
            final IntVector oddBits = odd.reinterpretAsInts();
            final IntVector evenRounded = evenBits.add(evenBits.lanewise(LSHR, DROPPED).and(1)).add(BELOW_HALF);
            final IntVector oddRounded = oddBits.add(oddBits.lanewise(LSHR, DROPPED).and(1)).add(BELOW_HALF);
            // A sum of at most 32 sources has exponents that still fit into the place of the sign.
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
