package org.chagres.transport.verbs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How far NUMA nodes are from each other, as the firmware tells (ACPI SLIT): 10 is the node itself. */
@FunctionalInterface
public interface NumaDistances {
    /** A node to itself. */
    int SAME = 10;
    /** Another node, of which nothing is known. */
    int OTHER = 20;
    /** All other nodes are equally far. */
    NumaDistances FLAT = (from, to) -> from == to ? SAME : OTHER;

    /** The distance between two nodes. */
    int between(int from, int to);

    /** Those of this machine; {@link #FLAT} where the kernel does not tell. */
    static NumaDistances ofThisHost() {
        return of(Path.of("/sys/devices/system/node"));
    }

    /** Those that a folder tells of: {@code node0/distance} and so on, each a line of distances to all nodes. */
    static NumaDistances of(final Path folder) {
        final Map<Integer, List<Integer>> rows = new HashMap<>();
        final List<Integer> nodes = CpuLists.nodes(folder);
        for (final int node : nodes) {
            try {
                final String line = Files.readString(folder.resolve("node" + node).resolve("distance")).strip();
                rows.put(node, Arrays.stream(line.split("\\s+")).map(Integer::valueOf).toList());
            } catch (final IOException | NumberFormatException unknown) {
                return FLAT;
            }
        }
        return (from, to) -> {
            final List<Integer> row = rows.getOrDefault(from, List.of());
            final int column = nodes.indexOf(to);
            return column >= 0 && column < row.size() ? row.get(column) : FLAT.between(from, to);
        };
    }
}
