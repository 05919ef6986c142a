package org.chagres.bench.compare;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.chagres.bench.ExitCode;
import org.chagres.bench.perf.Launcher;

/** Chagres itself, through {@code perf} with a process for each rank. */
record ChagresRun(Transport transport, int ranks, Sweep sweep, Path folder) implements Contender {
    @Override
    public String name() {
        return "Chagres";
    }

    @Override
    public void round(final Samples samples) {
        for (final Way way : Way.values()) {
            final Path json = folder.resolve("chagres.json");
            final List<String> arguments = new ArrayList<>(List.of("perf", "all_reduce", "--ranks",
                    Integer.toString(ranks), "-b", Long.toString(sweep.first()), "-e", Long.toString(sweep.last()),
                    "-f", Integer.toString(sweep.factor()), "--json", json.toString(), "--quiet", "--child"));
            if (way == Way.FRESH) {
                arguments.add("--fresh");
            }
            final int code = Launcher.run(ranks, true, arguments, transport.environment());
            if (code != ExitCode.OK) {
                throw new ContenderException("perf ended with " + code);
            }
            read(json, way, samples);
        }
    }

    private static void read(final Path json, final Way way, final Samples samples) {
        try {
            final Map<String, Object> run = JSON.std.mapFrom(json.toFile());
            for (final Object row : (List<?>) run.get("rows")) {
                final Map<?, ?> fields = (Map<?, ?>) row;
                final Map<?, ?> outOfPlace = (Map<?, ?>) fields.get("out_of_place");
                samples.add(way, ((Number) fields.get("size")).longValue(),
                        ((Number) outOfPlace.get("time_us")).doubleValue());
            }
        } catch (final IOException e) {
            throw new ContenderException("cannot read " + json + ": " + e.getMessage());
        }
    }
}
