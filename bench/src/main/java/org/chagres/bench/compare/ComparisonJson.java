package org.chagres.bench.compare;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;
import org.chagres.bench.Machine;
import org.chagres.bench.UsageException;

/**
 * Writes a comparison as JSON: {@code {"cpu","jvm","date","transport","ranks","rounds","handover_us","handovers_us":[of each round],"ways":{"nccl":[{"size","target","us":{name:
 * median}}],"fresh":[...]}}}.
 */
final class ComparisonJson {
    private ComparisonJson() {
    }

    static void write(final Path file, final Comparison comparison, final int rounds, final String date) {
        final Map<String, Object> json = new LinkedHashMap<>();
        json.put("cpu", Machine.cpu());
        json.put("jvm", Machine.jvm());
        json.put("date", date);
        json.put("transport", comparison.transport().label());
        json.put("ranks", comparison.ranks());
        json.put("rounds", rounds);
        json.put("handover_us", orNull(comparison.handover()));
        json.put("handovers_us", comparison.handovers());
        final Map<String, Object> ways = new LinkedHashMap<>();
        for (final Way way : Way.values()) {
            ways.put(way.label(), comparison.rows(way).stream().map(row -> row(comparison, way, row)).toList());
        }
        json.put("ways", ways);
        try {
            JSON.std.with(JSON.Feature.PRETTY_PRINT_OUTPUT, JSON.Feature.WRITE_NULL_PROPERTIES)
                    .write(json, file.toFile());
        } catch (final IOException e) {
            throw new UsageException("cannot write --json " + file + ": " + e.getMessage(), e);
        }
    }

    private static Map<String, Object> row(final Comparison comparison, final Way way, final ComparisonRow row) {
        final Map<String, Object> times = new LinkedHashMap<>();
        comparison.medians(way, row.bytes()).forEach((name, median) -> times.put(name, orNull(median)));
        final Map<String, Object> json = new LinkedHashMap<>();
        json.put("size", row.bytes());
        json.put("target", orNull(row.target()));
        json.put("us", times);
        return json;
    }

    private static Double orNull(final OptionalDouble value) {
        return value.isPresent() ? value.getAsDouble() : null;
    }
}
