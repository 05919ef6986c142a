package org.chagres.transport.verbs;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.stream.IntStream;

/** Makes a {@link DeviceMap}: first the ranks whose port a setting gives, then those with a known NUMA node, then the rest where there is room. */
final class Mapping {
    private final VerbsSettings settings;
    private final PortSurvey survey;
    private final List<OptionalInt> numaNodes;
    private final NumaDistances distances;
    private final Map<PortName, Integer> ranksOfPort = new HashMap<>();
    private final Map<String, Integer> ranksOfDevice = new HashMap<>();
    private final List<UsablePort> ports;
    private final List<String> chosenBy;

    Mapping(final VerbsSettings settings, final PortSurvey survey, final List<OptionalInt> numaNodes,
            final NumaDistances distances) {
        if (survey.usable().isEmpty()) {
            throw new IllegalArgumentException("there is no usable port to map ranks to");
        }
        this.settings = settings;
        this.survey = survey;
        this.numaNodes = numaNodes;
        this.distances = distances;
        this.ports = new ArrayList<>(Collections.nCopies(numaNodes.size(), null));
        this.chosenBy = new ArrayList<>(Collections.nCopies(numaNodes.size(), ""));
    }

    DeviceMap map() {
        settings.map().ifPresent(this::assign);
        IntStream.range(0, numaNodes.size()).filter(rank -> numaNodes.get(rank).isPresent()).forEach(this::assign);
        IntStream.range(0, numaNodes.size()).forEach(this::assign);
        return new DeviceMap(ports, numaNodes, chosenBy, survey.skipped());
    }

    /** The setting may be the same on hosts with fewer ranks; those it names beyond are not here. */
    private void assign(final Asked<SortedMap<Integer, PortName>> asked) {
        asked.value().forEach((rank, name) -> {
            final UsablePort port = find(asked.text(), name);
            if (rank < ports.size()) {
                assign(rank, port, asked.text());
            }
        });
    }

    private UsablePort find(final String setting, final PortName name) {
        return survey.usable()
                .stream()
                .filter(port -> port.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(setting
                        + ": " + name + " cannot be used: " + survey.skipped()
                                .stream()
                                .filter(port -> port.name().equals(name.toString())
                                        || port.name().equals(name.device()))
                                .map(SkippedPort::reason)
                                .findFirst()
                                .orElse("there is no such port")
                        + "; usable are "
                        + String.join(", ", survey.usable().stream().map(port -> port.name().toString()).toList())));
    }

    private void assign(final int rank) {
        if (ports.get(rank) != null) {
            return;
        }
        final OptionalInt node = numaNodes.get(rank);
        final int nearest = survey.usable().stream().mapToInt(port -> distance(node, port)).min().orElseThrow();
        final List<UsablePort> near = survey.usable().stream().filter(port -> distance(node, port) == nearest).toList();
        final UsablePort best = near.stream()
                .min(Comparator.comparingDouble(this::load).thenComparingInt(this::ranksOfDevice))
                .orElseThrow();
        assign(rank, best, reason(node, nearest, near.size()));
    }

    /** Ports of which nothing is known are as far as another node. */
    private int distance(final OptionalInt node, final UsablePort port) {
        return node.isEmpty() || survey.usable().stream().allMatch(one -> one.numaNode().isEmpty())
                ? 0
                : port.numaNode().isEmpty()
                        ? NumaDistances.OTHER
                        : distances.between(node.getAsInt(), port.numaNode().getAsInt());
    }

    /** What a further rank would have to share; a port of which the speed is not known counts as one of the fastest. */
    private double load(final UsablePort port) {
        final double fastest = survey.usable()
                .stream()
                .mapToDouble(one -> one.attributes().gigabitsPerSecond())
                .max()
                .orElse(0);
        final double speed = port.attributes().gigabitsPerSecond() > 0
                ? port.attributes().gigabitsPerSecond()
                : Math.max(fastest, 1);
        return (ranksOfPort.getOrDefault(port.name(), 0) + 1) / speed;
    }

    private int ranksOfDevice(final UsablePort port) {
        return ranksOfDevice.getOrDefault(port.name().device(), 0);
    }

    private void assign(final int rank, final UsablePort port, final String why) {
        ranksOfPort.merge(port.name(), 1, Integer::sum);
        ranksOfDevice.merge(port.name().device(), 1, Integer::sum);
        ports.set(rank, port);
        chosenBy.set(rank, why);
    }

    private String reason(final OptionalInt node, final int distance, final int near) {
        if (survey.usable().size() == 1) {
            return "the only usable port";
        }
        if (distance == 0) {
            return "spread over " + near + " usable ports";
        }
        return distance == NumaDistances.SAME
                ? "spread over " + near + " usable ports on its NUMA node"
                : "no usable port is on NUMA node " + node.orElseThrow() + ": spread over " + near + " on the nearest";
    }
}
