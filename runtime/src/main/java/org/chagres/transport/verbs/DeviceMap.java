package org.chagres.transport.verbs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * Which port each rank of this host uses. A pure function of its inputs, so that all ranks of a host that agree on those agree on the map.
 *
 * @param ports by local rank
 * @param numaNodes of the ranks, by local rank; empty if unknown
 * @param chosenBy by local rank: what decided
 * @param skipped ports that no rank uses because they cannot be used
 */
public record DeviceMap(List<UsablePort> ports, List<OptionalInt> numaNodes, List<String> chosenBy,
        List<SkippedPort> skipped) {
    /** Keeps the lists as they are. */
    public DeviceMap {
        ports = List.copyOf(ports);
        numaNodes = List.copyOf(numaNodes);
        chosenBy = List.copyOf(chosenBy);
        skipped = List.copyOf(skipped);
    }

    /**
     * Spreads the ranks evenly, by speed, over the ports on the NUMA node nearest to each, unless the settings say otherwise.
     *
     * @param numaNodes of the ranks' CPUs or GPUs, by local rank; empty if unknown
     * @throws IllegalArgumentException if the settings give a rank a port that cannot be used, or {@code survey} has no usable port
     */
    public static DeviceMap of(final VerbsSettings settings, final PortSurvey survey, final List<OptionalInt> numaNodes,
            final NumaDistances distances) {
        return new Mapping(settings, survey, numaNodes, distances).map();
    }

    /** The NUMA node that holds every CPU that this process may run on; empty if they belong to several, or the kernel does not tell. */
    public static OptionalInt numaNodeOfThisProcess() {
        try {
            return CpuLists.node(Files.readAllLines(Path.of("/proc/self/status")), Path.of("/sys/devices/system/node"));
        } catch (final IOException unknown) {
            return OptionalInt.empty();
        }
    }

    /** The port of a rank. */
    public UsablePort port(final int localRank) {
        return ports.get(localRank);
    }

    /** For people: a line for each rank, and one for each port that cannot be used. */
    public List<String> lines() {
        final List<String> lines = new ArrayList<>();
        for (int rank = 0; rank < ports.size(); rank++) {
            lines.add(line(rank));
        }
        return Stream.concat(lines.stream(), skipped.stream().map(port -> "not used: " + port)).toList();
    }

    /** For people: what a rank uses, and why. */
    public String line(final int localRank) {
        final UsablePort port = ports.get(localRank);
        return "local rank " + localRank + " (" + node(numaNodes.get(localRank)) + ") uses " + port.name() + " ("
                + node(port.numaNode()) + ", "
                + speed(port.attributes().gigabitsPerSecond()) + "MTU " + port.attributes().activeMtu().bytes()
                + ", GID "
                + GidChoice.describe(port.gid().chosen()) + "): " + chosenBy.get(localRank);
    }

    private static String node(final OptionalInt numaNode) {
        return numaNode.isPresent() ? "NUMA node " + numaNode.getAsInt() : "NUMA node unknown";
    }

    private static String speed(final double gigabits) {
        return gigabits > 0 ? String.format(Locale.ROOT, "%.0f Gb/s, ", gigabits) : "";
    }
}
