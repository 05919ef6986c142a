package org.chagres.transport.verbs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** Which NUMA node the CPUs of this process belong to, from the kernel's lists such as {@code 0-3,8}. */
final class CpuLists {
    private static final String NODE = "node";
    private static final String ALLOWED = "Cpus_allowed_list:";

    private CpuLists() {
    }

    static BitSet parse(final String list) {
        final BitSet cpus = new BitSet();
        for (final String part : list.strip().split(",", -1)) {
            if (!part.isBlank()) {
                final String[] ends = part.strip().split("-", -1);
                cpus.set(Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]) + 1);
            }
        }
        return cpus;
    }

    /** The NUMA nodes with a folder, ascending. */
    static List<Integer> nodes(final Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.matches(NODE + "\\d+"))
                    .map(name -> Integer.valueOf(name.substring(NODE.length())))
                    .sorted()
                    .toList();
        } catch (final IOException absent) {
            return List.of();
        }
    }

    /**
     * The node that holds every CPU that a process may run on; empty if they belong to several, or nothing is known.
     *
     * @param status lines of {@code /proc/self/status}
     * @param folder with {@code node0/cpulist} and so on
     */
    static OptionalInt node(final List<String> status, final Path folder) {
        final BitSet allowed = status.stream()
                .filter(line -> line.startsWith(ALLOWED))
                .map(line -> parse(line.substring(ALLOWED.length())))
                .findFirst()
                .orElseGet(BitSet::new);
        for (final int node : nodes(folder)) {
            try {
                final BitSet outside = (BitSet) allowed.clone();
                outside.andNot(parse(Files.readString(folder.resolve(NODE + node).resolve("cpulist"))));
                if (outside.isEmpty() && !allowed.isEmpty()) {
                    return OptionalInt.of(node);
                }
            } catch (final IOException | NumberFormatException unknown) {
                return OptionalInt.empty();
            }
        }
        return OptionalInt.empty();
    }
}
