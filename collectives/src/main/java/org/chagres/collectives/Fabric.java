package org.chagres.collectives;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.chagres.bootstrap.Exchange;
import org.chagres.bootstrap.JoinException;
import org.chagres.bootstrap.Membership;
import org.chagres.collectives.exec.Lane;
import org.chagres.collectives.plan.Limits;
import org.chagres.memory.MemoryDomain;
import org.chagres.memory.PageSize;
import org.chagres.memory.PeerMemory;
import org.chagres.memory.Region;
import org.chagres.transport.ControlLayout;
import org.chagres.transport.Link;
import org.chagres.transport.ShmLink;

/**
 * Everything that connects one communicator's ranks: this rank's control region, the peers' memory, and the lanes: one for collectives, and for each
 * peer one to send and one to receive. Owns what it makes.
 */
final class Fabric implements AutoCloseable {
    /** Independent channels of collective plans; double trees use two. */
    private static final int CHANNELS = 2;
    private static final long INBOX_BYTES = 16 << 10;
    private static final long MESSAGE_INBOX_BYTES = 4 << 10;
    private static final long SCRATCH_BYTES = 4 << 20;
    private static final long CHUNK_BYTES = 128 << 10;
    /** How long the ranks of a communicator may take to connect. */
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(60);
    /** What plans of collectives may use. */
    static final Limits LIMITS = new Limits(CHUNK_BYTES, SCRATCH_BYTES, INBOX_BYTES, CHANNELS);
    /** What plans of messages may use. */
    static final Limits MESSAGE_LIMITS = new Limits(CHUNK_BYTES, SCRATCH_BYTES, MESSAGE_INBOX_BYTES, 1);

    private final Region control;
    private final List<PeerMemory> peers = new ArrayList<>();
    private final Lane collectives;
    private final Lane[] sending;
    private final Lane[] receiving;
    private final String transports;

    /**
     * Connects all ranks of {@code membership}, which must all do so at the same time.
     *
     * @param settings stands for settings that must be equal on all ranks
     */
    Fabric(final Membership membership, final MemoryDomain domain, final long topic, final int settings) {
        final Exchange exchange = new Exchange(membership, topic, CONNECT_TIMEOUT);
        final int size = membership.size();
        final int rank = membership.rank();
        final ControlLayout layout = new ControlLayout(0, size, CHANNELS, INBOX_BYTES, SCRATCH_BYTES);
        final ControlLayout up = new ControlLayout(layout.end(), size, 1, MESSAGE_INBOX_BYTES, 0);
        final ControlLayout down = new ControlLayout(up.end(), size, 1, MESSAGE_INBOX_BYTES, 0);
        this.control = domain.allocate(down.end(), PageSize.BASE);
        this.transports = size == 1 ? "none" : "shm";
        this.sending = new Lane[size];
        this.receiving = new Lane[size];
        final Link[] links = new Link[size];
        try {
            final Invitation[] all = exchange(exchange, membership, domain, 31 * down.hashCode() + settings);
            for (int p = 0; p < size; p++) {
                if (p != rank) {
                    final PeerMemory memory = new PeerMemory(all[p].domain());
                    peers.add(memory);
                    final long token = all[p].control();
                    links[p] = new ShmLink(layout, rank, control.address(), p, token, memory);
                    sending[p] = lane(rank < p ? up : down, rank, p, token, memory, 0);
                    receiving[p] = lane(rank < p ? down : up, rank, p, token, memory, 1);
                }
            }
            this.collectives = new Lane(rank, links, control.address(), layout);
            // Nobody may leave before everyone has mapped everyone's memory.
            exchange.allGather(new byte[0]);
            membership.forget(topic);
        } catch (final RuntimeException e) {
            close();
            throw e;
        }
    }

    /** In a plan of two, the sender is rank 0 and the receiver rank 1. */
    private Lane lane(final ControlLayout layout, final int rank, final int peer, final long token,
            final PeerMemory memory, final int me) {
        final Link[] pair = new Link[2];
        pair[1 - me] = new ShmLink(layout, rank, control.address(), peer, token, memory);
        return new Lane(me, pair, control.address(), layout);
    }

    private Invitation[] exchange(final Exchange exchange, final Membership membership, final MemoryDomain domain,
            final int layout) {
        final byte[][] answers = exchange.allGather(new Invitation(domain.address(), control.token(), layout).encode());
        final Invitation[] all = new Invitation[answers.length];
        for (int p = 0; p < answers.length; p++) {
            all[p] = Invitation.decode(answers[p]);
            if (all[p].layout() != layout) {
                throw new JoinException(membership.peer(p).describe()
                        + " lays out its memory differently or has another " + Check.VARIABLE
                        + ": run the same Chagres with the same settings on all ranks");
            }
        }
        return all;
    }

    Lane collectives() {
        return collectives;
    }

    /** For messages of this rank to {@code peer}. */
    Lane sending(final int peer) {
        return sending[peer];
    }

    /** For messages of {@code peer} to this rank. */
    Lane receiving(final int peer) {
        return receiving[peer];
    }

    String transports() {
        return transports;
    }

    @Override
    public void close() {
        for (final PeerMemory peer : peers) {
            peer.close();
        }
        peers.clear();
        control.closeUnused();
    }
}
