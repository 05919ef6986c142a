package org.chagres.bench.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.stream.Stream;
import org.chagres.collectives.DataType;
import org.chagres.collectives.ReduceOp;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class TestDataTest {
    private static final int MOST_RANKS = 17;

    static Stream<Arguments> typesAndOps() {
        return Stream.of(DataType.values())
                .flatMap(type -> Stream.of(ReduceOp.SUM, ReduceOp.PROD, ReduceOp.MIN, ReduceOp.MAX, ReduceOp.AVG,
                        ReduceOp.preMulSum(TestData.SCALAR)).map(op -> Arguments.of(type, op)));
    }

    /** Runs of ranks in either direction, as rings, trees and halvings combine them: every partial result is exact in the type. */
    @ParameterizedTest
    @MethodSource("typesAndOps")
    void everyPartialResultIsExact(final DataType type, final ReduceOp op) {
        for (int ranks = 1; ranks <= MOST_RANKS; ranks++) {
            final TestData data = new TestData(type, op, ranks, ranks);
            for (int i = 0; i < 40; i++) {
                for (int first = 0; first < ranks; first++) {
                    partialResultsAreExact(type, op, data, ranks, first, i);
                }
            }
        }
    }

    private static void partialResultsAreExact(final DataType type, final ReduceOp op, final TestData data,
            final int ranks, final int first, final int i) {
        double partial = Double.NaN;
        for (int k = 0; k < ranks; k++) {
            final double value = scaled(op, data.value((first + k) % ranks, i));
            partial = k == 0 ? value : switch (op.kind()) {
                case SUM, AVG, PREMULSUM -> partial + value;
                case PROD -> partial * value;
                case MIN -> Math.min(partial, value);
                case MAX -> Math.max(partial, value);
            };
            assertEquals(partial, decoded(type, partial), type + " " + op + " of " + (k + 1) + " of " + ranks);
        }
    }

    private static double scaled(final ReduceOp op, final double value) {
        return op.kind() == ReduceOp.Kind.PREMULSUM ? value * TestData.SCALAR : value;
    }

    /** Stores and loads a value; integers keep only what fits. */
    private static double decoded(final DataType type, final double value) {
        final MemorySegment element = MemorySegment.ofArray(new byte[8]);
        Encoding.store(element, 0, type, value);
        return switch (type) {
            case INT8 -> element.get(ValueLayout.JAVA_BYTE, 0);
            case UINT8 -> element.get(ValueLayout.JAVA_BYTE, 0) & 0xff;
            case INT32 -> element.get(ValueLayout.JAVA_INT_UNALIGNED, 0);
            case UINT32 -> Integer.toUnsignedLong(element.get(ValueLayout.JAVA_INT_UNALIGNED, 0));
            case INT64, UINT64 -> element.get(ValueLayout.JAVA_LONG_UNALIGNED, 0);
            case FLOAT16 -> Float.float16ToFloat(element.get(ValueLayout.JAVA_SHORT_UNALIGNED, 0));
            case BFLOAT16 -> Float.intBitsToFloat(element.get(ValueLayout.JAVA_SHORT_UNALIGNED, 0) << 16);
            case FLOAT32 -> element.get(ValueLayout.JAVA_FLOAT_UNALIGNED, 0);
            case FLOAT64 -> element.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, 0);
            case FLOAT8_E4M3 -> minifloat(element.get(ValueLayout.JAVA_BYTE, 0), 4, 3);
            case FLOAT8_E5M2 -> minifloat(element.get(ValueLayout.JAVA_BYTE, 0), 5, 2);
        };
    }

    /** Normal numbers and zero; anything else (the data must not reach it) decodes to NaN. */
    private static double minifloat(final byte bits, final int exponentBits, final int fractionBits) {
        final int magnitude = bits & 0x7f;
        final int exponent = magnitude >> fractionBits;
        if (exponent == 0) {
            return magnitude == 0 ? 0 : Double.NaN;
        }
        final boolean special = exponentBits == 5 ? exponent == 31 : magnitude == 0x7f;
        final double fraction = 1 + (magnitude & ((1 << fractionBits) - 1)) / (double) (1 << fractionBits);
        return special
                ? Double.NaN
                : Math.scalb(fraction, exponent - (1 << (exponentBits - 1)) + 1) * (bits < 0 ? -1 : 1);
    }

    /** Each rank counts: without it, or with it twice, the result is another one somewhere in a period. */
    @ParameterizedTest
    @MethodSource("typesAndOps")
    void everyRankShowsInTheResult(final DataType type, final ReduceOp op) {
        if (op.equals(ReduceOp.MIN) || op.equals(ReduceOp.MAX) || op.equals(ReduceOp.AVG)) {
            return;
        }
        for (final int ranks : new int[]{2, 3, MOST_RANKS }) {
            final TestData data = new TestData(type, op, ranks, 1);
            final double neutral = op.equals(ReduceOp.PROD) ? 1 : 0;
            for (int rank = 0; rank < ranks; rank++) {
                int shows = 0;
                for (int i = 0; i < Pattern.PERIOD; i++) {
                    shows += data.value(rank, i) == neutral ? 0 : 1;
                }
                assertNotEquals(0, shows, type + " " + op + " rank " + rank + " of " + ranks);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(DataType.class)
    void anotherSeedHasOtherData(final DataType type) {
        final MemorySegment segment = MemorySegment.ofArray(new byte[100 * type.size()]);
        new TestData(type, ReduceOp.SUM, 2, 1).moved(0).fill(segment, 0, 100);
        assertEquals(0, new TestData(type, ReduceOp.SUM, 2, 1).moved(0).wrong(segment, 0, 100));
        assertNotEquals(0, new TestData(type, ReduceOp.SUM, 2, 2).moved(0).wrong(segment, 0, 100));
        assertNotEquals(0, new TestData(type, ReduceOp.SUM, 2, 1).moved(1).wrong(segment, 0, 100));
    }

    /** Against the JDK's own conversion, over all numbers that a half can hold and the middles between them. */
    @Test
    void halfEncodingRoundsToNearestEven() {
        for (int bits = 0x0400; bits < 0x7bff; bits++) {
            final float here = Float.float16ToFloat((short) bits);
            final float next = Float.float16ToFloat((short) (bits + 1));
            for (final float value : new float[]{here, (here + next) / 2, here * 0.7f + next * 0.3f }) {
                assertEquals(Float.floatToFloat16(value), (short) Encoding.small(value, 5, 10));
                assertEquals(Float.floatToFloat16(-value), (short) Encoding.small(-value, 5, 10));
            }
        }
    }
}
