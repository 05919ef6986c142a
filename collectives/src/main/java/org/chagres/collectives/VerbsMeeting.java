package org.chagres.collectives;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.chagres.bootstrap.Exchange;
import org.chagres.bootstrap.JoinException;
import org.chagres.bootstrap.Membership;
import org.chagres.memory.MemoryDomain;
import org.chagres.memory.Region;
import org.chagres.transport.verbs.DeviceMap;
import org.chagres.transport.verbs.NetworkDevices;
import org.chagres.transport.verbs.NumaDistances;
import org.chagres.transport.verbs.PathAgreement;
import org.chagres.transport.verbs.PathEnd;
import org.chagres.transport.verbs.PortSurvey;
import org.chagres.transport.verbs.UsablePort;
import org.chagres.transport.verbs.VerbsProblem;
import org.chagres.transport.verbs.VerbsSettings;
import org.chagres.transport.verbs.link.ConnectionData;
import org.chagres.transport.verbs.link.VerbsConnection;
import org.chagres.transport.verbs.link.VerbsPath;
import org.chagres.transport.verbs.link.VerbsTransport;
import org.chagres.verbs.Verbs;
import org.chagres.verbs.VerbsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connects ranks over verbs, as far as both ends of a pair can: all ranks tell what they have, make their ends, connect them, and try whether packets pass.
 * Whatever fails on the way leaves a pair without, and both ends know why. All ranks of the communicator take part in each step.
 */
final class VerbsMeeting {
    private static final Logger LOG = LoggerFactory.getLogger(VerbsMeeting.class);
    /** How long the first packets of all connections may take, however patient the settings are. */
    private static final Duration PROBE_PATIENCE = Duration.ofSeconds(20);
    /** A process says once that it does without. */
    private static final AtomicBoolean TOLD = new AtomicBoolean();

    private final Membership membership;
    private final TransportSetting setting;
    private final VerbsSettings settings;
    private final PortSurvey survey;
    private final List<String> lines = new ArrayList<>();
    /** By rank: the connection, and why there is none. */
    private final SortedMap<Integer, VerbsConnection> connections = new TreeMap<>();
    private final String[] reasons;
    private VerbsTransport transport;
    private boolean everywhere;

    /**
     * Looks for devices, if verbs may be of use to this rank.
     *
     * @throws IllegalArgumentException if a setting makes no sense on this host
     */
    VerbsMeeting(final Membership membership, final TransportSetting setting, final VerbsSettings settings) {
        this.membership = membership;
        this.setting = setting;
        this.settings = settings;
        this.reasons = new String[membership.size()];
        this.survey = setting.usesVerbs(membership)
                ? PortSurvey.of(settings, Verbs.providers(), NetworkDevices.ofThisHost())
                : null;
        if (survey != null) {
            survey.problem().ifPresent(this::tell);
        }
    }

    private void tell(final VerbsProblem problem) {
        if (problem.isMistake()) {
            throw new IllegalArgumentException(problem.reason());
        }
        lines.add(problem.line("TCP"));
        final boolean absent = problem.kind() == VerbsProblem.Kind.UNAVAILABLE
                || problem.kind() == VerbsProblem.Kind.DISABLED
                || problem.kind() == VerbsProblem.Kind.EXCLUDED;
        if (setting == TransportSetting.AUTO && !absent) {
            warnOnce(problem.line("TCP"));
        }
    }

    private static void warnOnce(final String line) {
        if (TOLD.compareAndSet(false, true)) {
            LOG.warn("{}", line);
        }
    }

    /** What this rank tells all others first. */
    VerbsOffer offer() {
        return survey == null
                ? VerbsOffer.NONE
                : new VerbsOffer(survey.problem().map(VerbsProblem::reason), DeviceMap.numaNodeOfThisProcess());
    }

