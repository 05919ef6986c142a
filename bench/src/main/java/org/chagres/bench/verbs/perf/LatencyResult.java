package org.chagres.bench.verbs.perf;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Latencies in microseconds, as perftest reports them; unlike there, the largest two count too.
 *
 * @param typical the median
 * @param percentile99 99 of 100 operations took no longer
 * @param percentile999 999 of 1000 operations took no longer
 */
record LatencyResult(int bytes, int iterations, double min, double max, double typical, double average,
        double deviation,
        double percentile99, double percentile999) implements PerfResult {
    static final String HEADER = " #bytes   #iterations  t_min[usec]  t_max[usec]  t_typical[usec]  t_avg[usec]"
            + "  t_stdev[usec]  99% percentile[usec]  99.9% percentile[usec]";

    private static final double NANOS = 1e3;

    /**
     * From the moments in nanoseconds at which the first {@code count} operations were posted: each lasts until the next, and the last has no end.
     *
     * @param ways what the time between two operations is divided by
     */
    static LatencyResult of(final int bytes, final long[] posted, final int count, final int ways) {
        final double[] micros = new double[count - 1];
        for (int i = 0; i < micros.length; i++) {
            micros[i] = (posted[i + 1] - posted[i]) / (NANOS * ways);
        }
        Arrays.sort(micros);
        final double average = Arrays.stream(micros).average().orElse(0);
        final double variance = Arrays.stream(micros).map(t -> (t - average) * (t - average)).average().orElse(0);
        return new LatencyResult(bytes, count, micros[0], micros[micros.length - 1], median(micros), average,
                Math.sqrt(variance), percentile(micros, 0.99), percentile(micros, 0.999));
    }

    private static double median(final double[] sorted) {
        final int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    private static double percentile(final double[] sorted, final double share) {
        return sorted[(int) Math.ceil(share * sorted.length) - 1];
    }

    @Override
    public String line() {
        return String.format(Locale.ROOT,
                " %-7d  %-11d  %-11.2f  %-11.2f  %-15.2f  %-11.2f  %-13.2f  %-20.2f  %-22.2f", bytes, iterations, min,
                max, typical, average, deviation, percentile99, percentile999).stripTrailing();
    }

    @Override
    public Map<String, Object> json() {
        final Map<String, Object> json = new LinkedHashMap<>();
        json.put("bytes", bytes);
        json.put("iterations", iterations);
        json.put("t_min_us", min);
        json.put("t_max_us", max);
        json.put("t_typical_us", typical);
        json.put("t_avg_us", average);
        json.put("t_stdev_us", deviation);
        json.put("p99_us", percentile99);
        json.put("p99_9_us", percentile999);
        return json;
    }
}
