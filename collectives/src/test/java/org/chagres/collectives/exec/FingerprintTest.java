package org.chagres.collectives.exec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.chagres.collectives.DataType;
import org.chagres.collectives.ReduceOp;
import org.chagres.collectives.plan.Collective;
import org.chagres.collectives.plan.Shape;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 30, unit = TimeUnit.SECONDS)
class FingerprintTest {
    private static final List<String> ALGORITHMS = List.of("first", "second", "third");
    private static final List<ReduceOp> OPS = List.of(ReduceOp.SUM, ReduceOp.PROD, ReduceOp.MIN, ReduceOp.MAX,
            ReduceOp.AVG, ReduceOp.preMulSum(1), ReduceOp.preMulSum(2), ReduceOp.preMulSum(-0.5));

    @Test
    void differentOperationsHaveDifferentFingerprintsAndNoneIsZero() {
        final Map<Long, String> seen = new HashMap<>(Map.of(0L, "nothing"));
        for (final Collective collective : Collective.values()) {
            for (final DataType type : DataType.values()) {
                for (final long count : new long[]{0, 1, 2, 1000, (1L << 32) - 1, (1L << 32) + 5, 1L << 40 }) {
                    for (int root = 0; root < (collective.rooted() ? 3 : 1); root++) {
                        for (int algorithm = 0; algorithm < 3; algorithm++) {
                            final Shape shape = new Shape(collective, 4096, root, count, type.size());
                            for (final ReduceOp op : collective.reduces()
                                    ? OPS
                                    : java.util.Arrays.asList((ReduceOp) null)) {
                                final String what = shape + " " + type + " " + op + " " + algorithm;
                                final String other = seen.put(Fingerprint.of(shape, type, op, algorithm), what);
                                assertEquals(null, other, what);
                            }
                        }
                    }
                }
            }
        }
    }

    @Test
    void aPersonCanReadIt() {
        final long sum = Fingerprint.of(new Shape(Collective.ALL_REDUCE, 8, 0, 1024, 4), DataType.FLOAT32,
                ReduceOp.SUM, 1);
        assertEquals("all_reduce of 1024 float, sum, by second", Fingerprint.describe(sum, ALGORITHMS));
        final long gather = Fingerprint.of(new Shape(Collective.GATHER, 4096, 4095, (1L << 32) - 1, 8),
                DataType.UINT64, null, 2);
        assertEquals("gather of 4294967295 uint64, root 4095, by third", Fingerprint.describe(gather, ALGORITHMS));
        assertEquals("gather of 4294967295 uint64, root 4095, by third",
                Fingerprint.describe(Fingerprint.after(-1, gather), ALGORITHMS));
    }

    @Test
    void anyBitsHaveADescription() {
        final java.util.Random random = new java.util.Random(4);
        for (int i = 0; i < 10_000; i++) {
            assertFalse(Fingerprint.describe(random.nextLong(), ALGORITHMS).isEmpty());
        }
        assertFalse(Fingerprint.describe(0, List.of()).isEmpty());
        assertFalse(Fingerprint.describe(-1, List.of()).isEmpty());
    }

    @Test
    void aDifferenceInThePastStaysVisible() {
        final long one = Fingerprint.of(new Shape(Collective.BROADCAST, 2, 0, 10, 4), DataType.INT32, null, 0);
        final long two = Fingerprint.of(new Shape(Collective.BROADCAST, 2, 1, 10, 4), DataType.INT32, null, 0);
        final long same = Fingerprint.of(new Shape(Collective.BARRIER, 2, 0, 0, 1), DataType.UINT8, null, 0);
        long left = Fingerprint.next(0, one);
        long right = Fingerprint.next(0, two);
        int hidden = 0;
        for (int i = 0; i < 1000; i++) {
            assertNotEquals(left, right);
            assertTrue(Fingerprint.sameOperation(Fingerprint.after(left, same), Fingerprint.after(right, same)));
            hidden += Fingerprint.after(left, same) == Fingerprint.after(right, same) ? 1 : 0;
            left = Fingerprint.next(left, same);
            right = Fingerprint.next(right, same);
        }
        assertTrue(hidden < 100, hidden + " of 1000 looks did not show it");
        assertFalse(Fingerprint.sameOperation(one, two));
    }
}
