package org.chagres.bench.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** Prints a comparison as text whose columns line up, or as Markdown. */
final class ComparisonTable {
    private static final String MICROS = " µs";
    private static final List<String> WITH_BASELINE = List.of("size", "best peer", "its" + MICROS, "Chagres" + MICROS,
            "ratio", "target", "C" + MICROS, "ratio to C");

    private final boolean markdown;

    ComparisonTable(final boolean markdown) {
        this.markdown = markdown;
    }

    String format(final Comparison comparison) {
        final StringBuilder text = new StringBuilder();
        for (final Way way : Way.values()) {
            final List<List<String>> rows = comparison.transport() == Transport.SHM
                    ? withBaseline(way, comparison.rows(way))
                    : byLibrary(comparison.rows(way));
            text.append(markdown ? "\n" : "# ").append(capitalised(way.title())).append(markdown ? ":\n\n" : "\n");
            append(text, rows);
        }
        return text.append(handover(comparison)).toString();
    }

    private static String capitalised(final String title) {
        return title.substring(0, 1).toUpperCase(Locale.ROOT) + title.substring(1);
    }

    private static List<List<String>> withBaseline(final Way way, final List<ComparisonRow> rows) {
        final List<List<String>> cells = new ArrayList<>(List.of(WITH_BASELINE));
        for (final ComparisonRow row : rows) {
            cells.add(List.of(size(row.bytes()), row.bestPeer() == null ? "-" : row.bestPeer(), number(row.peer()),
                    number(row.chagres()), ratio(row), number(row.target()), number(row.baseline()),
                    number(row.baselineRatio()) + (missesBaseline(way, row) ? " (over)" : "")));
        }
        return cells;
    }

    /** A column for each library that ran: its best way. */
    static List<List<String>> byLibrary(final List<ComparisonRow> rows) {
        final List<List<String>> cells = new ArrayList<>();
        final List<String> header = new ArrayList<>(List.of("size", "best peer"));
        rows.getFirst().libraries().keySet().forEach(library -> header.add(library + MICROS));
        header.addAll(List.of("Chagres" + MICROS, "ratio", "target"));
        cells.add(header);
        for (final ComparisonRow row : rows) {
            final List<String> line = new ArrayList<>(
                    List.of(size(row.bytes()), row.bestPeer() == null ? "-" : row.bestPeer()));
            row.libraries().values().forEach(time -> line.add(number(time)));
            line.addAll(List.of(number(row.chagres()), ratio(row), number(row.target())));
            cells.add(line);
        }
        return cells;
    }

    private static String ratio(final ComparisonRow row) {
        return number(row.ratio()) + (row.misses() ? " (over)" : "");
    }

    private static boolean missesBaseline(final Way way, final ComparisonRow row) {
        return way == Way.FRESH && row.baselineRatio().isPresent()
                && row.baselineRatio().getAsDouble() > Target.OF_BASELINE;
    }

    private static String handover(final Comparison comparison) {
        final OptionalDouble handover = comparison.handover();
        if (handover.isEmpty()) {
            return "";
        }
        final ComparisonRow first = comparison.rows(Way.NCCL).getFirst();
        final String text = String.format(Locale.ROOT, "%nA cache line's handover takes %.3f µs",
                handover.getAsDouble());
        return comparison.transport() != Transport.SHM || first.bytes() != 8 || first.chagres().isEmpty()
                ? text + ".\n"
                : String.format(Locale.ROOT, "%s; 8 B take %.2f handovers (target: at most %.1f).%n", text,
                        first.chagres().getAsDouble() / handover.getAsDouble(), Target.HANDOVERS);
    }

    /** {@code 8 B}, {@code 64 KiB}, ... */
    static String size(final long bytes) {
        if (bytes >= 1 << 20 && bytes % (1 << 20) == 0) {
            return (bytes >> 20) + " MiB";
        }
        return bytes >= 1 << 10 && bytes % (1 << 10) == 0 ? (bytes >> 10) + " KiB" : bytes + " B";
    }

    /** Three significant digits or all before the point. */
    static String number(final OptionalDouble value) {
        if (value.isEmpty()) {
            return "-";
        }
        final double v = value.getAsDouble();
        return String.format(Locale.ROOT, v < 10 ? "%.2f" : v < 100 ? "%.1f" : "%.0f", v);
    }

    private void append(final StringBuilder text, final List<List<String>> rows) {
        final int[] widths = new int[rows.getFirst().size()];
        rows.forEach(row -> {
            for (int c = 0; c < widths.length; c++) {
                widths[c] = Math.max(widths[c], row.get(c).length());
            }
        });
        for (int r = 0; r < rows.size(); r++) {
            append(text, rows.get(r), widths);
            if (r == 0 && markdown) {
                text.append("|---|---|").append("---:|".repeat(widths.length - 2)).append('\n');
            }
        }
    }

    private void append(final StringBuilder text, final List<String> row, final int[] widths) {
        for (int c = 0; c < widths.length; c++) {
            final String padding = " ".repeat(widths[c] - row.get(c).length());
            final boolean left = c < 2;
            text.append(markdown ? "| " : c == 0 ? "" : "  ")
                    .append(left ? row.get(c) + padding : padding + row.get(c))
                    .append(markdown ? " " : "");
        }
        text.append(markdown ? "|\n" : "\n");
    }
}
