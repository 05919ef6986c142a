package org.chagres.bench.compare;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** One contender's times, in microseconds, of all rounds. Not thread-safe. */
final class Samples {
    private final Map<Way, TreeMap<Long, List<Double>>> times = new EnumMap<>(Way.class);

    void add(final Way way, final long bytes, final double micros) {
        times.computeIfAbsent(way, w -> new TreeMap<>()).computeIfAbsent(bytes, b -> new ArrayList<>()).add(micros);
    }

    /** The median over the rounds; of an even number, the mean of the two in the middle. */
    OptionalDouble median(final Way way, final long bytes) {
        final List<Double> all = times.getOrDefault(way, new TreeMap<>()).getOrDefault(bytes, List.of());
        return all.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(median(all));
    }

    static double median(final List<Double> values) {
        final List<Double> sorted = values.stream().sorted().toList();
        final int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }
}
