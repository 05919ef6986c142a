package org.chagres.collectives;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.chagres.bindings.ErrnoException;
import org.chagres.bootstrap.Exchange;
import org.chagres.bootstrap.JoinException;
import org.chagres.bootstrap.Membership;
import org.chagres.bootstrap.PeerFailure;
import org.chagres.collectives.cost.LinkClass;
import org.chagres.collectives.cost.Wires;
import org.chagres.collectives.exec.Lane;
import org.chagres.collectives.plan.Limits;
import org.chagres.memory.MemoryDomain;
import org.chagres.memory.PageSize;
import org.chagres.memory.PeerMemory;
import org.chagres.memory.Region;
import org.chagres.transport.CombinedTransport;
import org.chagres.transport.ControlLayout;
import org.chagres.transport.Link;
import org.chagres.transport.ShmLink;
import org.chagres.transport.TcpConnection;
import org.chagres.transport.TcpLink;
import org.chagres.transport.TcpTransport;
import org.chagres.transport.Transport;
import org.chagres.transport.verbs.VerbsSettings;
import org.chagres.transport.verbs.link.VerbsConnection;
import org.chagres.transport.verbs.link.VerbsLink;
import org.chagres.transport.verbs.link.VerbsTransport;

/**
 * Everything that connects one communicator's ranks: this rank's control region, the peers' memory or the connections to them, and the lanes: one for
 * collectives, and for each peer one to send and one to receive. Owns what it makes.
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
    /** The lanes of a connection: collectives, messages from the lower to the higher rank, and the other way. */
    private static final int COLLECTIVES = 0;
    private static final int UP = 1;
    private static final int DOWN = 2;
    /** What plans of collectives may use. */
    static final Limits LIMITS = new Limits(CHUNK_BYTES, SCRATCH_BYTES, INBOX_BYTES, CHANNELS);
    /** What plans of messages may use. */
    static final Limits MESSAGE_LIMITS = new Limits(CHUNK_BYTES, SCRATCH_BYTES, MESSAGE_INBOX_BYTES, 1);

    private final Membership membership;
    private final MemoryDomain domain;
    private final ControlLayout[] layouts = new ControlLayout[3];
    private final Region control;
    private final List<PeerMemory> peers = new ArrayList<>();
    private final Check check;
    private final TcpTransport tcp;
    private final TransportSetting setting;
    private final VerbsMeeting verbs;
    private final Transport transport;
    private final Lane collectives;
    private final Lane[] sending;
    private final Lane[] receiving;
    private final String[] transports;

    /**
     * Connects all ranks of {@code membership}, which must all do so at the same time.
     *
     * @param topic a name for this communicator that all its ranks derive alike
     * @param check must be equal on all ranks
     */
    Fabric(final Membership membership, final MemoryDomain domain, final Settings settings, final long topic,
            final Check check) {
        this.membership = membership;
        this.domain = domain;
        this.check = check;
        this.tcp = new TcpTransport(domain);
        this.setting = TransportSetting.of(settings.environment());
        this.verbs = new VerbsMeeting(membership, setting, VerbsSettings.of(settings.environment()));
        final int size = membership.size();
        final int rank = membership.rank();
        final Exchange exchange = new Exchange(membership, topic, CONNECT_TIMEOUT);
        layouts[COLLECTIVES] = new ControlLayout(0, size, CHANNELS, INBOX_BYTES, SCRATCH_BYTES);
        layouts[UP] = new ControlLayout(layouts[COLLECTIVES].end(), size, 1, MESSAGE_INBOX_BYTES, 0);
        layouts[DOWN] = new ControlLayout(layouts[UP].end(), size, 1, MESSAGE_INBOX_BYTES, 0);
        this.control = domain.allocate(layouts[DOWN].end(), PageSize.BASE);
        this.transports = new String[size];
        this.sending = new Lane[size];
        this.receiving = new Lane[size];
        final Link[] links = new Link[size];
        try {
            final Connector[] connectors = connectors(exchange, topic);
            for (int p = 0; p < size; p++) {
                if (p != rank) {
                    links[p] = connectors[p].link(COLLECTIVES);
                    transports[p] = links[p].transport();
                    sending[p] = lane(connectors[p], rank < p ? UP : DOWN, 0);
                    receiving[p] = lane(connectors[p], rank < p ? DOWN : UP, 1);
                }
            }
            this.collectives = new Lane(rank, links, control.address(), layouts[COLLECTIVES]);
            // Nobody may leave before everyone has mapped everyone's memory.
            exchange.allGather(new byte[0]);
            membership.forget(topic);
            this.transport = combined();
        } catch (final RuntimeException e) {
            abandon();
            throw e;
        }
    }

    /** Makes the links to one peer. */
    private interface Connector {
        Link link(int lane);
    }

    /** In a plan of two, the sender is rank 0 and the receiver rank 1. */
    private Lane lane(final Connector connector, final int lane, final int me) {
        final Link[] pair = new Link[2];
        pair[1 - me] = connector.link(lane);
        return new Lane(me, pair, control.address(), layouts[lane]);
    }

    private Connector[] connectors(final Exchange exchange, final long topic) {
        final int rank = membership.rank();
        final int size = membership.size();
        final Invitation[] all = exchange(exchange);
        final Connector[] connectors = new Connector[size];
        verbs.meet(exchange, Arrays.stream(all).map(Invitation::verbs).toList(), domain, control);
        // Connecting is answered by the peer's control plane, whatever its other threads do; so nobody waits in a circle.
        for (int p = 0; p < size; p++) {
            if (p != rank && setting.sharesMemory(membership, p, all[p].transport())) {
                connectors[p] = throughMemory(p, all[p]);
            } else if (p != rank && verbs.connection(p).isPresent()) {
                connectors[p] = overVerbs(verbs.connection(p).get(), all[p].control());
            } else if (p < rank) {
                connectors[p] = overTcp(p, all[p].control(), membership.connections()
                        .connect(all[p].accepts(), p, topic, 0, CONNECT_TIMEOUT));
            }
        }
        for (int p = rank + 1; p < size; p++) {
            if (connectors[p] == null) {
                connectors[p] = overTcp(p, all[p].control(),
                        membership.connections().accept(p, topic, 0, CONNECT_TIMEOUT, this::requireMembers));
            }
        }
        return connectors;
    }

    /** Whoever hears of a failure first gives up, and does not connect any more to those that have not heard of it. */
    private void requireMembers() {
        final PeerFailure failure = membership.failure();
        if (failure != null) {
            throw new JoinException(membership.peer(failure.rank()).describe() + " failed while rank "
                    + membership.rank() + " made connections: " + failure.reason());
        }
    }

    private Connector throughMemory(final int peer, final Invitation invitation) {
        final PeerMemory memory;
        try {
            memory = new PeerMemory(invitation.domain());
        } catch (final ErrnoException e) {
            throw new JoinException(membership.peer(peer).describe()
                    + " is on this host, but its memory cannot be mapped ("
                    + e.getMessage() + "): run all ranks as one user, or set " + TransportSetting.VARIABLE + "=tcp", e);
        }
        peers.add(memory);
        return lane -> new ShmLink(layouts[lane], membership.rank(), control.address(), peer, invitation.control(),
                memory);
    }

    private Connector overTcp(final int peer, final long theirControl, final int fd) {
        final TcpConnection connection = tcp.connection(fd, peer);
        return lane -> new TcpLink(connection, lane, layouts[lane], membership.rank(), control, theirControl);
    }

    private Connector overVerbs(final VerbsConnection connection, final long theirControl) {
        return lane -> new VerbsLink(connection, lane, layouts[lane], membership.rank(), control, theirControl);
    }

    private Invitation[] exchange(final Exchange exchange) {
        final InetSocketAddress nowhere = new InetSocketAddress(java.net.InetAddress.getLoopbackAddress(), 0);
        final int layout = 31 * layouts[DOWN].hashCode() + check.name().hashCode();
        final byte[][] answers = exchange.allGather(new Invitation(domain.address(), control.token(), layout,
                setting.label(), mayNeedTcp() ? membership.connections().address() : nowhere,
                verbs.offer()).encode());
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

    private boolean mayNeedTcp() {
        for (int p = 0; p < membership.size(); p++) {
            if (p != membership.rank() && setting != TransportSetting.VERBS
                    && !setting.sharesMemory(membership, p, setting.label())) {
                return true;
            }
        }
        return false;
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

    /** What must be polled for the links to move; null if they move by themselves. */
    Transport transport() {
        return transport;
    }

    private Transport combined() {
        if (verbs.transport().isEmpty()) {
            return tcp.isEmpty() ? null : tcp;
        }
        return tcp.isEmpty() ? verbs.transport().get() : new CombinedTransport(verbs.transport().get(), tcp);
    }

    /** What ranks are connected by, for prices: the same on all ranks. */
    Wires wires() {
        return switch (setting) {
            case TCP -> new Wires(LinkClass.TCP, LinkClass.TCP);
            case VERBS -> new Wires(LinkClass.VERBS, LinkClass.VERBS);
            case AUTO, SHM -> new Wires(LinkClass.SHM, verbs.everywhere() ? LinkClass.VERBS : LinkClass.TCP);
        };
    }

    /** For people: which devices are used for what, and why; nothing where verbs is of no use. */
    List<String> devices() {
        return verbs.lines();
    }

    /** How each rank is reached; null for this one. */
    String[] transports() {
        return transports.clone();
    }

    /** All transports in use: {@code shm}, {@code tcp}, {@code verbs}, {@code shm+verbs}, ..., or {@code none} in a world of one. */
    String describeTransports() {
        final String all = Arrays.stream(transports)
                .filter(Objects::nonNull)
                .distinct()
                .sorted()
                .collect(Collectors.joining("+"));
        return all.isEmpty() ? "none" : all;
    }

    /** Closes without bringing to the peers what they were given: for a communicator that broke. */
    void abandon() {
        verbs.abandon();
        tcp.abandon();
        close();
    }

    @Override
    public void close() {
        verbs.transport().ifPresent(VerbsTransport::close);
        tcp.close();
        for (final PeerMemory peer : peers) {
            peer.close();
        }
        peers.clear();
        control.closeUnused();
    }
}
