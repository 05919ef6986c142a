package org.chagres.bench.perf;

import java.io.PrintStream;
import java.util.Locale;
import org.chagres.bench.Machine;
import org.chagres.bench.Version;

/** nccl-tests' table, with the algorithm, and percentiles if asked for, after its columns. */
final class TableReport implements Report {
    private static final String PLACE_HEADER = "  %7s  %6s  %6s  %6s";
    private static final String ROW_HEADER = "# %10s  %12s  %8s  %6s  %6s";

    private final PrintStream out;
    private PerfOptions options;
    private double busBandwidths;
    private long places;
    private long wrongPlaces;

    TableReport(final PrintStream out) {
        this.out = out;
    }

    @Override
    public void start(final PerfOptions run, final String transport) {
        options = run;
        print("# Chagres %s: %s%n", Version.current(), run.collective().label());
        print("# JVM: %s%n", Machine.jvm());
        print("# CPU: %s, host %s%n", Machine.cpu(), Machine.host());
        print("# ranks: %d %s, transport: %s, algorithm: last column%n", run.ranks(),
                run.threads() ? "threads" : "processes", transport);
        print("# minBytes %d maxBytes %d step: %s warmup iters: %s iters: %s validation: %d%n", run.sizes().first(),
                run.sizes().last(), step(run.sizes()), orTime(run.warmUp()), orTime(run.iterations()), run.checks());
        print("# time: %s%n#%n",
                run.fresh()
                        ? "fresh: (rewrite of the input + operation) - rewrite alone, slowest rank"
                        : "operations back to back on unchanged input, " + run.average().label());
        columns();
    }

    private static String step(final Sizes sizes) {
        return sizes.factor() > 1 ? sizes.factor() + "(factor)" : sizes.step() + "(bytes)";
    }

    private static String orTime(final java.util.OptionalLong number) {
        return number.isPresent() ? Long.toString(number.getAsLong()) : "by time";
    }

    private void columns() {
        print(ROW_HEADER + "%21s%34s%n", "", "", "", "", "", "out-of-place", "in-place");
        print(ROW_HEADER, "size", "count", "type", "redop", "root");
        print(PLACE_HEADER, "time", "algbw", "busbw", "#wrong");
        print(PLACE_HEADER, "time", "algbw", "busbw", "#wrong");
        print("%s  %s%n", percentileColumns("p50", "p99"), "algorithm");
        print(ROW_HEADER, "(B)", "(elements)", "", "", "");
        print(PLACE_HEADER, "(us)", "(GB/s)", "(GB/s)", "");
        print(PLACE_HEADER, "(us)", "(GB/s)", "(GB/s)", "");
        print("%s%n", percentileColumns("(us)", "(us)"));
    }

    private String percentileColumns(final String p50, final String p99) {
        return options.percentiles()
                ? String.format(Locale.ROOT, "  %7s  %7s  %7s  %7s", p50, p99, p50, p99)
                : "";
    }

    @Override
    public void row(final RowResult result) {
        final Case row = result.row();
        print("%12d  %12d  %8s  %6s  %6d", row.bytes(), row.count(), row.type().label(), row.opLabel(),
                row.rootLabel());
        place(result.outOfPlace());
        place(result.inPlace());
        if (options.percentiles()) {
            percentiles(result.outOfPlace());
            percentiles(result.inPlace());
        }
        print("  %s%n", result.algorithm());
        out.flush();
        result.places().forEach(place -> busBandwidths += place.busBandwidth());
        places += result.places().count();
        wrongPlaces += result.wrongPlaces();
    }

    private void place(final PlaceResult place) {
        if (place == null) {
            print(PLACE_HEADER, "N/A", "N/A", "N/A", "N/A");
            return;
        }
        print(PLACE_HEADER, number(place.time(), 7), number(place.algorithmBandwidth(), 6),
                number(place.busBandwidth(), 6), place.wrong() < 0 ? "N/A" : Long.toString(place.wrong()));
    }

    private void percentiles(final PlaceResult place) {
        print("  %7s  %7s", place == null ? "N/A" : number(place.p50(), 7),
                place == null ? "N/A" : number(place.p99(), 7));
    }

    /** As many decimals, up to two, as fit into {@code width}. */
    static String number(final double value, final int width) {
        for (int decimals = 2; decimals >= 0; decimals--) {
            final String text = String.format(Locale.ROOT, "%." + decimals + "f", value);
            if (text.length() <= width) {
                return text;
            }
        }
        return String.format(Locale.ROOT, "%.0e", value);
    }

    @Override
    public void finish() {
        print("# Out of bounds values : %d %s%n", wrongPlaces, wrongPlaces == 0 ? "OK" : "FAILED");
        print("# Avg bus bandwidth    : %g%n#%n", places == 0 ? 0 : busBandwidths / places);
        out.flush();
    }

    private void print(final String format, final Object... arguments) {
        out.printf(Locale.ROOT, format, arguments);
    }
}
