package org.chagres.collectives.plan;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Which ranks share a host. Immutable, and equal on all ranks, so that all plan alike. */
public final class Topology {
    /** All ranks, however many, on one host. */
    public static final Topology ONE_HOST = new Topology(new int[0], 1);

    private final int[] hostOf;
    private final int hosts;

    private Topology(final int[] hostOf, final int hosts) {
        this.hostOf = hostOf;
        this.hosts = hosts;
    }

    /**
     * Ranks with equal names share a host.
     *
     * @param names by rank
     */
    public static Topology of(final List<String> names) {
        return of(names.stream().mapToInt(names::indexOf).toArray());
    }

    /**
     * Ranks with equal numbers share a host; which numbers does not matter.
     *
     * @param hostOf by rank
     */
    public static Topology of(final int... hostOf) {
        final Map<Integer, Integer> numbers = new HashMap<>();
        final int[] compact = new int[hostOf.length];
        for (int rank = 0; rank < hostOf.length; rank++) {
            final int next = numbers.size();
            compact[rank] = numbers.computeIfAbsent(hostOf[rank], key -> next);
        }
        return numbers.size() <= 1 ? ONE_HOST : new Topology(compact, numbers.size());
    }

    /**
     * The first ranks on the first host, the next on the next, as launchers place them.
     *
     * @param ranks by host; each at least 1
     * @throws IllegalArgumentException if a host has no rank
     */
    public static Topology blocks(final int... ranks) {
        final int[] hostOf = new int[Arrays.stream(ranks).sum()];
        int rank = 0;
        for (int host = 0; host < ranks.length; host++) {
            if (ranks[host] < 1) {
                throw new IllegalArgumentException(
                        "host " + host + " has " + ranks[host] + " ranks: each host must have at least 1");
            }
            Arrays.fill(hostOf, rank, rank + ranks[host], host);
            rank += ranks[host];
        }
        return of(hostOf);
    }

    /** The number of hosts, at least 1. */
    public int hosts() {
        return hosts;
    }

    /** The host of {@code rank}: 0 is that of rank 0, and so on in the order in which hosts come up. */
    public int host(final int rank) {
        return hosts == 1 ? 0 : hostOf[rank];
    }

    /** Whether a message between these ranks leaves a host. */
    public boolean crosses(final int rank, final int other) {
        return host(rank) != host(other);
    }

    /** Whether it says where each of {@code size} ranks is. */
    public boolean describes(final int size) {
        return hosts == 1 || hostOf.length == size;
    }

    @Override
    public boolean equals(final Object other) {
        return other instanceof final Topology that && Arrays.equals(hostOf, that.hostOf);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(hostOf);
    }

    @Override
    public String toString() {
        return hosts == 1 ? "one host" : hosts + " hosts " + Arrays.toString(hostOf);
    }
}
