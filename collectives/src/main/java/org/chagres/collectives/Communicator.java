package org.chagres.collectives;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.agrona.concurrent.AgentRunner;
import org.chagres.bootstrap.Exchange;
import org.chagres.bootstrap.JoinException;
import org.chagres.bootstrap.Membership;
import org.chagres.bootstrap.Peer;
import org.chagres.collectives.plan.Collective;
import org.chagres.collectives.plan.Shape;
import org.chagres.collectives.plan.Topology;
import org.chagres.memory.MemoryDomain;
import org.chagres.progress.Waiting;

/**
 * A group of ranks that compute together: the collective operations, with the meaning that NCCL gives them, and messages between two ranks.
 *
 * <p><b>Order.</b> All ranks call the same collectives in the same order; what they call is compared, and a difference is an exception on the ranks
 * concerned. Operations of one communicator run one after another.
 *
 * <p><b>Memory.</b> Segments within a {@link Buffer} of this communicator take the zero-copy path; any other segment, on or off the heap, is copied
 * through registered memory. {@code send} and {@code recv} must not overlap, except exactly in place: equal for all_reduce, reduce, broadcast and
 * all_to_all; {@code send} at block {@code rank} of {@code recv} for all_gather and gather (at the root); {@code recv} at block {@code rank} of
 * {@code send} for reduce_scatter and scatter (at the root). Where a rank reads or writes nothing, its segment may be null.
 *
 * <p><b>Result.</b> All ranks end with the same bits. Reductions run in rank order where the algorithm allows ({@link #explain} says).
 *
 * <p><b>Errors.</b> Wrong arguments throw {@link IllegalArgumentException} before anything is sent, a closed communicator or buffer
 * {@link IllegalStateException}. {@link PeerFailedException}, {@link CollectiveTimeoutException}, {@link CollectiveMismatchException} and
 * {@link CommunicatorAbortedException} end the communicator, on all its ranks within about a second: whichever rank meets one tells the others, and every
 * operation under way and every later one throws the same. What is in the buffers of such an operation is undefined. Close the communicator, or
 * {@link #shrink} it and go on. Communicators split from it work on as long as their own members do, and a broken one does not harm the one it was
 * split from.
 *
 * <p><b>Threads.</b> Any thread may call; calls are carried out one after another. The calling thread drives a blocking operation, so the lowest latency
 * comes from one thread that calls. Blocking operations on registered memory allocate nothing once an operation of the same shape has run.
 */
public final class Communicator implements AutoCloseable {
    /** The id of the communicator of all ranks. */
    private static final long WORLD = 1;
    /** How long the news of a peer's end may take. */
    private static final Duration NEWS = Duration.ofSeconds(1);

    private final Membership membership;
    private final Foundation foundation;
    /** Whether this communicator is one of the foundation's users, not a part of one. */
    private final boolean founded;
    private final Settings settings;
    private final long id;
    private final long timeoutNanos;
    /** Itself, but for a view: the communicator that it shows. */
    private final Communicator whole;
    private final Agreement agreement;
    /** The attempt of the agreement that this communicator came from; 0 if it did not come from one. */
    private final long attempt;
    private final Alarm alarm;
    private final Fabric fabric;
    private final Operations operations;
    private final Engine engine;
    private final AgentRunner progress;
    private final List<Communicator> children;
    private long splits;
    private volatile boolean closed;

