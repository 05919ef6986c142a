package org.chagres.collectives.reduce;

import static jdk.incubator.vector.VectorOperators.LSHL;
import static jdk.incubator.vector.VectorOperators.LSHR;
import static jdk.incubator.vector.VectorOperators.NE;
import static org.chagres.collectives.reduce.Memory.ALL;
import static org.chagres.collectives.reduce.Memory.ORDER;

import java.lang.invoke.MethodHandles;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.chagres.collectives.ReduceOp.Kind;

/**
 * BFLOAT16 with the Vector API.
 *
 * <p>Each 32-bit word holds two elements; the even and the odd ones become a vector of float32 each, without crossing
 * lanes. Vectors whose result has a NaN go to the plain loop, which leaves the rounding free of special cases.
 */
final class VectorBFloat16 extends PairwiseKernel {
    private static final KernelSpec SPEC = KernelSpec.of(MethodHandles.lookup());
    private static final Kind KIND = SPEC.kind();
    private static final VectorOperators.Binary OP = VectorOp.of(SPEC);
    private static final VectorSpecies<Integer> WORDS = IntVector.SPECIES_PREFERRED;
    private static final int ELEMENTS = WORDS.vectorByteSize() / Short.BYTES;

    private static final int UPPER = 0xffff_0000;
    /** Added to the bits together with the last one that is kept, it rounds to nearest even. */
    private static final int BELOW_HALF = 0x7fff;

    VectorBFloat16() {
        super(SPEC);
    }

    @Override
    void fold(final long dst, final long a, final long b, final long[] srcs, final int n, final int rawMask,
            final long operand, final long from, final long to) {
        final int sources = SPEC.pair() ? 2 : n;
        final float factor = Float.intBitsToFloat((int) operand);
        final float leftFactor = (rawMask & 1) == 0 ? 1 : factor;
        final float rightFactor = (rawMask & 2) == 0 ? 1 : factor;
        final long end = to - (to - from) % ELEMENTS;
        for (long i = from; i < end; i += ELEMENTS) {
            final long at = i * Short.BYTES;
            final IntVector left = IntVector.fromMemorySegment(WORDS, ALL, a + at, ORDER);
            final IntVector right = IntVector.fromMemorySegment(WORDS, ALL, b + at, ORDER);
            FloatVector even = left.lanewise(LSHL, Short.SIZE).reinterpretAsFloats();
            FloatVector odd = left.and(UPPER).reinterpretAsFloats();
            FloatVector nextEven = right.lanewise(LSHL, Short.SIZE).reinterpretAsFloats();
            FloatVector nextOdd = right.and(UPPER).reinterpretAsFloats();
            if (KIND == Kind.PREMULSUM) {
                even = even.mul(leftFactor);
                odd = odd.mul(leftFactor);
                nextEven = nextEven.mul(rightFactor);
                nextOdd = nextOdd.mul(rightFactor);
            }
            even = nextEven.lanewise(OP, even);
            odd = nextOdd.lanewise(OP, odd);
            for (int j = 2; j < sources; j++) {
                final IntVector next = IntVector.fromMemorySegment(WORDS, ALL, srcs[j] + at, ORDER);
                nextEven = next.lanewise(LSHL, Short.SIZE).reinterpretAsFloats();
                nextOdd = next.and(UPPER).reinterpretAsFloats();
                if (KIND == Kind.PREMULSUM) {
                    final float nextFactor = ((rawMask >>> j) & 1) == 0 ? 1 : factor;
                    nextEven = nextEven.mul(nextFactor);
                    nextOdd = nextOdd.mul(nextFactor);
                }
                even = nextEven.lanewise(OP, even);
                odd = nextOdd.lanewise(OP, odd);
            }
            if (KIND == Kind.AVG) {
                even = even.div((float) operand);
                odd = odd.div((float) operand);
            }
            final FloatVector both = even.add(odd);
            if (both.compare(NE, both).anyTrue()) {
                plainly(dst, a, b, srcs, n, rawMask, operand, i, i + ELEMENTS);
                continue;
            }
            final IntVector evenBits = even.reinterpretAsInts();
            final IntVector oddBits = odd.reinterpretAsInts();
            final IntVector low = evenBits.add(evenBits.lanewise(LSHR, Short.SIZE).and(1))
                    .add(BELOW_HALF)
                    .lanewise(LSHR, Short.SIZE);
            final IntVector high = oddBits.add(oddBits.lanewise(LSHR, Short.SIZE).and(1)).add(BELOW_HALF).and(UPPER);
            low.or(high).intoMemorySegment(ALL, dst + at, ORDER);
        }
        plainly(dst, a, b, srcs, n, rawMask, operand, end, to);
    }
}
