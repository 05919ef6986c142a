package org.chagres.bootstrap;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.chagres.net.Acceptor;
import org.chagres.net.Admission;
import org.chagres.net.Claim;
import org.chagres.net.Credentials;
import org.chagres.net.EventLoop;
import org.chagres.net.Frame;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A membership of processes: an authenticated control connection between every two ranks, all run by one thread of the process. Each rank sees for itself
 * what becomes of each other.
 */
final class Mesh implements Membership, Admission, DataHub.Peers {
    private static final Logger LOG = LoggerFactory.getLogger(Mesh.class);
    private static final Duration CLOSE_SLACK = Duration.ofMillis(500);
    /** How many heartbeats fit into the time after which a silent host counts as gone. */
    private static final int HEARTBEATS = 4;

    private final int rank;
    private final Table table;
    private final EventLoop loop;
    private final Acceptor acceptor;
    private final Credentials credentials;
    private final Duration liveness;
    private final Fates fates;
    private final Mailboxes mailboxes = new Mailboxes();
    private final DataHub hub;
    /** Written by the loop's thread until {@link #complete}. */
    private final ControlLine[] lines;
    private final CompletableFuture<Void> complete = new CompletableFuture<>();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final int localSize;
    private int missing;

    private Mesh(final int rank, final Table table, final EventLoop loop, final Acceptor acceptor,
            final Credentials credentials, final Duration liveness) {
        this.rank = rank;
        this.table = table;
        this.loop = loop;
        this.acceptor = acceptor;
        this.credentials = credentials;
        this.liveness = liveness;
        this.fates = new Fates(table.size());
        this.lines = new ControlLine[table.size()];
        this.missing = table.size() - 1;
        this.localSize = (int) IntStream.range(0, table.size()).filter(other -> !remote(other)).count();
        this.hub = new DataHub(loop, acceptor.address(), credentials, rank, this);
    }

    /**
     * Begins to accept the connections of higher ranks.
     *
     * @param credentials by the world's key
     * @param liveness how long another host may leave what is sent to it unacknowledged
     */
    static Mesh open(final int rank, final Table table, final EventLoop loop, final Acceptor acceptor,
            final Credentials credentials, final Duration liveness) {
        final Mesh mesh = new Mesh(rank, table, loop, acceptor, credentials, liveness);
        acceptor.start(mesh);
        if (mesh.localSize < table.size()) {
            loop.execute(mesh::beat);
        }
        return mesh;
    }

    private void beat() {
        Stream.of(lines).filter(Objects::nonNull).filter(line -> remote(line.rank())).forEach(ControlLine::beat);
        loop.after(liveness.dividedBy(HEARTBEATS), this::beat);
    }

    private boolean remote(final int other) {
        return !table.of(other).peer().host().equals(table.of(rank).peer().host());
    }

    /** Completes when there is a connection with every other rank. */
    CompletableFuture<Void> complete() {
        return complete;
    }

    /** The ranks without a connection. Called once it will not change. */
    List<Integer> missing() {
        return IntStream.range(0, lines.length).filter(r -> r != rank && lines[r] == null).boxed().toList();
    }

    /** Makes the connection with {@code other}. Called by the loop's thread. */
    void attach(final int other, final int fd) {
        lines[other] = ControlLine.start(loop, fd, peer(other), fates, mailboxes, remote(other), liveness);
        if (--missing == 0) {
            complete.complete(null);
        }
    }

    @Override
    public Credentials credentials(final Claim.Purpose purpose) {
        return purpose == Claim.Purpose.JOIN ? null : credentials;
    }

    @Override
    public String refusal(final Claim claim) {
        if (claim.purpose() == Claim.Purpose.DATA) {
            return hub.refusal(claim);
        }
        final boolean expected = claim.to() == rank && claim.from() > rank && claim.from() < lines.length
                && lines[claim.from()] == null;
        return expected
                ? null
                : "a control connection of rank " + claim.from() + " to rank " + claim.to() + " came to rank " + rank
                        + ", which expects none";
    }

    @Override
    public void admitted(final Claim claim, final int fd, final InetSocketAddress remote) {
        if (claim.purpose() == Claim.Purpose.DATA) {
            hub.admitted(claim, fd, remote);
        } else {
            attach(claim.from(), fd);
        }
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int size() {
        return table.size();
    }

    @Override
    public int localSize() {
        return localSize;
    }

    @Override
    public Peer peer(final int other) {
        return table.of(other).peer();
    }

    @Override
    public Fates fates() {
        return fates;
    }

    @Override
    public void send(final int to, final long topic, final byte[] body) {
        if (body.length > MAX_MESSAGE_BYTES) {
            throw new IllegalArgumentException("a control message of " + body.length + " bytes: the limit is "
                    + MAX_MESSAGE_BYTES);
        }
        if (to == rank) {
            mailboxes.deliver(topic, new Mailbox.Letter(rank, body.clone()));
        } else if (!fates.gone(to) && !closed.get()) {
            lines[to].send(topic, body);
        }
    }

    @Override
    public Mailbox mailbox(final long topic) {
        return mailboxes.mailbox(topic);
    }

    @Override
    public void forget(final long topic) {
        mailboxes.forget(topic);
    }

    @Override
    public DataConnections connections() {
        return hub;
    }

    @Override
    public InetSocketAddress reachable(final int peer, final InetSocketAddress at) {
        return at.getAddress().isAnyLocalAddress() ? new InetSocketAddress(lines[peer].address(), at.getPort()) : at;
    }

    @Override
    public int failures() {
        return fates.failures();
    }

    @Override
    public PeerFailure failure() {
        return fates.first();
    }

    @Override
    public PeerFailure failureOf(final int other) {
        return fates.failureOf(other);
    }

    @Override
    public boolean hasLeft(final int other) {
        return fates.hasLeft(other);
    }

    @Override
    public void expel(final int other, final String reason) {
        if (other == rank) {
            throw new IllegalArgumentException("rank " + rank + " cannot expel itself: it can close");
        }
        if (fates.fail(new PeerFailure(other, reason))) {
            lines[other].finish(Frame.of(Frame.Kind.EXPELLED, reason));
        }
    }

    @Override
    public boolean responds(final int other, final Duration patience) {
        return other == rank || !fates.gone(other) && lines[other].responds(patience);
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        loop.execute(acceptor::close);
        final List<ControlLine> open = Stream.of(lines).filter(Objects::nonNull).toList();
        open.forEach(line -> line.finish(Frame.of(Frame.Kind.BYE)));
        final CompletableFuture<Void> done = CompletableFuture
                .allOf(open.stream().map(ControlLine::whenClosed).toArray(CompletableFuture<?>[]::new));
        await(done);
        loop.close();
        hub.close();
    }

    /** A peer that is stopped takes no notice for now: the goodbye waits in its kernel. */
    private static void await(final CompletableFuture<Void> done) {
        try {
            done.get(ControlLine.LINGER.plus(CLOSE_SLACK).toMillis(), TimeUnit.MILLISECONDS);
        } catch (final TimeoutException | ExecutionException e) {
            LOG.debug("not all peers have taken the goodbye: {}", e.toString());
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Gives up before the world has formed; whoever runs the loop closes it. */
    void withdraw() {
        closed.set(true);
        loop.execute(() -> {
            acceptor.close();
            hub.close();
        });
    }

    /** The thread that runs the connections: when it ends, they end without a goodbye, as with the process. */
    EventLoop loop() {
        return loop;
    }
}