    /** Connects all ranks of {@code membership}, which must all do so at the same time. */
    private Communicator(final Membership membership, final Foundation foundation, final boolean founded,
            final Settings settings, final long id, final Agreement agreement, final long attempt) {
        this.membership = membership;
        this.foundation = foundation;
        this.founded = founded;
        this.settings = settings;
        this.id = id;
        this.timeoutNanos = Settings.nanos(settings.timeout());
        this.whole = this;
        this.agreement = agreement;
        this.attempt = attempt;
        this.children = new CopyOnWriteArrayList<>();
        final Check check = Check.of(settings.environment());
        final MemoryDomain domain = foundation.domain();
        final Waiting waiting = Waiting.choose(membership.localSize(), Runtime.getRuntime().availableProcessors(),
                settings.environment());
        this.operations = new Operations(membership.rank(), membership.size(), settings,
                Topology.of(IntStream.range(0, membership.size()).mapToObj(r -> membership.peer(r).host()).toList()));
        this.fabric = new Fabric(membership, domain, settings, id, check);
        operations.connectedBy(fabric.wires());
        if (check == Check.ALL) {
            fabric.collectives().callRoll();
        }
        this.alarm = new Alarm(membership, id);
        this.engine = new Engine(membership, domain, settings, waiting, fabric, alarm, id);
        final DebugLog debug = DebugLog.of(settings.environment(), membership.rank());
        debug.info(() -> TopologyText.hosts(membership) + "; transports: " + TopologyText.transports(fabric)
                + "; waits by " + waiting.name().toLowerCase(java.util.Locale.ROOT) + "; deadline "
                + settings.timeout().toMillis() / 1e3 + " s; communicator " + Long.toHexString(id));
        fabric.devices().forEach(line -> debug.info(() -> line));
        operations.announceChoices(debug);
        this.progress = settings.progress() == Settings.Progress.THREAD ? ProgressAgent.start(engine) : null;
    }

    /** A view of {@code whole} with another deadline. */
    private Communicator(final Communicator whole, final long timeoutNanos) {
        this.membership = whole.membership;
        this.foundation = whole.foundation;
        this.founded = false;
        this.settings = whole.settings;
        this.id = whole.id;
        this.timeoutNanos = timeoutNanos;
        this.whole = whole;
        this.agreement = whole.agreement;
        this.attempt = whole.attempt;
        this.alarm = whole.alarm;
        this.fabric = whole.fabric;
        this.operations = whole.operations;
        this.engine = whole.engine;
        this.progress = whole.progress;
        this.children = whole.children;
    }

    /** Forms the communicator of all ranks of {@code membership}, which all must do at the same time. It owns the membership. */
    static Communicator of(final Membership membership, final Settings settings) {
        final MemoryDomain domain = new MemoryDomain(settings.environment());
        try {
            return new Communicator(membership, new Foundation(membership, domain), true, settings, WORLD,
                    new Agreement(membership, WORLD), 0);
        } catch (final RuntimeException e) {
            domain.close();
            throw e;
        }
    }

    /** This rank, from 0. */
    public int rank() {
        return membership.rank();
    }

    /** The number of ranks. */
    public int size() {
        return membership.size();
    }

    /** Who a rank of this communicator is. */
    Peer peer(final int rank) {
        return membership.peer(rank);
    }

    /** How ranks are connected: {@code shm}, {@code verbs}, {@code tcp}, several ({@code shm+verbs}), or {@code none} in a world of one. */
    public String transports() {
        return fabric.describeTransports();
    }

    /**
     * How {@code peer} is reached: {@code shm}, {@code verbs} or {@code tcp}; {@code none} for this rank itself.
     *
     * @throws IllegalArgumentException if there is no such rank
     */
    public String transport(final int peer) {
        if (peer < 0 || peer >= size()) {
            throw new IllegalArgumentException("peer " + peer + " is out of range: ranks are 0.." + (size() - 1));
        }
        return peer == rank() ? "none" : fabric.transports()[peer];
    }

    /**
     * This communicator with another deadline: a view, whose operations wait for {@code timeout} at most. It is the same in all else, so it may be used in turn
     * with this one, and costs nothing to keep. Closing it does nothing.
     *
     * @throws IllegalArgumentException if {@code timeout} is not positive
     */
    public Communicator within(final Duration timeout) {
        if (!timeout.isPositive()) {
            throw new IllegalArgumentException("a deadline of " + timeout + ": it must be positive");
        }
        return new Communicator(whole, Settings.nanos(timeout));
    }

    long timeoutNanos() {
        return timeoutNanos;
    }

