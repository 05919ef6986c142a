package org.chagres.collectives;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.chagres.bootstrap.Membership;

/** A world's ranks, hosts and transports in words: {@code 5 ranks on 2 hosts: gpu-01 [0, 1], gpu-02 [2, 3, 4]}. */
final class TopologyText {
    private TopologyText() {
    }

    static String hosts(final Membership membership) {
        final Map<String, List<Integer>> ranks = new LinkedHashMap<>();
        final Map<String, String> names = new LinkedHashMap<>();
        for (int r = 0; r < membership.size(); r++) {
            final var peer = membership.peer(r);
            ranks.computeIfAbsent(peer.host(), _ -> new ArrayList<>()).add(r);
            names.put(peer.host(), peer.hostName());
        }
        return membership.size() + " rank" + (membership.size() == 1 ? "" : "s") + " on " + ranks.size() + " host"
                + (ranks.size() == 1 ? "" : "s") + ": "
                + ranks.entrySet()
                        .stream()
                        .map(host -> names.get(host.getKey()) + " " + host.getValue())
                        .collect(Collectors.joining(", "));
    }

    /** How this rank reaches the others: {@code shm to [1], tcp to [2, 3]}. */
    static String transports(final Fabric fabric) {
        final Map<String, List<Integer>> peers = new LinkedHashMap<>();
        final String[] all = fabric.transports();
        for (int r = 0; r < all.length; r++) {
            if (all[r] != null) {
                peers.computeIfAbsent(all[r], _ -> new ArrayList<>()).add(r);
            }
        }
        return peers.isEmpty()
                ? "none needed"
                : peers.entrySet()
                        .stream()
                        .map(e -> e.getKey() + " to " + e.getValue())
                        .collect(Collectors.joining(", "));
    }
}
