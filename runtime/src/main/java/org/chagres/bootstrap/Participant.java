package org.chagres.bootstrap;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.chagres.bindings.Sockets;
import org.chagres.net.Acceptor;
import org.chagres.net.Claim;
import org.chagres.net.Credentials;
import org.chagres.net.EventLoop;
import org.chagres.net.Frame;
import org.chagres.net.FramedConnection;
import org.chagres.net.Outgoing;
import org.chagres.net.ProtocolException;

/** The side of all ranks but 0 of a {@link Gathering}. */
final class Participant implements Gathering, FramedConnection.Receiver {
    private static final Duration RETRY = Duration.ofMillis(50);
    /** As long as the coordinator may take: one that has let this rank in while this rank gave up would take it for dead. */
    private static final Duration ATTEMPT = Acceptor.PATIENCE;
    /** A cluster's name service may learn of a host after its processes have started. */
    private static final Duration UNKNOWN_HOST_PATIENCE = Duration.ofSeconds(20);
    /** For the coordinator to say who is missing. */
    private static final Duration ANSWER = Duration.ofSeconds(2);

    private final WorldInfo info;
    private final EventLoop loop;
    private final Deadline deadline;
    private final InetAddress localAddress;
    private final InetAddress coordinatorAddress;
    private final CompletableFuture<Table> table = new CompletableFuture<>();
    private final CompletableFuture<Void> go = new CompletableFuture<>();
    private final CompletableFuture<String> abandoned = new CompletableFuture<>();
    /** Set by the loop's thread before anything can be sent. */
    private volatile FramedConnection connection;

    private Participant(final WorldInfo info, final EventLoop loop, final Deadline deadline, final int fd) {
        this.info = info;
        this.loop = loop;
        this.deadline = deadline;
        this.localAddress = Sockets.localAddress(fd).getAddress();
        this.coordinatorAddress = Sockets.remoteAddress(fd).getAddress();
    }

    /** Finds the coordinator, however long it takes to appear. */
    static Participant connect(final WorldInfo info, final EventLoop loop, final Credentials credentials,
            final Deadline deadline) {
        final long start = System.nanoTime();
        String last = "no time";
        while (!deadline.over()) {
            try {
                for (final InetAddress address : InetAddress.getAllByName(info.masterAddress())) {
                    switch (attempt(info, loop, credentials, deadline, address)) {
                        case Outgoing.Outcome.Connected(final int fd) -> {
                            return open(new Participant(info, loop, deadline, fd), fd);
                        }
                        case Outgoing.Outcome.Failed(final String why, final boolean transitory) -> {
                            if (!transitory) {
                                throw new JoinException(
                                        "rank " + info.rank() + " cannot join at " + where(info) + ": " + why);
                            }
                            last = why;
                        }
                    }
                }
            } catch (final UnknownHostException e) {
                if (deadline.over() || System.nanoTime() - start > UNKNOWN_HOST_PATIENCE.toNanos()) {
                    throw unresolved(info, e);
                }
                last = "MASTER_ADDR=" + info.masterAddress() + " cannot be resolved";
            }
            rest();
        }
        throw new JoinException("rank " + info.rank() + " could not reach the coordinator at " + where(info)
                + " within " + deadline.granted().toMillis() + " ms (" + last
                + "): is rank 0 running, and MASTER_ADDR and MASTER_PORT the same on all ranks?");
    }

    private static Outgoing.Outcome attempt(final WorldInfo info, final EventLoop loop, final Credentials credentials,
            final Deadline deadline, final InetAddress address) {
        final Duration left = deadline.left();
        final CompletableFuture<Outgoing.Outcome> attempt = Outgoing.connect(loop,
                new InetSocketAddress(address, info.masterPort()), Claim.join(info.rank(), info.size()), credentials,
                left.compareTo(ATTEMPT) < 0 ? left : ATTEMPT);
        try {
            return attempt.get();
        } catch (final ExecutionException e) {
            throw new IllegalStateException("an attempt to connect threw", e);
        } catch (final InterruptedException e) {
            Outgoing.abandon(attempt);
            Thread.currentThread().interrupt();
            throw new JoinException("interrupted while joining", e);
        }
    }

    private static JoinException unresolved(final WorldInfo info, final UnknownHostException e) {
        return new JoinException("MASTER_ADDR=" + info.masterAddress()
                + " cannot be resolved: use the name or address of rank 0's host", e);
    }

    private static void rest() {
        try {
            Thread.sleep(RETRY);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new JoinException("interrupted while joining", e);
        }
    }

    private static String where(final WorldInfo info) {
        return info.masterAddress() + ":" + info.masterPort();
    }

    private static Participant open(final Participant participant, final int fd) {
        final CompletableFuture<Void> started = new CompletableFuture<>();
        participant.loop.execute(() -> {
            participant.connection = FramedConnection.start(participant.loop, fd, participant);
            started.complete(null);
        });
        Deadline.in(ANSWER).await(started, started);
        return participant;
    }

    @Override
    public void received(final Frame frame) throws ProtocolException {
        switch (frame.kind()) {
            case TABLE -> table.complete(Table.decode(frame.body(), info.size()));
            case GO -> {
                go.complete(null);
                connection.finish(ANSWER);
            }
            case REFUSED -> {
                abandoned.complete(frame.text());
                connection.finish(ANSWER);
            }
            default -> throw new ProtocolException("a " + frame.kind() + " while joining");
        }
    }

    @Override
    public void ended(final FramedConnection.Ending ending) {
        abandoned.complete("the coordinator, rank 0, went away while rank " + info.rank() + " joined ("
                + ending.detail() + "): see what it reported");
    }

    @Override
    public InetAddress localAddress() {
        return localAddress;
    }

    @Override
    public InetAddress coordinatorAddress() {
        return coordinatorAddress;
    }

    @Override
    public Table introduce(final Introduction mine) {
        connection.send(new Frame(Frame.Kind.INTRODUCTION, mine.encode()));
        await(table);
        return table.resultNow();
    }

    @Override
    public void ready() {
        connection.send(Frame.of(Frame.Kind.READY));
        await(go);
    }

    private void await(final CompletableFuture<?> event) {
        if (!deadline.await(event, abandoned)) {
            abandon("rank " + info.rank() + " waited " + deadline.granted().toMillis() + " ms, the "
                    + Rendezvous.TIMEOUT_VARIABLE);
        }
        if (!event.isDone()) {
            throw new JoinException(abandoned.resultNow());
        }
    }

    @Override
    public CompletableFuture<String> abandoned() {
        return abandoned;
    }

    @Override
    public void abandon(final String why) {
        if (!abandoned.isDone()) {
            connection.send(Frame.of(Frame.Kind.REFUSED, why));
            Deadline.in(ANSWER).await(abandoned, abandoned);
            abandoned.complete(why);
        }
    }
}
