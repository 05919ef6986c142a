package org.chagres.bootstrap;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.chagres.net.Acceptor;
import org.chagres.net.Admission;
import org.chagres.net.Claim;
import org.chagres.net.Credentials;
import org.chagres.net.EventLoop;
import org.chagres.net.Frame;
import org.chagres.net.FramedConnection;
import org.chagres.net.ProtocolException;

/** Rank 0's side of a {@link Gathering}: the ranks of the job connect to it. Its state belongs to the event loop's thread. */
final class Coordinator implements Gathering, Admission {
    private static final Duration LINGER = Duration.ofSeconds(1);
    /** For ranks whose start takes a little longer to hear why there will be no world, instead of finding nobody. */
    private static final Duration LATECOMERS = Duration.ofSeconds(2);
    private static final Duration LOOK = Duration.ofMillis(5);

    private final WorldInfo info;
    private final EventLoop loop;
    private final Credentials credentials;
    private final Deadline deadline;
    private final Acceptor acceptor;
    private final Introduction[] introductions;
    private final Guest[] guests;
    private final boolean[] ready;
    /** The ranks that have come, admitted or not. */
    private final Set<Integer> heard = new HashSet<>();
    private String refusal;
    private boolean over;
    private final CompletableFuture<Table> table = new CompletableFuture<>();
    private final CompletableFuture<Void> go = new CompletableFuture<>();
    private final CompletableFuture<String> abandoned = new CompletableFuture<>();

    private Coordinator(final WorldInfo info, final EventLoop loop, final Credentials credentials,
            final Deadline deadline, final Acceptor acceptor) {
        this.info = info;
        this.loop = loop;
        this.credentials = credentials;
        this.deadline = deadline;
        this.acceptor = acceptor;
        this.introductions = new Introduction[info.size()];
        this.guests = new Guest[info.size()];
        this.ready = new boolean[info.size()];
    }

    /** Lets the others come. */
    static Coordinator open(final WorldInfo info, final EventLoop loop, final Credentials credentials,
            final Deadline deadline, final Acceptor acceptor) {
        final Coordinator coordinator = new Coordinator(info, loop, credentials, deadline, acceptor);
        acceptor.start(coordinator);
        return coordinator;
    }

    /** A rank that has come. */
    private final class Guest implements FramedConnection.Receiver {
        private final int rank;
        private boolean closed;
        private FramedConnection connection;

        Guest(final int rank) {
            this.rank = rank;
        }

        @Override
        public void received(final Frame frame) throws ProtocolException {
            switch (frame.kind()) {
                case INTRODUCTION -> introduced(Introduction.decode(rank, ByteBuffer.wrap(frame.body())));
                case READY -> connected(rank);
                case REFUSED -> giveUp(frame.text() + missing());
                default -> throw new ProtocolException("a " + frame.kind() + " while joining");
            }
        }

        @Override
        public void ended(final FramedConnection.Ending ending) {
            giveUp("rank " + rank + " went away while the world was forming (" + ending.detail()
                    + "): see what it reported" + missing());
        }

        @Override
        public void closed() {
            closed = true;
        }
    }

    @Override
    public Credentials credentials(final Claim.Purpose purpose) {
        return purpose == Claim.Purpose.JOIN ? credentials : null;
    }

    /** A contradiction between ranks of the job concerns them all: none of them knows which side is right. */
    @Override
    public String refusal(final Claim claim) {
        heard.add(claim.from());
        if (refusal == null) {
            final String why = contradiction(claim);
            if (why != null) {
                giveUp(why);
            }
        }
        return refusal;
    }

    private String contradiction(final Claim claim) {
        final int rank = claim.from();
        if (claim.version() != Claim.VERSION) {
            return "rank " + rank + " speaks version " + claim.version() + " of the control protocol, rank 0 version "
                    + Claim.VERSION + ": run the same Chagres on all ranks";
        }
        if (claim.size() != info.size()) {
            return "rank " + rank + " has WORLD_SIZE=" + claim.size() + ", rank 0 has WORLD_SIZE=" + info.size()
                    + ": set the same on all ranks";
        }
        if (rank < 1 || rank >= info.size() || guests[rank] != null) {
            return "two processes claim rank " + rank + " of " + info.size() + ": give every process its own RANK";
        }
        return null;
    }

