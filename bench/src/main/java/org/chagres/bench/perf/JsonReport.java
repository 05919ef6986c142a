package org.chagres.bench.perf;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.chagres.bench.UsageException;
import org.chagres.collectives.DataType;

/**
 * Writes the results as one JSON object, or as an array of such objects where the run went through several types, ops or roots:
 * {@code {"collective","ranks","transport","type","op","rows":[{"size","count","algorithm","out_of_place":{"time_us","p50_us","p99_us",
 * "algbw","busbw","wrong"},"in_place":{...}}],"avg_busbw"}}. Rooted collectives have a {@code "root"} after {@code "op"}. GB/s are 10^9 bytes a
 * second; {@code in_place} is null where there is no such form, {@code wrong} where nothing was checked.
 */
final class JsonReport implements Report {
    private final Path file;
    private final List<Sweep> sweeps = new ArrayList<>();
    private PerfOptions options;
    private String transport;

    JsonReport(final Path file) {
        this.file = file;
    }

    /** The rows of one type, op and root. */
    private record Sweep(DataType type, String op, int root, List<RowResult> rows) {
        boolean holds(final Case row) {
            return row.type() == type && row.opLabel().equals(op) && row.rootLabel() == root;
        }
    }

    @Override
    public void start(final PerfOptions run, final String transports) {
        options = run;
        transport = transports;
    }

    @Override
    public void row(final RowResult result) {
        final Case row = result.row();
        if (sweeps.isEmpty() || !sweeps.getLast().holds(row)) {
            sweeps.add(new Sweep(row.type(), row.opLabel(), row.rootLabel(), new ArrayList<>()));
        }
        sweeps.getLast().rows().add(result);
    }

    @Override
    public void finish() {
        final List<Object> objects = new ArrayList<>();
        sweeps.forEach(sweep -> objects.add(json(sweep)));
        try {
            JSON.std.with(JSON.Feature.PRETTY_PRINT_OUTPUT, JSON.Feature.WRITE_NULL_PROPERTIES)
                    .write(objects.size() == 1 ? objects.getFirst() : objects, file.toFile());
        } catch (final IOException e) {
            throw new UsageException("cannot write --json " + file + ": " + e.getMessage(), e);
        }
    }

    private Map<String, Object> json(final Sweep sweep) {
        final Map<String, Object> json = new LinkedHashMap<>();
        json.put("collective", options.collective().label());
        json.put("ranks", options.ranks());
        json.put("transport", transport);
        json.put("type", sweep.type().label());
        json.put("op", sweep.op());
        if (options.collective().rooted()) {
            json.put("root", sweep.root());
        }
        json.put("rows", sweep.rows().stream().map(JsonReport::json).toList());
        json.put("avg_busbw", sweep.rows()
                .stream()
                .flatMap(RowResult::places)
                .mapToDouble(PlaceResult::busBandwidth)
                .average()
                .orElse(0));
        return json;
    }

    private static Map<String, Object> json(final RowResult result) {
        final Map<String, Object> json = new LinkedHashMap<>();
        json.put("size", result.row().bytes());
        json.put("count", result.row().count());
        json.put("algorithm", result.algorithm());
        json.put("out_of_place", json(result.outOfPlace()));
        json.put("in_place", json(result.inPlace()));
        return json;
    }

    private static Map<String, Object> json(final PlaceResult place) {
        if (place == null) {
            return null;
        }
        final Map<String, Object> json = new LinkedHashMap<>();
        json.put("time_us", place.time());
        json.put("p50_us", place.p50());
        json.put("p99_us", place.p99());
        json.put("algbw", place.algorithmBandwidth());
        json.put("busbw", place.busBandwidth());
        json.put("wrong", place.wrong() < 0 ? null : place.wrong());
        return json;
    }
}
