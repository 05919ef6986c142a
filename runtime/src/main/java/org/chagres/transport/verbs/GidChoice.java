package org.chagres.transport.verbs;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.chagres.verbs.GidEntry;

/**
 * The row of a port's GID table to use, and why not the others.
 *
 * @param chosen the row
 * @param others the other rows in use, by index, each with the reason why it is not used
 * @param notes what a person may want to know of the chosen row; often nothing
 */
public record GidChoice(GidEntry chosen, List<Refusal> others, List<String> notes) {
    /** Keeps the lists as they are. */
    public GidChoice {
        others = List.copyOf(others);
        notes = List.copyOf(notes);
    }

    /**
     * A row that is not used.
     *
     * @param reason without a subject: {@code is RoCE v1, which row 3 is not}
     */
    public record Refusal(GidEntry entry, String reason) {
        /** For people: {@code row 2 (::ffff:10.0.0.1, RoCE v1, eth0) is RoCE v1, ...}. */
        @Override
        public String toString() {
            return describe(entry) + " " + reason;
        }
    }

    /** For people: {@code row 3 (::ffff:10.0.0.1, RoCE v2, eth0)}. */
    public static String describe(final GidEntry entry) {
        return "row " + entry.index() + " ("
                + Stream.concat(Stream.of(entry.gid().toString(), entry.type().text()), entry.networkDevice().stream())
                        .collect(Collectors.joining(", "))
                + ")";
    }

    /** A line for the chosen row, one for each other row, one for each note. */
    public List<String> lines() {
        return Stream
                .of(Stream.of("GID: " + describe(chosen)), others.stream().map(o -> "not " + o),
                        notes.stream().map(n -> "note: " + n))
                .flatMap(lines -> lines)
                .toList();
    }
}
