package org.chagres.bench.verbs;

import java.util.ArrayList;
import java.util.List;

/** Rows of text whose columns line up. */
final class TextTable {
    private static final String GAP = "  ";
    private final List<List<String>> rows = new ArrayList<>();

    TextTable(final String... header) {
        rows.add(List.of(header));
    }

    /** @param cells as many as the header has */
    void add(final List<String> cells) {
        if (cells.size() != rows.getFirst().size()) {
            throw new IllegalArgumentException(cells.size() + " cells do not fit the header " + rows.getFirst());
        }
        rows.add(List.copyOf(cells));
    }

    /** The lines, none with blanks at its end. */
    List<String> lines() {
        final int[] widths = new int[rows.getFirst().size()];
        for (final List<String> row : rows) {
            for (int column = 0; column < widths.length; column++) {
                widths[column] = Math.max(widths[column], row.get(column).length());
            }
        }
        return rows.stream().map(row -> line(row, widths)).toList();
    }

    private static String line(final List<String> row, final int[] widths) {
        final StringBuilder line = new StringBuilder();
        for (int column = 0; column < widths.length; column++) {
            final String cell = row.get(column);
            line.append(cell).repeat(" ", widths[column] - cell.length()).append(GAP);
        }
        return line.toString().stripTrailing();
    }
}
