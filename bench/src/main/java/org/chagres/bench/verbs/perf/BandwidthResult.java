package org.chagres.bench.verbs.perf;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Bandwidth as perftest reports it.
 *
 * @param iterations operations of all queue pairs
 * @param peak of the best stretch of operations, in 2^20 bytes a second; 0 if there were too many to look
 * @param average in 2^20 bytes a second
 * @param messageRate in 10^6 operations a second
 */
record BandwidthResult(int bytes, int iterations, double peak, double average,
        double messageRate) implements PerfResult {
    static final String HEADER = " #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]";

    private static final int MOST_FOR_PEAK = 20_000;
    private static final double NANOS = 1e9;
    private static final double MEBI = 1 << 20;

    /**
     * From the moments in nanoseconds at which operation i was posted, and at which the first i + 1 were seen to have completed, which is 0 where nobody
     * looked.
     */
    static BandwidthResult of(final int bytes, final long[] posted, final long[] completed, final int count) {
        final double seconds = (completed[count - 1] - posted[0]) / NANOS;
        final double rate = count / seconds;
        return new BandwidthResult(bytes, count, peak(posted, completed, count) * bytes / MEBI, rate * bytes / MEBI,
                rate / 1e6);
    }

    /** Operations a second in the best stretch, from the moment its first was posted to that at which its last had completed. */
    private static double peak(final long[] posted, final long[] completed, final int count) {
        double least = Double.POSITIVE_INFINITY;
        for (int last = 0; last < count && count <= MOST_FOR_PEAK; last++) {
            for (int first = 0; first <= last && completed[last] != 0; first++) {
                least = Math.min(least, (double) (completed[last] - posted[first]) / (last - first + 1));
            }
        }
        return least > 0 ? NANOS / least : 0;
    }

    @Override
    public String line() {
        return String.format(Locale.ROOT, " %-9d  %-13d  %-17.2f  %-19.2f  %-13.6f", bytes, iterations, peak, average,
                messageRate).stripTrailing();
    }

    @Override
    public Map<String, Object> json() {
        final Map<String, Object> json = new LinkedHashMap<>();
        json.put("bytes", bytes);
        json.put("iterations", iterations);
        json.put("bw_peak_mib_s", peak);
        json.put("bw_average_mib_s", average);
        json.put("msg_rate_mpps", messageRate);
        return json;
    }
}
