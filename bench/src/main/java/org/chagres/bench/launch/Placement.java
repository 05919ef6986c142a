package org.chagres.bench.launch;

import java.util.ArrayList;
import java.util.List;
import org.chagres.bench.UsageException;

/** Where one rank runs. */
record Placement(int rank, Host host, int localRank, int localSize) {
    /**
     * Spreads ranks over hosts by blocks, in the order given. Hosts with slots are filled one after the other; without, each gets the same number, and the
     * first ones one more if it does not divide.
     */
    static List<Placement> blocks(final int ranks, final List<Host> hosts) {
        final boolean slotted = hosts.stream().anyMatch(host -> host.slots() > 0);
        if (slotted && hosts.stream().anyMatch(host -> host.slots() == 0)) {
            throw new UsageException("--hosts: give slots (host:slots) for all hosts or for none");
        }
        final long capacity = hosts.stream().mapToLong(Host::slots).sum();
        if (slotted && capacity < ranks) {
            throw new UsageException("-n " + ranks + " exceeds the " + capacity + " slots of --hosts: raise the slots");
        }
        if (!slotted && ranks < hosts.size()) {
            throw new UsageException("-n " + ranks + " leaves some of the " + hosts.size()
                    + " --hosts without a rank: name fewer hosts, or start more ranks");
        }
        final List<Placement> placements = new ArrayList<>(ranks);
        for (int i = 0; i < hosts.size(); i++) {
            final int even = ranks / hosts.size() + (i < ranks % hosts.size() ? 1 : 0);
            final int count = slotted ? Math.min(hosts.get(i).slots(), ranks - placements.size()) : even;
            for (int local = 0; local < count; local++) {
                placements.add(new Placement(placements.size(), hosts.get(i), local, count));
            }
        }
        return placements;
    }
}
