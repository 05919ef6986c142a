package org.chagres.bootstrap;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Slurm's compressed lists: of nodes, {@code rack[0-1]n[08-11,20],login}, and of task counts, {@code 2(x3),1}. */
final class SlurmLists {
    private static final Pattern COUNT = Pattern.compile("(\\d{1,9})(?:\\(x(\\d{1,9})\\))?");
    /** A name up to the first comma outside brackets, with the first number of each pair of brackets in a group of its own. */
    private static final Pattern PART = Pattern.compile("([^\\[\\],\\s]+)|\\[(\\d+)(?:-\\d+)?(?:,\\d+(?:-\\d+)?)*]");

    private SlurmLists() {
    }

    /**
     * The first node of a list.
     *
     * @param variable where the list is from
     */
    static String firstNode(final String variable, final String list) {
        final StringBuilder name = new StringBuilder();
        final Matcher part = PART.matcher(list);
        int at = 0;
        while (at < list.length() && list.charAt(at) != ',') {
            if (!part.find(at) || part.start() != at) {
                throw malformed(variable, list, "nodes such as n[01-03,7],login");
            }
            name.append(part.group(1) != null ? part.group(1) : part.group(2));
            at = part.end();
        }
        if (name.isEmpty()) {
            throw malformed(variable, list, "nodes such as n[01-03,7],login");
        }
        return name.toString();
    }

    /**
     * How many tasks a node has.
     *
     * @param variable where the list is from
     * @param node counts from 0
     */
    static int tasks(final String variable, final String list, final int node) {
        long nodes = 0;
        for (final String item : list.split(",", -1)) {
            final Matcher count = COUNT.matcher(item);
            if (!count.matches()) {
                throw malformed(variable, list, "counts such as 2(x3),1");
            }
            nodes += count.group(2) == null ? 1 : Integer.parseInt(count.group(2));
            if (node < nodes) {
                return Integer.parseInt(count.group(1));
            }
        }
        throw new IllegalArgumentException(
                variable + "=" + list + " has " + nodes + " nodes, which contradicts SLURM_NODEID="
                        + node + ": it counts from 0");
    }

    private static IllegalArgumentException malformed(final String variable, final String list, final String rule) {
        return new IllegalArgumentException(variable + "=" + list + " is malformed: it must list " + rule);
    }
}
