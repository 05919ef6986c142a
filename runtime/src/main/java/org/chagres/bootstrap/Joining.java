package org.chagres.bootstrap;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.chagres.bindings.ErrnoException;
import org.chagres.net.Acceptor;
import org.chagres.net.Claim;
import org.chagres.net.Credentials;
import org.chagres.net.EventLoop;
import org.chagres.net.Outgoing;
import org.chagres.net.Strangers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One rank's way into a world: meet at the coordinator, learn who is there, connect to all, leave the coordinator. */
final class Joining {
    private static final Logger LOG = LoggerFactory.getLogger(Joining.class);
    private static final String WORLD_KEY = "world";
    private static final Duration RETRY = Duration.ofMillis(20);
    /** Who listens answers at once; who does not is better reported before those who wait for it give up. */
    private static final Duration CONNECT = Duration.ofSeconds(10);

    private final Map<String, String> environment;
    private final WorldInfo info;
    private final Peer me;
    private final Secret secret;
    private final Credentials credentials;
    private final Duration liveness;
    private final EventLoop loop;
    private final Deadline deadline;
    private final Strangers strangers = new Strangers();

    Joining(final Map<String, String> environment, final WorldInfo info, final Peer me, final Secret secret,
            final Credentials credentials, final Duration liveness, final EventLoop loop, final Deadline deadline) {
        this.environment = environment;
        this.info = info;
        this.me = me;
        this.secret = secret;
        this.credentials = credentials;
        this.liveness = liveness;
        this.loop = loop;
        this.deadline = deadline;
    }

    Membership join() {
        final Gathering gathering = info.rank() == 0
                ? Coordinator.open(info, loop, credentials, deadline,
                        new CoordinatorAddress(info).listen(loop, strangers))
                : Participant.connect(info, loop, credentials, deadline);
        try {
            return join(gathering);
        } catch (final RuntimeException e) {
            gathering.abandon(e instanceof JoinException ? e.getMessage() : me.describe() + ": " + e.getMessage());
            throw e;
        }
    }

    private Membership join(final Gathering gathering) {
        final Acceptor acceptor = listen(gathering);
        final Table table = gathering.introduce(new Introduction(me, acceptor.address()));
        warnOfStrangers(table);
        final Mesh mesh = Mesh.open(info.rank(), table, loop, acceptor,
                credentials.with(secret.key().derive(WORLD_KEY, table.id())), liveness);
        try {
            connect(mesh, table, gathering);
            gathering.ready();
            return mesh;
        } catch (final RuntimeException e) {
            mesh.withdraw();
            throw e;
        }
    }

    /** Opened before anybody is told of it: whoever comes too early waits in its queue. */
    private Acceptor listen(final Gathering gathering) {
        final InetAddress local = gathering.localAddress();
        // The coordinator's host reaches itself by the loopback interface, where no other host gets at this rank.
        final boolean hidden = info.rank() != 0 && local.isLoopbackAddress()
                && !CoordinatorAddress.saysLoopback(info.masterAddress());
        final InetAddress routed = hidden ? CoordinatorAddress.any() : local;
        final InetAddress chosen = Interfaces.choose(environment, routed);
        try {
            return Acceptor.open(loop, new InetSocketAddress(chosen, 0), info.size(), strangers);
        } catch (final ErrnoException e) {
            throw new JoinException(
                    "rank " + info.rank() + " cannot listen at " + chosen.getHostAddress() + ": " + e.getMessage(), e);
        }
    }

    private void warnOfStrangers(final Table table) {
        if (info.rank() == 0 && !secret.set() && table.hosts() > 1) {
            LOG.warn(
                    "{} hosts joined without a secret: whoever reaches their ports can join; set {} or {} on all ranks",
                    table.hosts(), Secret.VARIABLE, Secret.FILE_VARIABLE);
        }
    }

    /** Connects to all lower ranks, and waits for all higher ones. */
    private void connect(final Mesh mesh, final Table table, final Gathering gathering) {
        final Duration most = deadline.left().multipliedBy(4).dividedBy(5);
        final Deadline patience = Deadline.in(most.compareTo(CONNECT) < 0 ? most : CONNECT);
        final List<CompletableFuture<Outgoing.Outcome>> attempts = new ArrayList<>();
        try {
            for (int other = 0; other < info.rank(); other++) {
                attempts.add(attempt(mesh, target(table, other, gathering), other, patience));
            }
            for (int other = 0; other < info.rank(); other++) {
                final int peer = other;
                final int fd = await(mesh, attempts, other, target(table, other, gathering), patience, gathering);
                loop.execute(() -> mesh.attach(peer, fd));
            }
        } catch (final RuntimeException e) {
            attempts.forEach(Outgoing::abandon);
            throw e;
        }
        if (!deadline.await(mesh.complete(), gathering.abandoned())) {
            throw new JoinException(
                    "rank " + info.rank() + " waited " + deadline.granted().toMillis() + " ms for ranks "
                            + Ranks.list(mesh.missing()) + " to connect to it at " + text(mesh.connections().address())
                            + ": see what they report, and whether their hosts reach that address");
        }
        checkGoesOn(gathering);
    }

    private InetSocketAddress target(final Table table, final int other, final Gathering gathering) {
        final InetSocketAddress said = table.of(other).acceptor();
        return said.getAddress().isAnyLocalAddress()
                ? new InetSocketAddress(gathering.coordinatorAddress(), said.getPort())
                : said;
    }

    private CompletableFuture<Outgoing.Outcome> attempt(final Mesh mesh, final InetSocketAddress to, final int other,
            final Deadline patience) {
        return Outgoing.connect(loop, to, Claim.control(info.rank(), other, info.size()),
                mesh.credentials(Claim.Purpose.CONTROL), patience.left());
    }

    private int await(final Mesh mesh, final List<CompletableFuture<Outgoing.Outcome>> attempts, final int other,
            final InetSocketAddress to, final Deadline patience, final Gathering gathering) {
        while (true) {
            final CompletableFuture<Outgoing.Outcome> attempt = attempts.get(other);
            Deadline.in(patience.left().plus(CONNECT)).await(attempt, gathering.abandoned());
            checkGoesOn(gathering);
            if (attempt.resultNow() instanceof Outgoing.Outcome.Connected(final int fd)) {
                // From here on the connection is the mesh's.
                attempts.set(other, new CompletableFuture<>());
                return fd;
            }
            final Outgoing.Outcome.Failed failed = (Outgoing.Outcome.Failed) attempt.resultNow();
            if (!failed.transitory() || patience.over()) {
                throw new JoinException(me.describe() + " cannot connect to " + mesh.peer(other).describe() + " at "
                        + text(to) + ": " + failed.why()
                        + "; let such connections through, or choose an interface with CHAGRES_SOCKET_IFNAME");
            }
            rest(gathering);
            attempts.set(other, attempt(mesh, to, other, patience));
        }
    }

    private static void checkGoesOn(final Gathering gathering) {
        if (gathering.abandoned().isDone()) {
            throw new JoinException(gathering.abandoned().resultNow());
        }
    }

    private static void rest(final Gathering gathering) {
        Deadline.in(RETRY).await(gathering.abandoned(), gathering.abandoned());
    }

    private static String text(final InetSocketAddress address) {
        return address.getAddress().getHostAddress() + ":" + address.getPort();
    }
}