    /**
     * Connects this rank to all that it can be connected to over verbs and should be.
     *
     * @param offers of all ranks
     * @throws JoinException if verbs is demanded and does not connect all ranks
     */
    void meet(final Exchange exchange, final List<VerbsOffer> offers, final MemoryDomain domain, final Region control) {
        if (setting == TransportSetting.VERBS) {
            demandAll(offers);
        }
        if (!anyPair(offers)) {
            return;
        }
        final List<VerbsGreeting> greetings = new ArrayList<>();
        final VerbsGreeting mine = greet(offers, domain, control);
        for (final byte[] greeting : exchange.allGather(mine.encode())) {
            greetings.add(VerbsGreeting.decode(greeting));
        }
        connect(offers, mine, greetings);
        agree(exchange, offers);
        probe();
        everywhere = agree(exchange, offers);
        report(greetings);
    }

    private void demandAll(final List<VerbsOffer> offers) {
        final String missing = IntStream.range(0, offers.size())
                .filter(r -> !offers.get(r).usable())
                .mapToObj(r -> membership.peer(r).describe() + ": " + offers.get(r).problem().orElseThrow())
                .collect(Collectors.joining("; "));
        if (!missing.isEmpty()) {
            throw new JoinException(TransportSetting.VARIABLE + "=verbs, but verbs cannot be used by " + missing);
        }
    }

    private boolean pairs(final int a, final int b, final List<VerbsOffer> offers) {
        return a != b && setting.wantsVerbs(membership, a, b) && offers.get(a).usable() && offers.get(b).usable();
    }

    /** Whether any two ranks may be connected over verbs. All ranks find the same. */
    private boolean anyPair(final List<VerbsOffer> offers) {
        return IntStream.range(0, offers.size())
                .anyMatch(a -> IntStream.range(0, a).anyMatch(b -> pairs(a, b, offers)));
    }

    private VerbsGreeting greet(final List<VerbsOffer> offers, final MemoryDomain domain, final Region control) {
        final int rank = membership.rank();
        final int[] peers = IntStream.range(0, offers.size()).filter(p -> pairs(rank, p, offers)).toArray();
        if (peers.length == 0) {
            return VerbsGreeting.none(offers.get(rank).problem().orElse("it has no peer for verbs"));
        }
        final UsablePort port = port(offers);
        final PathEnd here = PathEnd.of(rank, membership.peer(rank).hostName(), port);
        final SortedMap<Integer, ConnectionData> data = new TreeMap<>();
        try {
            transport = new VerbsTransport(port, settings, here, peers.length, domain, control);
            for (final int p : peers) {
                final VerbsConnection connection = transport.connection(p);
                connections.put(p, connection);
                data.put(p, transport.open(connection));
            }
            return new VerbsGreeting(Optional.empty(), Optional.of(here), data);
        } catch (final VerbsException | IllegalArgumentException e) {
            abandon();
            return VerbsGreeting.none(e.getMessage());
        }
    }

    private UsablePort port(final List<VerbsOffer> offers) {
        final String host = membership.peer(membership.rank()).host();
        final int[] local = IntStream.range(0, offers.size())
                .filter(r -> membership.peer(r).host().equals(host))
                .toArray();
        final DeviceMap map = DeviceMap.of(settings, survey,
                IntStream.of(local).mapToObj(r -> offers.get(r).numaNode()).toList(),
                NumaDistances.ofThisHost());
        final int me = (int) IntStream.of(local).filter(r -> r < membership.rank()).count();
        lines.add(map.line(me));
        lines.addAll(map.port(me).gid().lines());
        survey.notes().forEach(note -> lines.add("note: " + note));
        survey.skipped().forEach(skipped -> lines.add("not used: " + skipped));
        return map.port(me);
    }

    private void connect(final List<VerbsOffer> offers, final VerbsGreeting mine, final List<VerbsGreeting> greetings) {
        for (int p = 0; p < offers.size(); p++) {
            if (pairs(membership.rank(), p, offers)) {
                final VerbsGreeting theirs = greetings.get(p);
                final Optional<String> problem = mine.problem().or(theirs::problem);
                if (problem.isPresent()) {
                    reasons[p] = problem.get();
                } else {
                    connect(p, mine, theirs);
                }
            }
        }
    }