    @Override
    public void admitted(final Claim claim, final int fd, final InetSocketAddress remote) {
        final Guest guest = new Guest(claim.from());
        guests[claim.from()] = guest;
        guest.connection = FramedConnection.start(loop, fd, guest);
    }

    private void introduced(final Introduction one) throws ProtocolException {
        final int rank = one.peer().rank();
        if (introductions[rank] != null) {
            throw new ProtocolException("a second introduction");
        }
        introductions[rank] = one;
        if (Arrays.stream(introductions).allMatch(i -> i != null)) {
            final Table all = Table.of(List.of(introductions));
            final Frame frame = new Frame(Frame.Kind.TABLE, all.encode());
            for (int guest = 1; guest < guests.length; guest++) {
                guests[guest].connection.send(frame);
            }
            table.complete(all);
        }
    }

    private void connected(final int rank) {
        ready[rank] = true;
        for (final boolean one : ready) {
            if (!one) {
                return;
            }
        }
        over = true;
        dismiss(Frame.of(Frame.Kind.GO));
        acceptor.close();
        go.complete(null);
    }

    private void dismiss(final Frame last) {
        for (final Guest guest : guests) {
            if (guest != null) {
                guest.connection.finish(last, LINGER);
            }
        }
    }

    private void giveUp(final String why) {
        if (!over) {
            over = true;
            refusal = why;
            dismiss(Frame.of(Frame.Kind.REFUSED, why));
            abandoned.complete(why);
        }
    }

    /** Who has not come, for the end of a sentence; nothing once all have. */
    private String missing() {
        final List<Integer> missing = IntStream.range(1, info.size())
                .filter(rank -> introductions[rank] == null)
                .boxed()
                .toList();
        return missing.isEmpty() ? "" : "; these of " + info.size() + " ranks have not joined: " + Ranks.list(missing);
    }

    private String unfinished() {
        final String missing = missing();
        final String what = missing.isEmpty()
                ? "; these are not yet connected to all others: "
                        + Ranks.list(IntStream.range(0, info.size()).filter(r -> !ready[r]).boxed().toList())
                : missing;
        return "rank 0 waited " + deadline.granted().toMillis() + " ms" + what + "; start them, or raise "
                + Rendezvous.TIMEOUT_VARIABLE;
    }

    @Override
    public InetAddress localAddress() {
        return acceptor.address().getAddress();
    }

    @Override
    public InetAddress coordinatorAddress() {
        return localAddress();
    }

    @Override
    public Table introduce(final Introduction mine) {
        onLoop(() -> introductions[0] = mine);
        await(table);
        return table.resultNow();
    }

    @Override
    public void ready() {
        onLoop(() -> connected(0));
        await(go);
    }

    private void await(final CompletableFuture<?> event) {
        if (!deadline.await(event, abandoned)) {
            onLoop(() -> giveUp(unfinished()));
        }
        // A world that formed at the last moment has formed: only the loop knows which came first.
        Deadline.in(LINGER).await(event, abandoned);
        if (!event.isDone()) {
            throw new JoinException(abandoned.getNow("the control plane's thread is stuck"));
        }
    }

    private void onLoop(final Runnable task) {
        if (!loop.execute(task)) {
            throw new IllegalStateException("the control plane's thread has ended: see the log");
        }
    }

    @Override
    public CompletableFuture<String> abandoned() {
        return abandoned;
    }

    @Override
    public void abandon(final String why) {
        final Duration left = deadline.left();
        final Deadline late = Deadline.in(left.compareTo(LATECOMERS) < 0 ? left : LATECOMERS);
        final Deadline end = Deadline.in(left.compareTo(LINGER) < 0 ? LINGER : LATECOMERS);
        onLoop(() -> giveUp(why));
        while (!end.over() && !told(late)) {
            Deadline.in(LOOK).await(new CompletableFuture<>(), new CompletableFuture<>());
        }
    }

    /** Whether all that have come have heard that the world cannot form, and all others have come, or are too late. */
    private boolean told(final Deadline late) {
        final CompletableFuture<Boolean> answer = new CompletableFuture<>();
        onLoop(() -> answer.complete((late.over() || heard.size() >= info.size() - 1)
                && Arrays.stream(guests).allMatch(guest -> guest == null || guest.closed)));
        Deadline.in(LINGER).await(answer, answer);
        return answer.getNow(true);
    }
}
