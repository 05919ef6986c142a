package org.chagres.collectives.planner;

import java.util.Arrays;
import org.chagres.collectives.plan.Shape;
import org.chagres.collectives.plan.Topology;

/**
 * The ranks of each host in order, the root before the others, and the lanes between hosts: lane i connects the i-th rank of every host, its
 * owner there, so that several ranks carry parts of the data side by side.
 */
final class Lanes {
    /** A message between hosts takes as long to send as about so many bytes, so that less is not worth a lane of its own. */
    private static final long LANE_BYTES = 8 << 10;

    private final Topology topology;
    private final int[][] members;
    private final int[] index;
    private final int number;

    Lanes(final Shape shape, final Topology topology) {
        this.topology = topology;
        index = new int[shape.size()];
        members = new int[topology.hosts()][];
        Arrays.setAll(members, host -> new int[0]);
        if (shape.collective().rooted()) {
            add(shape.root());
        }
        for (int rank = 0; rank < shape.size(); rank++) {
            if (!shape.collective().rooted() || rank != shape.root()) {
                add(rank);
            }
        }
        number = number(shape, fewest());
    }

    private void add(final int rank) {
        final int host = topology.host(rank);
        index[rank] = members[host].length;
        members[host] = Arrays.copyOf(members[host], index[rank] + 1);
        members[host][index[rank]] = rank;
    }

    private static int number(final Shape shape, final int most) {
        return switch (shape.collective()) {
            case ALL_REDUCE, REDUCE, BROADCAST -> Math.clamp(shape.bytes() / LANE_BYTES, 1, most);
            default -> most;
        };
    }

    private int fewest() {
        int fewest = Integer.MAX_VALUE;
        for (final int[] host : members) {
            fewest = Math.min(fewest, host.length);
        }
        return fewest;
    }

    /** Ranks of the host that has most. */
    int most() {
        int most = 0;
        for (final int[] host : members) {
            most = Math.max(most, host.length);
        }
        return most;
    }

    int number() {
        return number;
    }

    int hosts() {
        return members.length;
    }

    int host(final int rank) {
        return topology.host(rank);
    }

    /** Ranks of {@code host}. */
    int size(final int host) {
        return members[host].length;
    }

    /** The rank of {@code host} that comes {@code place}-th there, from 0. */
    int member(final int host, final int place) {
        return members[host][place];
    }

    /** Which of its host's ranks {@code rank} is, from 0. */
    int place(final int rank) {
        return index[rank];
    }

    int owner(final int host, final int lane) {
        return members[host][lane];
    }

    boolean owns(final int rank) {
        return index[rank] < number;
    }

    /** The host {@code distance} further round the ring of hosts; back if negative. */
    int shift(final int host, final int distance) {
        return Math.floorMod(host + distance, hosts());
    }
}
