package org.chagres.collectives.reduce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.chagres.collectives.DataType;
import org.chagres.collectives.ReduceOp;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class ReductionTest {
    private static final int WORLD = 7;
    private static final int[] COUNTS = {0, 1, 2, 7, 15, 16, 31, 33, 64, 65, 100, 257 };

    static List<ReduceOp> ops() {
        return List.of(ReduceOp.SUM, ReduceOp.PROD, ReduceOp.MIN, ReduceOp.MAX, ReduceOp.AVG, ReduceOp.preMulSum(3));
    }

    static Stream<Arguments> typesAndOps() {
        return Stream.of(DataType.values()).flatMap(type -> ops().stream().map(op -> Arguments.of(type, op)));
    }

    @ParameterizedTest
    @MethodSource("typesAndOps")
    void anySourcesCountsMasksAndAddresses(final DataType type, final ReduceOp op) {
        final Random random = new Random(type.code() * 100L + op.kind().code());
        for (int n = 1; n <= 9; n++) {
            for (final int count : COUNTS) {
                checkBoth(type, op, n, count, random);
            }
        }
        checkBoth(type, op, Reduction.MAX_SOURCES, 70, random);
    }

    private static void checkBoth(final DataType type, final ReduceOp op, final int n, final int count,
            final Random random) {
        final long seed = random.nextLong();
        check(Reduction.of(type, op), type, op, n, count, new Random(seed));
        check(Reduction.scalar(type, op), type, op, n, count, new Random(seed));
    }

    private static void check(final Reduction reduction, final DataType type, final ReduceOp op, final int n,
            final int count, final Random random) {
        try (Arena arena = Arena.ofConfined()) {
            final long[][] inputs = new long[count][n];
            final long[] addresses = new long[n];
            final List<Native> sources = new ArrayList<>();
            for (int j = 0; j < n; j++) {
                final Native source = Native.allocate(arena, type, count, random.nextInt(64));
                for (int i = 0; i < count; i++) {
                    inputs[i][j] = Values.pick(type, random);
                    source.set(i, inputs[i][j]);
                }
                sources.add(source);
                addresses[j] = source.address();
            }
            // The destination is one of the sources half of the time; around it nothing may change.
            final int aliased = random.nextInt(2 * n);
            final Native guarded = Native.allocate(arena, type, count + 2L, random.nextInt(64));
            guarded.set(0, 0x5a);
            guarded.set(count + 1L, 0x5a);
            final Native dst = aliased < n
                    ? sources.get(aliased)
                    : new Native(type, guarded.segment().asSlice(type.size(), (long) count * type.size()));
            final int rawMask = random.nextInt();
            final boolean finish = random.nextBoolean();
            reduction.reduce(dst.address(), addresses, n, rawMask, finish, WORLD, count);
            for (int i = 0; i < count; i++) {
                assertBits(type, Oracle.reduce(type, op, inputs[i], rawMask, finish, WORLD), dst.get(i),
                        () -> op + " of " + n + ", count " + count);
            }
            assertEquals(0x5a, guarded.get(0));
            assertEquals(0x5a, guarded.get(count + 1L));
        }
    }

    private static void assertBits(final DataType type, final long expected, final long actual,
            final Supplier<String> what) {
        final long mask = -1L >>> (Long.SIZE - Byte.SIZE * type.size());
        if ((expected & mask) != (actual & mask)) {
            assertEquals(Long.toHexString(expected & mask), Long.toHexString(actual & mask), type + " " + what.get());
        }
    }

    /** Every pair of 8-bit values; of 16-bit values all with each of some. */
    @ParameterizedTest
    @EnumSource(value = DataType.class, names = {"INT8", "UINT8", "FLOAT8_E4M3", "FLOAT8_E5M2", "FLOAT16", "BFLOAT16" })
    void allValuesOfNarrowTypes(final DataType type) {
        final int values = 1 << (Byte.SIZE * type.size());
        final int partners = type.size() == 1 ? values : 6;
        final Random random = new Random(type.code());
        try (Arena arena = Arena.ofConfined()) {
            final Native a = Native.allocate(arena, type, values, 0);
            final Native b = Native.allocate(arena, type, values, 2);
            final Native dst = Native.allocate(arena, type, values, 4);
            for (int i = 0; i < values; i++) {
                a.set(i, i);
            }
            for (int p = 0; p < partners; p++) {
                final long partner = type.size() == 1 ? p : Values.pick(type, random);
                for (int i = 0; i < values; i++) {
                    b.set(i, partner);
                }
                for (final ReduceOp op : ops()) {
                    final long[] expected = new long[values];
                    for (int i = 0; i < values; i++) {
                        expected[i] = Oracle.reduce(type, op, new long[]{i, partner }, 1, true, WORLD);
                    }
                    for (final Reduction reduction : List.of(Reduction.of(type, op), Reduction.scalar(type, op))) {
                        reduction.reduce2(dst.address(), a.address(), b.address(), 1, true, WORLD, values);
                        for (int i = 0; i < values; i++) {
                            assertBits(type, expected[i], dst.get(i), () -> op + " with " + partner);
                        }
                    }
                }
            }
        }
    }

    /** Quotients whose float32 lies next to the middle between two values: the world size matters there. */
    @ParameterizedTest
    @EnumSource(value = DataType.class, names = {"FLOAT8_E4M3", "FLOAT8_E5M2", "FLOAT16", "BFLOAT16" })
    void averagesOfAnyWorldSize(final DataType type) {
        final Random random = new Random(5);
        final int count = 512;
        try (Arena arena = Arena.ofConfined()) {
            final Native a = Native.allocate(arena, type, count, 0);
            final Native b = Native.allocate(arena, type, count, 0);
            final Native dst = Native.allocate(arena, type, count, 0);
            for (final int world : new int[]{1, 2, 3, 5, 6, 12, 48, 100, 1000, 4095, 8191, 8192, 8193, 1 << 22 }) {
                for (int i = 0; i < count; i++) {
                    a.set(i, i % 2 == 0 ? Values.pick(type, random) : i);
                    b.set(i, i % 2 == 0
                            ? Values.pick(type, random)
                            : random.nextInt(1 << (Byte.SIZE * type.size() - 1)));
                }
                Reduction.of(type, ReduceOp.AVG)
                        .reduce2(dst.address(), a.address(), b.address(), 3, true, world,
                                count);
                for (int i = 0; i < count; i++) {
                    final long[] inputs = {a.get(i), b.get(i) };
                    assertBits(type, Oracle.reduce(type, ReduceOp.AVG, inputs, 3, true, world), dst.get(i),
                            () -> "world " + world);
                }
            }
        }
    }

    @Test
    void scalarsThatTheTypeCannotHoldAreRefused() {
        final Object[][] bad = {{DataType.INT32, 0.5 }, {DataType.INT8, 128.0 }, {DataType.UINT8, -1.0 },
                {DataType.UINT64, 0x1p64 }, {DataType.INT64, 0x1p63 }, {DataType.INT32, Double.NaN },
                {DataType.UINT32, Double.POSITIVE_INFINITY }, {DataType.FLOAT32, 1e300 },
                {DataType.FLOAT16, -1e300 } };
        for (final Object[] pair : bad) {
            final DataType type = (DataType) pair[0];
            final ReduceOp op = ReduceOp.preMulSum((double) pair[1]);
            final String message = assertThrows(IllegalArgumentException.class, () -> Reduction.of(type, op))
                    .getMessage();
            assertTrue(message.contains(String.valueOf(pair[1])) && message.contains(type.label()), message);
            assertThrows(IllegalArgumentException.class, () -> Reduction.scalar(type, op));
        }
    }

    @ParameterizedTest
    @EnumSource(DataType.class)
    void extremeScalars(final DataType type) {
        final List<Double> scalars = switch (type) {
            case INT8 -> List.of(-128.0, 127.0);
            case UINT8 -> List.of(0.0, 255.0);
            case INT32 -> List.of((double) Integer.MIN_VALUE, (double) Integer.MAX_VALUE);
            case UINT32 -> List.of(0x1p32 - 1);
            case INT64 -> List.of(-0x1p63, 0x1p63 - 1024);
            case UINT64 -> List.of(0x1p63, 0x1p64 - 2048);
            case FLOAT64 -> List.of(0.1, Double.MAX_VALUE, Double.NaN, Double.NEGATIVE_INFINITY);
            default -> List.of(0.1, -1 / 3.0, 0x1p-20, 0x1p100, Double.NaN, Double.POSITIVE_INFINITY);
        };
        final Random random = new Random(3);
        for (final double scalar : scalars) {
            checkBoth(type, ReduceOp.preMulSum(scalar), 2, 333, random);
            checkBoth(type, ReduceOp.preMulSum(scalar), 3, 333, random);
        }
    }

    @Test
    void sourcesBeyondTheMaskAreRefused() {
        for (final int n : new int[]{-1, 0, Reduction.MAX_SOURCES + 1 }) {
            final String message = assertThrows(IllegalArgumentException.class,
                    () -> Reduction.of(DataType.INT8, ReduceOp.SUM).reduce(0, new long[40], n, 0, false, 1, 0))
                    .getMessage();
            assertTrue(message.contains(" " + n + " ") && message.contains("32"), message);
        }
    }

    @Test
    void reductionsAreShared() {
        assertSame(Reduction.of(DataType.FLOAT32, ReduceOp.SUM), Reduction.of(DataType.FLOAT32, ReduceOp.SUM));
    }
}
