package org.chagres.bench.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.chagres.bench.UsageException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ComparisonTest {
    @Test
    void theMedianIgnoresAnOutlier() {
        final Samples samples = new Samples();
        for (final double time : new double[]{3, 1, 1000, 2, 4 }) {
            samples.add(Way.FRESH, 8, time);
        }
        assertEquals(OptionalDouble.of(3), samples.median(Way.FRESH, 8));
        assertEquals(OptionalDouble.empty(), samples.median(Way.FRESH, 16));
        assertEquals(OptionalDouble.empty(), samples.median(Way.NCCL, 8));
        assertEquals(2.5, Samples.median(List.of(4.0, 1.0, 2.0, 3.0)));
    }

    @ParameterizedTest
    @CsvSource({"NCCL, 2, 8, 0.6", "NCCL, 2, 256, 0.6", "NCCL, 2, 512, 0.4", "NCCL, 2, 67108864, 0.4",
            "FRESH, 2, 4096, 0.6", "FRESH, 2, 16384, 0.35", "FRESH, 2, 67108864, 0.35", "NCCL, 4, 8, 1",
            "FRESH, 4, 1048576, 1" })
    void targetsAreTheIssues(final Way way, final int ranks, final long bytes, final double limit) {
        assertEquals(OptionalDouble.of(limit), Target.ofBestPeer(Transport.SHM, way, ranks, bytes));
    }

    @ParameterizedTest
    @EnumSource
    void overTcpTheTargetIsOneAtAllSizes(final Way way) {
        for (long bytes = 8; bytes <= 64 << 20; bytes *= 2) {
            assertEquals(OptionalDouble.of(0.75), Target.ofBestPeer(Transport.TCP, way, 2, bytes));
        }
        assertEquals(OptionalDouble.of(1), Target.ofBestPeer(Transport.TCP, way, 3, 8));
    }

    @Test
    void chagresIsToldToUseTcpOnlyThere() {
        assertEquals(Map.of(), Transport.SHM.environment());
        assertEquals(Map.of("CHAGRES_TRANSPORT", "tcp"), Transport.TCP.environment());
    }

    @Test
    void glooRunsEachAlgorithmByThreadAndWhereItCanPolling() {
        assertEquals(List.of("gloo", "2", "ring_chunked", "thread"), GlooWay.RING_CHUNKED.command("gloo", 2));
        assertEquals(List.of("gloo", "3", "halving_doubling", "busy"),
                GlooWay.HALVING_DOUBLING_BUSY.command("gloo", 3));
        assertEquals("Gloo halving doubling, polling", GlooWay.HALVING_DOUBLING_BUSY.title());
    }

    @Test
    void aLibraryThatDidNotRunHasNoColumn() {
        final Map<String, OptionalDouble> libraries = new LinkedHashMap<>();
        libraries.put("Open MPI", OptionalDouble.of(16));
        libraries.put("Gloo", OptionalDouble.of(40));
        final OptionalDouble chagres = OptionalDouble.of(14);
        assertEquals(
                List.of(List.of("size", "best peer", "Open MPI µs", "Gloo µs", "Chagres µs", "ratio", "target"),
                        List.of("8 B", "Open MPI", "16.0", "40.0", "14.0", "0.88 (over)", "0.75")),
                ComparisonTable.byLibrary(List.of(new ComparisonRow(8, "Open MPI", OptionalDouble.of(16), libraries,
                        chagres, OptionalDouble.of(0.75), OptionalDouble.empty()))));
        assertEquals(
                List.of(List.of("size", "best peer", "Chagres µs", "ratio", "target"),
                        List.of("8 B", "-", "14.0", "-", "0.75")),
                ComparisonTable.byLibrary(List.of(new ComparisonRow(8, null, OptionalDouble.empty(), Map.of(), chagres,
                        OptionalDouble.of(0.75), OptionalDouble.empty()))));
    }

    @Test
    void aRowKnowsWhetherItMissesItsTarget() {
        assertTrue(row(2, 1).misses());
        assertFalse(row(2, 4).misses());
        assertEquals(0.5, row(2, 4).ratio().getAsDouble());
        final ComparisonRow alone = new ComparisonRow(8, null, OptionalDouble.empty(), Map.of(), OptionalDouble.of(2),
                OptionalDouble.of(0.6), OptionalDouble.empty());
        assertFalse(alone.misses());
        assertEquals(OptionalDouble.empty(), alone.ratio());
    }

    private static ComparisonRow row(final double chagres, final double peer) {
        return new ComparisonRow(8, "MPICH", OptionalDouble.of(peer), Map.of(), OptionalDouble.of(chagres),
                OptionalDouble.of(0.6), OptionalDouble.of(1));
    }

    @Test
    void sizesAndNumbersReadWell() {
        assertEquals("8 B", ComparisonTable.size(8));
        assertEquals("1 KiB", ComparisonTable.size(1024));
        assertEquals("1536 B", ComparisonTable.size(1536));
        assertEquals("64 MiB", ComparisonTable.size(64 << 20));
        assertEquals("0.25", ComparisonTable.number(OptionalDouble.of(0.249)));
        assertEquals("47.5", ComparisonTable.number(OptionalDouble.of(47.46)));
        assertEquals("3200", ComparisonTable.number(OptionalDouble.of(3200.4)));
        assertEquals("-", ComparisonTable.number(OptionalDouble.empty()));
    }

    @ParameterizedTest
    @CsvSource({"7, 64, 2", "0, 64, 2", "64, 8, 2", "8, 64, 1" })
    void refusesSweepsThatThePeersCannotRun(final long first, final long last, final int factor) {
        assertThrows(UsageException.class, () -> new Sweep(first, last, factor));
    }
}