    /**
     * Allocates a zeroed tensor in registered memory; it lives until it is closed, at the latest with the world's communicator and all that {@link #shrink} made
     * from it or its parts. It may be used in all communicators of this rank.
     *
     * @throws IllegalArgumentException if {@code count} is negative
     * @throws org.chagres.memory.MemoryExhaustedException if there is no room
     */
    public Buffer allocate(final DataType type, final long count) {
        if (count < 0) {
            throw new IllegalArgumentException("count " + count + " is negative: it must be 0 or more");
        }
        if (count > Long.MAX_VALUE / type.size()) {
            throw new IllegalArgumentException("count " + count + " overflows 64 bits: " + type.size()
                    + " bytes x count must stay below 2^63");
        }
        final var region = foundation.domain().allocate(count * type.size(), settings.pages());
        return new Buffer(region, region.segment(), type, count);
    }

    /** Combines {@code count} elements of every rank's {@code send} and gives the result to every rank's {@code recv}. */
    public void allReduce(final MemorySegment send, final MemorySegment recv, final long count, final DataType type,
            final ReduceOp op) {
        run(Collective.ALL_REDUCE, send, recv, count, type, required(op), 0);
    }

    /** {@link #allReduce(MemorySegment, MemorySegment, long, DataType, ReduceOp)} of whole buffers of the same type and count. */
    public void allReduce(final Buffer send, final Buffer recv, final ReduceOp op) {
        requireSame(send, recv);
        allReduce(send.segment(), recv.segment(), send.count(), send.type(), op);
    }

    /** {@link #allReduce(MemorySegment, MemorySegment, long, DataType, ReduceOp)} in place. */
    public void allReduce(final Buffer buffer, final ReduceOp op) {
        allReduce(buffer.segment(), buffer.segment(), buffer.count(), buffer.type(), op);
    }

    /** {@link #allReduce(MemorySegment, MemorySegment, long, DataType, ReduceOp)} in place, staged. */
    public void allReduce(final float[] values, final ReduceOp op) {
        final MemorySegment segment = MemorySegment.ofArray(values);
        allReduce(segment, segment, values.length, DataType.FLOAT32, op);
    }

    /** {@link #allReduce(MemorySegment, MemorySegment, long, DataType, ReduceOp)} in place, staged. */
    public void allReduce(final double[] values, final ReduceOp op) {
        final MemorySegment segment = MemorySegment.ofArray(values);
        allReduce(segment, segment, values.length, DataType.FLOAT64, op);
    }

    /** Copies {@code count} elements of the root's {@code send} to every rank's {@code recv}, the root's too. Only the root's {@code send} is read. */
    public void broadcast(final MemorySegment send, final MemorySegment recv, final long count, final DataType type,
            final int root) {
        run(Collective.BROADCAST, send, recv, count, type, null, root);
    }

    /** Broadcasts a whole buffer from the root, in place. */
    public void broadcast(final Buffer buffer, final int root) {
        broadcast(buffer.segment(), buffer.segment(), buffer.count(), buffer.type(), root);
    }

    /** Combines {@code count} elements of every rank's {@code send} into the root's {@code recv}. */
    public void reduce(final MemorySegment send, final MemorySegment recv, final long count, final DataType type,
            final ReduceOp op,
            final int root) {
        run(Collective.REDUCE, send, recv, count, type, required(op), root);
    }

    /** Gathers {@code count} elements of every rank's {@code send} into every rank's {@code recv}, by rank. */
    public void allGather(final MemorySegment send, final MemorySegment recv, final long count, final DataType type) {
        run(Collective.ALL_GATHER, send, recv, count, type, null, 0);
    }

    /** Combines {@code size * count} elements of every rank's {@code send} and gives block r of the result to rank r. */
    public void reduceScatter(final MemorySegment send, final MemorySegment recv, final long count, final DataType type,
            final ReduceOp op) {
        run(Collective.REDUCE_SCATTER, send, recv, count, type, required(op), 0);
    }

    /** Sends block p of {@code send}, {@code count} elements, to rank p, and puts what rank p sends into block p of {@code recv}. */
    public void allToAll(final MemorySegment send, final MemorySegment recv, final long count, final DataType type) {
        run(Collective.ALL_TO_ALL, send, recv, count, type, null, 0);
    }

