package org.chagres.bench.verbs.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ResultTest {
    private static final double EXACT = 1e-9;

    @Test
    void latencyIsWhatPerftestCallsIt() {
        // Exchanges of 2, 4, 6, ... 2000 us: one way 1, 2, ... 1000 us.
        final long[] posted = new long[1001 + 5];
        for (int i = 1; i <= 1000; i++) {
            posted[i] = posted[i - 1] + 2000L * i;
        }
        final LatencyResult result = LatencyResult.of(64, posted, 1001, 2);
        assertEquals(1, result.min(), EXACT);
        assertEquals(1000, result.max(), EXACT);
        assertEquals(500.5, result.typical(), EXACT);
        assertEquals(500.5, result.average(), EXACT);
        assertEquals(990, result.percentile99(), EXACT);
        assertEquals(999, result.percentile999(), EXACT);
        assertEquals(Math.sqrt((1000.0 * 1000 - 1) / 12), result.deviation(), 1e-6);
        assertEquals(1001, result.iterations());
    }

    @Test
    void latencyDoesNotDependOnTheOrder() {
        final Random random = new Random(3);
        for (int round = 0; round < 100; round++) {
            final int[] gaps = random.ints(5 + random.nextInt(50), 1, 100_000).toArray();
            final LatencyResult drawn = LatencyResult.of(2, moments(gaps), gaps.length + 1, 1);
            Arrays.sort(gaps);
            final LatencyResult sorted = LatencyResult.of(2, moments(gaps), gaps.length + 1, 1);
            assertEquals(sorted.line(), drawn.line());
            assertTrue(drawn.min() <= drawn.typical() && drawn.typical() <= drawn.percentile99()
                    && drawn.percentile99() <= drawn.percentile999() && drawn.percentile999() <= drawn.max(),
                    drawn.line());
        }
    }

    private static long[] moments(final int[] gaps) {
        final long[] moments = new long[gaps.length + 1];
        for (int i = 0; i < gaps.length; i++) {
            moments[i + 1] = moments[i] + gaps[i];
        }
        return moments;
    }

    @Test
    void bandwidthCountsFromTheFirstPostToTheLastCompletion() {
        // Ten messages of 1 MiB, each posted every 10 ms and completed 10 ms later.
        final long[] posted = new long[10];
        final long[] completed = new long[10];
        for (int i = 0; i < 10; i++) {
            posted[i] = i * 10_000_000L;
            completed[i] = posted[i] + 10_000_000L;
        }
        final BandwidthResult even = BandwidthResult.of(1 << 20, posted, completed, 10);
        assertEquals(100, even.average(), EXACT);
        assertEquals(100, even.peak(), EXACT);
        assertEquals(100e-6, even.messageRate(), EXACT);
        // The last half takes twice as long: the first is the peak.
        for (int i = 5; i < 10; i++) {
            posted[i] = posted[i - 1] + (i > 5 ? 20_000_000L : 10_000_000L);
            completed[i] = posted[i] + 20_000_000L;
        }
        final BandwidthResult uneven = BandwidthResult.of(1 << 20, posted, completed, 10);
        assertEquals(10 / 0.15, uneven.average(), EXACT);
        assertEquals(100, uneven.peak(), EXACT);
    }

    @Test
    void momentsThatNobodyLookedAtAreNoPeak() {
        final long[] posted = {100, 100, 100, 100 };
        final long[] completed = {0, 1_000_000_100L, 0, 2_000_000_100L };
        final BandwidthResult result = BandwidthResult.of(1 << 20, posted, completed, 4);
        assertEquals(2, result.average(), EXACT);
        assertEquals(2, result.peak(), EXACT);
    }

    @Test
    void valuesStandBelowTheirNames() {
        final String line = new LatencyResult(65536, 1000, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5).line();
        assertEquals(LatencyResult.HEADER.indexOf("t_typical"), line.indexOf("3.50"));
        assertEquals(LatencyResult.HEADER.indexOf("99.9%"), line.indexOf("7.50"));
        final String bandwidth = new BandwidthResult(65536, 5000, 1.5, 2.5, 3.5).line();
        assertEquals(BandwidthResult.HEADER.indexOf("BW peak"), bandwidth.indexOf("1.50"));
        assertEquals(BandwidthResult.HEADER.indexOf("BW average"), bandwidth.indexOf("2.50"));
        assertEquals(BandwidthResult.HEADER.indexOf("MsgRate"), bandwidth.indexOf("3.500000"));
    }
}
