package org.chagres.collectives.cost;

import org.chagres.collectives.plan.Cost;
import org.chagres.collectives.plan.Crossing;
import org.chagres.collectives.plan.Topology;

/**
 * What ranks are connected by.
 *
 * @param local between ranks of one host
 * @param remote between hosts
 */
public record Wires(LinkClass local, LinkClass remote) {
    /** The estimated time, in nanoseconds: what crosses hosts at the price of one class, all else, computing too, at that of the other. */
    double nanoseconds(final Cost cost) {
        final Crossing across = cost.across();
        final Cost rest = new Cost(cost.hops() - across.hops(), cost.messages() - across.messages(),
                cost.bytesSent() - across.bytesSent(), cost.fillBytes() - across.fillBytes(), cost.bytesReduced(),
                cost.roundings(), cost.stagedBytes(), cost.bytesCopied(), Crossing.NONE);
        final Cost crossing = Cost.of(across.hops(), across.messages())
                .sending(across.bytesSent(), across.fillBytes())
                .staging(cost.stagedBytes());
        return local.model().nanoseconds(rest) + remote.model().nanoseconds(crossing);
    }

    /**
     * The cost of an algorithm where ranks are placed like this. If it does not look at hosts, everything that a rank sends between several counts as
     * crossing: the slowest rank may have most of its peers elsewhere.
     */
    static Cost placed(final Cost cost, final Topology topology) {
        return topology.hosts() == 1 || !cost.across().equals(Crossing.NONE)
                ? cost
                : cost.crossing(
                        new Crossing(cost.hops(), cost.messages(), cost.bytesSent(), cost.fillBytes()));
    }

    /** For a person: {@code shm}, or {@code shm and tcp} where there are several hosts. */
    String label(final Topology topology) {
        return topology.hosts() == 1 || local == remote ? local.label() : local.label() + " and " + remote.label();
    }
}