    /** Gathers {@code count} elements of every rank's {@code send} into the root's {@code recv}, by rank. */
    public void gather(final MemorySegment send, final MemorySegment recv, final long count, final DataType type,
            final int root) {
        run(Collective.GATHER, send, recv, count, type, null, root);
    }

    /** Gives block r of the root's {@code send}, {@code count} elements, to rank r. */
    public void scatter(final MemorySegment send, final MemorySegment recv, final long count, final DataType type,
            final int root) {
        run(Collective.SCATTER, send, recv, count, type, null, root);
    }

    /** Returns when every rank has called it. */
    public void barrier() {
        run(Collective.BARRIER, null, null, 0, DataType.UINT8, null, 0);
    }

    /** Sends a message to {@code peer}, which receives it by {@link #recv} with the same count and type; returns when {@code segment} may change again. */
    public void send(final MemorySegment segment, final long count, final DataType type, final int peer) {
        message(peer, segment, count, type, true);
    }

    /** Receives the next message of {@code peer}. */
    public void recv(final MemorySegment segment, final long count, final DataType type, final int peer) {
        message(peer, segment, count, type, false);
    }

    /** Messages that progress together, so that ranks may send to each other in any order. */
    public Group group() {
        return new Group(this, engine);
    }

    public Work allReduceAsync(final MemorySegment send, final MemorySegment recv, final long count,
            final DataType type, final ReduceOp op) {
        return submit(Collective.ALL_REDUCE, send, recv, count, type, required(op), 0);
    }

    public Work allReduceAsync(final Buffer send, final Buffer recv, final ReduceOp op) {
        requireSame(send, recv);
        return allReduceAsync(send.segment(), recv.segment(), send.count(), send.type(), op);
    }

    public Work broadcastAsync(final MemorySegment send, final MemorySegment recv, final long count,
            final DataType type, final int root) {
        return submit(Collective.BROADCAST, send, recv, count, type, null, root);
    }

    public Work reduceAsync(final MemorySegment send, final MemorySegment recv, final long count, final DataType type,
            final ReduceOp op,
            final int root) {
        return submit(Collective.REDUCE, send, recv, count, type, required(op), root);
    }

    public Work allGatherAsync(final MemorySegment send, final MemorySegment recv, final long count,
            final DataType type) {
        return submit(Collective.ALL_GATHER, send, recv, count, type, null, 0);
    }

    public Work reduceScatterAsync(final MemorySegment send, final MemorySegment recv, final long count,
            final DataType type,
            final ReduceOp op) {
        return submit(Collective.REDUCE_SCATTER, send, recv, count, type, required(op), 0);
    }

    public Work allToAllAsync(final MemorySegment send, final MemorySegment recv, final long count,
            final DataType type) {
        return submit(Collective.ALL_TO_ALL, send, recv, count, type, null, 0);
    }

    public Work gatherAsync(final MemorySegment send, final MemorySegment recv, final long count, final DataType type,
            final int root) {
        return submit(Collective.GATHER, send, recv, count, type, null, root);
    }

    public Work scatterAsync(final MemorySegment send, final MemorySegment recv, final long count, final DataType type,
            final int root) {
        return submit(Collective.SCATTER, send, recv, count, type, null, root);
    }

    public Work barrierAsync() {
        return submit(Collective.BARRIER, null, null, 0, DataType.UINT8, null, 0);
    }

    /** The name of the algorithm that such an operation uses. */
    public String algorithm(final Collective collective, final long count, final DataType type, final int root) {
        return operations.choose(new Shape(collective, size(), root, count, type.size()), type).planner().name();
    }

    /** What this rank does in such an operation, which algorithm was chosen, and why. */
    public String explain(final Collective collective, final long count, final DataType type, final int root) {
        return operations.explain(new Shape(collective, size(), root, count, type.size()), type);
    }

