package org.chagres.bench.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.chagres.collectives.DataType;
import org.chagres.collectives.ReduceOp;
import org.chagres.collectives.plan.Collective;
import org.chagres.collectives.plan.Shape;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class CaseTest {
    private static Case of(final Collective collective, final int ranks, final long size) {
        return Case.of(collective, DataType.FLOAT32, ReduceOp.SUM, 0, ranks, size);
    }

    /** 4000 bytes among 4 ranks in 1 µs; the factors are those of nccl-tests' PERFORMANCE page. */
    @ParameterizedTest
    @CsvSource({"ALL_REDUCE, 4, 6", "BROADCAST, 4, 4", "REDUCE, 4, 4", "ALL_GATHER, 4, 3", "REDUCE_SCATTER, 4, 3",
            "ALL_TO_ALL, 4, 3", "GATHER, 4, 3", "SCATTER, 4, 3", "SEND_RECV, 4, 4" })
    void bandwidthsAreThoseOfNcclTests(final Collective collective, final double algorithm, final double bus) {
        final Case row = of(collective, 4, 4000);
        assertEquals(algorithm, row.algorithmBandwidth(1e-6), 1e-9);
        assertEquals(bus, row.busBandwidth(1e-6), 1e-9);
    }

    @ParameterizedTest
    @EnumSource(Collective.class)
    void noTimeAndNoBytesHaveNoBandwidth(final Collective collective) {
        assertEquals(0, of(collective, 3, 4000).busBandwidth(0));
        assertEquals(0, of(collective, 3, 4000).algorithmBandwidth(-1e-9));
        assertEquals(0, of(collective, 3, 0).busBandwidth(1e-6));
    }

    /** The planner's own view of a shape is the judge, wherever it says that a rank sends or receives. */
    @ParameterizedTest
    @EnumSource(value = Collective.class, mode = EnumSource.Mode.EXCLUDE, names = {"SEND_RECV", "BARRIER" })
    void buffersHoldWhatTheCollectiveMoves(final Collective collective) {
        for (int ranks = 1; ranks <= 5; ranks++) {
            final Case row = Case.of(collective, DataType.FLOAT32, ReduceOp.SUM, ranks - 1, ranks, 1000);
            final Shape shape = new Shape(collective, ranks, row.root(), row.count(), Float.BYTES);
            for (int rank = 0; rank < ranks; rank++) {
                assertEquals(shape.sendCount(rank), row.sends(rank) ? row.sendCount() : 0);
                assertEquals(shape.recvCount(rank), row.receives(rank) ? row.recvCount() : 0);
                assertTrue(row.sendInPlaceOffset(rank) + row.sendCount() <= row.total());
                assertTrue(row.recvInPlaceOffset(rank) + row.recvCount() <= row.total());
                if (row.hasInPlace()) {
                    assertEquals(shape.inPlaceOffset(rank), row.sendInPlaceOffset(rank) - row.recvInPlaceOffset(rank));
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Collective.class)
    void theTensorNeverExceedsTheSizeAskedFor(final Collective collective) {
        for (int ranks = 1; ranks <= 17; ranks++) {
            for (final long size : new long[]{0, 1, 8, 1023, 4096 }) {
                assertTrue(of(collective, ranks, size).bytes() <= size);
            }
        }
    }
}
