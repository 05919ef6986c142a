package org.chagres.collectives.reduce;

import static org.chagres.collectives.reduce.Memory.ALL;
import static org.chagres.collectives.reduce.Memory.ORDER;

import java.lang.invoke.MethodHandles;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.chagres.collectives.ReduceOp.Kind;

/** FLOAT64 with the Vector API. */
final class VectorDouble extends Kernel {
    private static final KernelSpec SPEC = KernelSpec.of(MethodHandles.lookup());
    private static final Kind KIND = SPEC.kind();
    private static final VectorOperators.Binary OP = VectorOp.of(SPEC);
    private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_PREFERRED;
    private static final int LANES = SPECIES.length();
    private static final int STEP = 2 * LANES;
    private static final int BYTES = SPECIES.vectorByteSize();
    private static final Kernel TAIL = Kernels.PLAIN.of(SPEC.type(), KIND);

    @Override
    void fold(final long dst, final long[] srcs, final int n, final int rawMask, final long operand, final long from,
            final long to) {
        final double factor = Double.longBitsToDouble(operand);
        final double first = (rawMask & 1) == 0 ? 1 : factor;
        final long end = to - (to - from) % STEP;
        for (long i = from; i < end; i += STEP) {
            final long at = i * Double.BYTES;
            DoubleVector low = DoubleVector.fromMemorySegment(SPECIES, ALL, srcs[0] + at, ORDER);
            DoubleVector high = DoubleVector.fromMemorySegment(SPECIES, ALL, srcs[0] + at + BYTES, ORDER);
            if (KIND == Kind.PREMULSUM) {
                low = low.mul(first);
                high = high.mul(first);
            }
            for (int j = 1; j < n; j++) {
                DoubleVector nextLow = DoubleVector.fromMemorySegment(SPECIES, ALL, srcs[j] + at, ORDER);
                DoubleVector nextHigh = DoubleVector.fromMemorySegment(SPECIES, ALL, srcs[j] + at + BYTES, ORDER);
                if (KIND == Kind.PREMULSUM) {
                    final double scale = ((rawMask >>> j) & 1) == 0 ? 1 : factor;
                    nextLow = nextLow.mul(scale);
                    nextHigh = nextHigh.mul(scale);
                }
                low = nextLow.lanewise(OP, low);
                high = nextHigh.lanewise(OP, high);
            }
            if (KIND == Kind.AVG) {
                low = low.div((double) operand);
                high = high.div((double) operand);
            }
            low.blend(Double.NaN, low.compare(VectorOperators.NE, low)).intoMemorySegment(ALL, dst + at, ORDER);
            high.blend(Double.NaN, high.compare(VectorOperators.NE, high))
                    .intoMemorySegment(ALL, dst + at + BYTES, ORDER);
        }
        TAIL.fold(dst, srcs, n, rawMask, operand, end, to);
    }

    @Override
    void fold2(final long dst, final long a, final long b, final int rawMask, final long operand, final long from,
            final long to) {
        final double factor = Double.longBitsToDouble(operand);
        final double leftFactor = (rawMask & 1) == 0 ? 1 : factor;
        final double rightFactor = (rawMask & 2) == 0 ? 1 : factor;
        final long end = to - (to - from) % LANES;
        for (long i = from; i < end; i += LANES) {
            final long at = i * Double.BYTES;
            DoubleVector left = DoubleVector.fromMemorySegment(SPECIES, ALL, a + at, ORDER);
            DoubleVector right = DoubleVector.fromMemorySegment(SPECIES, ALL, b + at, ORDER);
            if (KIND == Kind.PREMULSUM) {
                left = left.mul(leftFactor);
                right = right.mul(rightFactor);
            }
            DoubleVector result = left.lanewise(OP, right);
            if (KIND == Kind.AVG) {
                result = result.div((double) operand);
            }
            // Only a NaN is not equal to itself.
            result.blend(Double.NaN, result.compare(VectorOperators.NE, result))
                    .intoMemorySegment(ALL, dst + at, ORDER);
        }
        TAIL.fold2(dst, a, b, rawMask, operand, end, to);
    }
}
