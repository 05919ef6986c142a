package org.chagres.collectives.reduce;

import static org.chagres.collectives.reduce.Memory.ALL;
import static org.chagres.collectives.reduce.Memory.ORDER;

import java.lang.invoke.MethodHandles;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.chagres.collectives.ReduceOp.Kind;

/** INT64 and UINT64 with the Vector API, for all kinds but AVG: there is no vector division of integers. */
final class VectorLong extends Kernel {
    private static final KernelSpec SPEC = KernelSpec.of(MethodHandles.lookup());
    private static final Kind KIND = SPEC.kind();
    private static final VectorOperators.Binary OP = VectorOp.of(SPEC);
    private static final VectorSpecies<Long> SPECIES = LongVector.SPECIES_PREFERRED;
    private static final int LANES = SPECIES.length();
    private static final int STEP = 2 * LANES;
    private static final int BYTES = SPECIES.vectorByteSize();
    private static final Kernel TAIL = Kernels.PLAIN.of(SPEC.type(), KIND);

    @Override
    void fold(final long dst, final long[] srcs, final int n, final int rawMask, final long operand, final long from,
            final long to) {
        final long first = (rawMask & 1) == 0 ? 1 : operand;
        final long end = to - (to - from) % STEP;
        for (long i = from; i < end; i += STEP) {
            final long at = i * Long.BYTES;
            LongVector low = LongVector.fromMemorySegment(SPECIES, ALL, srcs[0] + at, ORDER);
            LongVector high = LongVector.fromMemorySegment(SPECIES, ALL, srcs[0] + at + BYTES, ORDER);
            if (KIND == Kind.PREMULSUM) {
                low = low.mul(first);
                high = high.mul(first);
            }
            for (int j = 1; j < n; j++) {
                LongVector nextLow = LongVector.fromMemorySegment(SPECIES, ALL, srcs[j] + at, ORDER);
                LongVector nextHigh = LongVector.fromMemorySegment(SPECIES, ALL, srcs[j] + at + BYTES, ORDER);
                if (KIND == Kind.PREMULSUM) {
                    final long scale = ((rawMask >>> j) & 1) == 0 ? 1 : operand;
                    nextLow = nextLow.mul(scale);
                    nextHigh = nextHigh.mul(scale);
                }
                low = nextLow.lanewise(OP, low);
                high = nextHigh.lanewise(OP, high);
            }
            low.intoMemorySegment(ALL, dst + at, ORDER);
            high.intoMemorySegment(ALL, dst + at + BYTES, ORDER);
        }
        TAIL.fold(dst, srcs, n, rawMask, operand, end, to);
    }

    @Override
    void fold2(final long dst, final long a, final long b, final int rawMask, final long operand, final long from,
            final long to) {
        final long leftFactor = (rawMask & 1) == 0 ? 1 : operand;
        final long rightFactor = (rawMask & 2) == 0 ? 1 : operand;
        final long end = to - (to - from) % LANES;
        for (long i = from; i < end; i += LANES) {
            final long at = i * Long.BYTES;
            LongVector left = LongVector.fromMemorySegment(SPECIES, ALL, a + at, ORDER);
            LongVector right = LongVector.fromMemorySegment(SPECIES, ALL, b + at, ORDER);
            if (KIND == Kind.PREMULSUM) {
                left = left.mul(leftFactor);
                right = right.mul(rightFactor);
            }
            left.lanewise(OP, right).intoMemorySegment(ALL, dst + at, ORDER);
        }
        TAIL.fold2(dst, a, b, rawMask, operand, end, to);
    }
}