    private void connect(final int p, final VerbsGreeting mine, final VerbsGreeting theirs) {
        try {
            final VerbsPath path = new VerbsPath(theirs.end().orElseThrow(),
                    PathAgreement.of(mine.end().orElseThrow(), theirs.end().orElseThrow()));
            transport.connect(connections.get(p), mine.connections().get(p),
                    theirs.connections().get(membership.rank()), path);
        } catch (final VerbsException | IllegalArgumentException e) {
            reasons[p] = e.getMessage();
        }
    }

    /**
     * Tells all ranks what this one has not got connected to, and hears theirs; what only one end got connected is given up.
     *
     * @return whether all pairs that should be are connected
     */
    private boolean agree(final Exchange exchange, final List<VerbsOffer> offers) {
        final byte[][] all = exchange.allGather(Parcel.of(out -> {
            for (final String reason : reasons) {
                Parcel.writeOptional(out, Optional.ofNullable(reason));
            }
        }));
        boolean complete = true;
        for (int r = 0; r < all.length; r++) {
            final String[] theirs = Parcel.open(all[r], in -> {
                final String[] read = new String[reasons.length];
                for (int p = 0; p < read.length; p++) {
                    read[p] = Parcel.readOptional(in).orElse(null);
                }
                return read;
            });
            final String mine = theirs[membership.rank()];
            if (reasons[r] == null && mine != null) {
                reasons[r] = mine;
            }
            for (int p = 0; p < theirs.length; p++) {
                complete &= theirs[p] == null
                        && (r == p || !setting.wantsVerbs(membership, r, p) || pairs(r, p, offers));
            }
        }
        giveUp();
        return complete;
    }

    private void giveUp() {
        for (int p = 0; p < reasons.length; p++) {
            if (reasons[p] == null) {
                continue;
            }
            if (setting == TransportSetting.VERBS) {
                throw new JoinException(TransportSetting.VARIABLE + "=verbs, but "
                        + membership.peer(membership.rank()).describe() + " and "
                        + membership.peer(p).describe() + " cannot be connected: " + reasons[p]);
            }
            final VerbsConnection connection = connections.remove(p);
            if (connection != null) {
                transport.drop(connection);
            }
        }
        if (connections.isEmpty()) {
            abandon();
        }
    }

    /** Whether packets pass shows only when some have. */
    private void probe() {
        connections.forEach((p, connection) -> reasons[p] = transport.probe(connection).orElse(null));
        transport().ifPresent(t -> t.awaitProbes(PROBE_PATIENCE).forEach((p, failure) -> reasons[p] = failure));
    }

    private void report(final List<VerbsGreeting> greetings) {
        for (int p = 0; p < reasons.length; p++) {
            if (reasons[p] != null) {
                final String line = "verbs is not used to " + membership.peer(p).describe() + ", but TCP: "
                        + reasons[p];
                lines.add(line);
                warnOnce(line.replaceAll("\\s*\\R\\s*", " "));
            }
        }
        connections.forEach((p, connection) -> {
            final PathAgreement agreement = connection.path().agreement();
            lines.add("verbs to " + greetings.get(p).end().orElseThrow().describe() + ": MTU " + agreement.mtu().bytes()
                    + ", "
                    + settings.queuePairs() + " queue pair" + (settings.queuePairs() == 1 ? "" : "s"));
            agreement.notes().forEach(note -> lines.add("note: " + note));
        });
    }

    /** The connection to a rank, if there is one. */
    Optional<VerbsConnection> connection(final int peer) {
        return Optional.ofNullable(connections.get(peer));
    }

    /** What is to be polled, if there is any connection. */
    Optional<VerbsTransport> transport() {
        return Optional.ofNullable(transport);
    }

    /** Whether all pairs of ranks that should be are connected over verbs, and there is such a pair. All ranks find the same. */
    boolean everywhere() {
        return everywhere;
    }

    /** For people: what was chosen and why, and what was not. */
    List<String> lines() {
        return List.copyOf(lines);
    }

    /** Cuts all connections at once. */
    void abandon() {
        connections.clear();
        if (transport != null) {
            transport.abandon();
            transport = null;
        }
    }
}