    /**
     * Makes a communicator of the ranks that give the same color, ordered by key and then by rank. All ranks call it or {@link #splitNone} at the same
     * point. It belongs to this communicator, which closes it at the latest.
     *
     * @param color 0 or more
     */
    public Communicator split(final int color, final int key) {
        if (color < 0) {
            throw new IllegalArgumentException("color " + color
                    + " is negative: it must be 0 or more; a rank that takes no part calls splitNone()");
        }
        final SubMembership part = new SubMembership(membership, members(color, key));
        final long childId = Exchange.topic(id, ++whole.splits, color);
        try {
            final Communicator child = new Communicator(part, foundation, false, settings, childId,
                    new Agreement(part, childId), 0);
            children.removeIf(other -> other.closed);
            children.add(child);
            return child;
        } catch (final JoinException e) {
            throw explained(e);
        }
    }

    /** A rank that could not be reached has most likely failed, which this communicator then knows. */
    private RuntimeException explained(final JoinException e) {
        try {
            engine.enter();
            engine.exit();
            return e;
        } catch (final RuntimeException broken) {
            broken.addSuppressed(e);
            return broken;
        }
    }

    /** Takes part in a {@link #split} of the other ranks without joining any of the new communicators. */
    public void splitNone() {
        members(-1, 0);
        whole.splits++;
    }

