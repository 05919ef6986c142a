package org.chagres.collectives.planner;

import java.util.List;
import org.chagres.collectives.plan.Ref;

/**
 * From a home to all ranks, straight from output to output: each owner passes a piece on to the hosts that get it from there, then to the ranks of
 * its own host.
 */
final class HostSpread {
    private final Lanes lanes;
    private final HostPattern pattern;
    private final Script script;

    HostSpread(final Lanes lanes, final HostPattern pattern, final Script script) {
        this.lanes = lanes;
        this.pattern = pattern;
        this.script = script;
    }

    /** Ranks give pieces of theirs that another one carries to that lane's owner. */
    void relay(final int host, final int lane, final List<Cargo.Item> items) {
        final int owner = lanes.owner(host, lane);
        for (final Cargo.Item item : items) {
            if (item.endpoint() != owner) {
                script.put(Script.Kind.OUTPUT, item.endpoint(), owner, item.send(), item.recv(), item.count());
            }
        }
    }

    /** What the owner does with pieces at {@code host}, the {@code distance}-th after its home. */
    void pass(final int host, final int lane, final int distance, final List<Cargo.Item> items) {
        final int owner = lanes.owner(host, lane);
        for (final Cargo.Item item : items) {
            Ref from = item.recv();
            if (distance > 0) {
                script.await(Script.Kind.OUTPUT, lanes.owner(source(host, distance), lane), owner);
            } else if (item.endpoint() == owner) {
                from = item.send();
            } else {
                script.await(Script.Kind.OUTPUT, item.endpoint(), owner);
            }
            toHosts(host, lane, distance, item, from);
            toMembers(host, lane, distance == 0 ? item.endpoint() : owner, item, from);
        }
    }

    /** The owner of {@code host}, the {@code distance}-th after a piece's home, passes it on to the hosts that get it from there. */
    void toHosts(final int host, final int lane, final int distance, final Cargo.Item item, final Ref from) {
        for (int next = 1; next <= targets(lanes, pattern, distance); next++) {
            script.put(Script.Kind.OUTPUT, lanes.owner(host, lane), lanes.owner(lanes.shift(host, next), lane), from,
                    item.recv(), item.count());
        }
    }

    /** The owner of {@code host} gives a piece to the others of its host but {@code except}. */
    void toMembers(final int host, final int lane, final int except, final Cargo.Item item, final Ref from) {
        for (int place = 0; place < lanes.size(host); place++) {
            final int member = lanes.member(host, place);
            if (place != lane && member != except) {
                script.put(Script.Kind.OUTPUT, lanes.owner(host, lane), member, from, item.recv(), item.count());
            }
        }
    }

    private int source(final int host, final int distance) {
        return lanes.shift(host, pattern == HostPattern.RING ? -1 : -distance);
    }

    /** To how many of the next hosts the {@code distance}-th after a piece's home passes it on. */
    static int targets(final Lanes lanes, final HostPattern pattern, final int distance) {
        if (pattern == HostPattern.RING) {
            return distance < lanes.hosts() - 1 ? 1 : 0;
        }
        return distance == 0 ? lanes.hosts() - 1 : 0;
    }
}