    private int[] members(final int color, final int key) {
        final int[] all = new int[2 * size()];
        allGather(MemorySegment.ofArray(new int[]{color, key }), MemorySegment.ofArray(all), 2, DataType.INT32);
        return IntStream.range(0, size())
                .filter(r -> all[2 * r] == color)
                .boxed()
                .sorted(Comparator.comparingInt(r -> all[2 * r + 1]))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /** {@link #abort(String)} without a reason. */
    public void abort() {
        abort("abort() was called");
    }

    /**
     * Ends this communicator on all its ranks: every operation under way, also of other threads, and every later one throws {@link CommunicatorAbortedException}
     * within about a second. Returns at once; any thread may call it at any time. Does nothing if the communicator is broken or closed already. It must
     * still be closed.
     *
     * @param reason what the exceptions shall say
     */
    public void abort(final String reason) {
        Objects.requireNonNull(reason, "the reason is null: say why, or call abort()");
        if (!whole.closed) {
            engine.abort(reason);
        }
    }

    /**
     * Makes a communicator of the ranks that are left, in their order, after this one broke, or in place of it. All that are left must call it; a rank that is in
     * an operation of this communicator ends by {@link CommunicatorAbortedException}. The ranks agree over the control plane who has failed: whoever is
     * known to be dead or to have closed this communicator, and whoever's process does not respond for two seconds, which is expelled from the world.
     * For a rank that lives but does not call this, it waits until the deadline.
     *
     * <p>When it returns, this communicator and those split from it are closed. The new one stands on its own: it does not end with the world's, but must be
     * closed itself, and it may be shrunk and split again. Buffers stay usable, and what they stand on stays open until the world's communicator and all
     * that came from shrinking are closed.
     *
     * <p>Nothing that is left of the old communicator's operations can disturb the new one's: no survivor calls this while an operation of it is under way,
     * and signals, scratch and inboxes are new. What does remain is a process that was stopped in the middle of a copy, was expelled, and wakes up: until it
     * looks at the news, it may write what it owed to the operation that broke, into the {@code recv} buffer which that was given, where hosts share memory.
     * Nobody can take a mapping from another process. So give a buffer that an expelled rank may still know to no one, if you must exclude even that;
     * {@link Buffer#close} withdraws it for good.
     *
     * <p>Ranks that lose sight of each other, as in a network that falls apart, form several groups, of which each believes itself to be the survivors.
     * Whoever must exclude that compares {@link #size} with half of what it was.
     *
     * @throws PeerFailedException if the others count this rank as failed
     * @throws CollectiveTimeoutException if a rank lives but does not call this in time; it may be called again
     * @throws IllegalStateException if this communicator is closed
     */
    public Communicator shrink() {
        synchronized (agreement) {
            final RuntimeException why = engine.retire("it calls shrink()");
            agreement.atLeast(attempt + 1);
            final Communicator survivors = survivors(
                    why instanceof final PeerFailedException failure ? agreementRank(failure.rank()) : -1);
            whole.end(true);
            return survivors;
        }
    }

    private Communicator survivors(final int lost) {
        while (true) {
            final Agreement.Outcome outcome = agreement.reach(lost, this::hasLeft, timeoutNanos);
            final SubMembership part = new SubMembership(agreement.membership(), outcome.survivors());
            final long next = agreement.id(outcome);
            foundation.retain();
            try {
                return new Communicator(part, foundation, true, settings, next, agreement, outcome.attempt());
            } catch (final RuntimeException e) {
                foundation.release();
                part.forget(next);
                // One more that died meanwhile is one less to agree with; anything else is the caller's to know.
                if (!part.losesAMember(NEWS)) {
                    agreement.atLeast(outcome.attempt() + 1);
                    throw e;
                }
            }
        }
    }

    private int agreementRank(final int rank) {
        return attempt == 0 ? rank : ((SubMembership) membership).parentRank(rank);
    }

    /** Whether a rank of the agreement has closed this communicator, of which it may not be a member. */
    private boolean hasLeft(final int agreementRank) {
        alarm.heard();
        for (int r = 0; r < size(); r++) {
            if (agreementRank(r) == agreementRank) {
                return alarm.hasLeft(r);
            }
        }
        return agreement.membership().hasLeft(agreementRank);
    }

    /**
     * Closes communicators split from this one, then its own memory. Buffers go with the world's communicator, or the last of those that {@link #shrink} made. Does
     * nothing if closed already, and nothing to a view.
     */
    @Override
    public void close() {
        if (this == whole && !closed) {
            end(false);
        }
    }

    private void end(final boolean shrunk) {
        closed = true;
        for (final Communicator child : children) {
            child.close();
        }
        if (progress != null) {
            progress.close();
        }
        if (engine.close()) {
            fabric.close();
        } else {
            fabric.abandon();
        }
        final boolean last = founded && foundation.release();
        if (!last && !shrunk) {
            alarm.sayGoodbye();
        }
        alarm.close();
        if (!shrunk) {
            agreement.close();
        }
    }

    private void run(final Collective collective, final MemorySegment send, final MemorySegment recv, final long count,
            final DataType type,
            final ReduceOp op, final int root) {
        engine.enter();
        try {
            engine.execute(operations.prepare(collective, count, type, op, root), send, recv, timeoutNanos);
        } finally {
            engine.exit();
        }
    }

    private Work submit(final Collective collective, final MemorySegment send, final MemorySegment recv,
            final long count,
            final DataType type, final ReduceOp op, final int root) {
        engine.enter();
        try {
            return engine.submit(operations.prepare(collective, count, type, op, root), send, recv, timeoutNanos);
        } finally {
            engine.exit();
        }
    }

    private void message(final int peer, final MemorySegment segment, final long count, final DataType type,
            final boolean sends) {
        requirePeer(peer);
        engine.enter();
        try {
            engine.execute(message(count, type, sends), lane(peer, sends), sends ? segment : null,
                    sends ? null : segment, timeoutNanos);
        } finally {
            engine.exit();
        }
    }

    Prepared message(final long count, final DataType type, final boolean sends) {
        return operations.prepareMessage(count, type, sends);
    }

    org.chagres.collectives.exec.Lane lane(final int peer, final boolean sends) {
        return sends ? fabric.sending(peer) : fabric.receiving(peer);
    }

    void requirePeer(final int peer) {
        if (peer < 0 || peer >= size()) {
            throw new IllegalArgumentException("peer " + peer + " is out of range: ranks are 0.." + (size() - 1));
        }
        if (peer == rank()) {
            throw new IllegalArgumentException(
                    "rank " + peer + " cannot block on a message to itself: use a group, which has both ends");
        }
    }

    private static ReduceOp required(final ReduceOp op) {
        return Objects.requireNonNull(op, "the reduce op is null: use ReduceOp.SUM or another");
    }

    private static void requireSame(final Buffer send, final Buffer recv) {
        if (send.type() != recv.type() || send.count() != recv.count()) {
            throw new IllegalArgumentException(
                    "send has " + send.count() + " " + send.type().label() + ", recv " + recv.count() + " "
                            + recv.type().label() + ": both must be of the same type and count");
        }
    }
}
