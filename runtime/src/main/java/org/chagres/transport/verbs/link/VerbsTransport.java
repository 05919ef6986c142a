package org.chagres.transport.verbs.link;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import org.agrona.collections.Int2ObjectHashMap;
import org.chagres.memory.MemoryDomain;
import org.chagres.memory.Region;
import org.chagres.transport.LinkException;
import org.chagres.transport.Transport;
import org.chagres.transport.verbs.PathEnd;
import org.chagres.transport.verbs.RelaxedOrdering;
import org.chagres.transport.verbs.UsablePort;
import org.chagres.transport.verbs.VerbsSettings;
import org.chagres.verbs.Access;
import org.chagres.verbs.CompletionBatch;
import org.chagres.verbs.CompletionQueue;
import org.chagres.verbs.ConnectionOptions;
import org.chagres.verbs.Endpoint;
import org.chagres.verbs.MemoryRegion;
import org.chagres.verbs.QueuePair;
import org.chagres.verbs.QueuePairOptions;
import org.chagres.verbs.VerbsException;

/** The connections over verbs of one communicator, through one port of a device: their queue pairs share a completion queue, which is what is polled. */
public final class VerbsTransport implements Transport {
    /** Completions that one call takes. */
    private static final int BATCH = 32;
    /** Calls in a row before others have their turn. */
    private static final int BATCHES_PER_POLL = 4;
    /** As much as the usual devices take without a larger request; where that is too much, none. */
    private static final int INLINE_BYTES = 220;
    private static final int PAGE = 4096;
    private static final Set<Access> WRITABLE_BY_PEERS = Set.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE);
    /** How long closing waits for the peers' devices to take what is pending, for all connections together. */
    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(10);
    private static final long CLOSE_POLL_NS = 100_000;

    private final SharedDevice device;
    private final UsablePort port;
    private final VerbsSettings settings;
    private final Region controlRegion;
    private final Owned owned = new Owned();
    private final Registrations registrations;
    private final Registration control;
    private final CompletionQueue completions;
    private final CompletionBatch batch;
    private final Arena arena;
    /** Memory that is sent from, and memory where peers write headers. */
    private final MemoryRegion outgoing;
    private final MemoryRegion incoming;
    private final Int2ObjectHashMap<VerbsQueue> byNumber = new Int2ObjectHashMap<>();
    private final Failures failures;
    private VerbsConnection[] connections = {};
    private long eventsSeen;
    private boolean closed;

    /**
     * Opens the port's device, and makes a transport without connections.
     *
     * @param here this rank's end of all paths
     * @param peers how many connections there may be, at least 1
     * @param memory this rank's memory, into which peers write
     * @param control a region of it that peers may write to from the start
     * @throws VerbsException if the device refuses something
     */
    public VerbsTransport(final UsablePort port, final VerbsSettings settings, final PathEnd here, final int peers,
            final MemoryDomain memory,
            final Region control) {
        this.port = port;
        this.settings = settings;
        this.controlRegion = control;
        final int queues = peers * settings.queuePairs();
        try {
            this.device = SharedDevice.open(port.device());
            owned.add(device::close);
            this.registrations = device.registrations(memory, settings.relaxedOrdering() != RelaxedOrdering.OFF);
            owned.add(() -> device.release(registrations));
            this.control = registrations.of(control);
            this.arena = Arena.ofShared();
            owned.add(arena::close);
            this.outgoing = register(queues * VerbsQueue.OUTGOING_BYTES, Access.LOCAL);
            this.incoming = register((long) peers * VerbsQueue.RECEIVES * Header.BYTES, WRITABLE_BY_PEERS);
            this.completions = device.context()
                    .createCompletionQueue(queues * (VerbsQueue.SENDS + VerbsQueue.RECEIVES));
            owned.add(completions::close);
            this.batch = completions.prepareBatch(BATCH);
            this.failures = new Failures(this, device, port, settings, here);
            this.eventsSeen = device.eventCount();
        } catch (final RuntimeException e) {
            owned.close();
            throw e;
        }
    }

    /** Whole pages, which nothing else shares: a process that forks keeps them. */
    private MemoryRegion register(final long bytes, final Set<Access> access) {
        final MemorySegment memory = arena.allocate(bytes + PAGE - 1 & -PAGE, PAGE);
        final MemoryRegion region = device.domain().register(memory, access);
        owned.add(region::close);
        return region;
    }

    /**
     * Makes one end of a connection. Nothing arrives before {@link #connect}.
     *
     * @param peer the peer's rank in the communicator
     * @throws VerbsException if the device refuses something
     */
    public VerbsConnection connection(final int peer) {
        final int index = connections.length;
        final VerbsQueue[] queues = new VerbsQueue[settings.queuePairs()];
        final VerbsConnection connection = new VerbsConnection(this, peer, port.attributes().maxMessageBytes(), queues,
                registrations,
                incoming.address() + (long) index * VerbsQueue.RECEIVES * Header.BYTES);
        for (int i = 0; i < queues.length; i++) {
            final QueuePair pair = queuePair();
            owned.add(pair::close);
            queues[i] = new VerbsQueue(connection, pair,
                    outgoing.address() + (index * queues.length + i) * VerbsQueue.OUTGOING_BYTES,
                    outgoing.localKey());
            byNumber.put(pair.number(), queues[i]);
        }
        connection.begins();
        connections = Arrays.copyOf(connections, index + 1);
        connections[index] = connection;
        return connection;
    }

    private QueuePair queuePair() {
        final QueuePairOptions options = QueuePairOptions.rc(completions)
                .sends(VerbsQueue.SENDS, 2)
                .receives(VerbsQueue.RECEIVES, 1);
        try {
            return device.domain().createQueuePair(options.inline(INLINE_BYTES));
        } catch (final VerbsException e) {
            return device.domain().createQueuePair(options);
        }
    }

    /** Makes a connection's queue pairs ready to be connected, and returns what the peer must know of them. */
    public ConnectionData open(final VerbsConnection connection) {
        final VerbsQueue[] queues = connection.queues();
        final Endpoint[] endpoints = new Endpoint[queues.length];
        final ConnectionOptions options = ConnectionOptions.defaults()
                .port(port.name().port())
                .gidIndex(port.gid().chosen().index())
                .pkeyIndex(settings.pkeyIndex())
                .access(WRITABLE_BY_PEERS);
        for (int i = 0; i < queues.length; i++) {
            queues[i].pair().initialize(options);
            final int failure = queues[i].postReceives();
            if (failure != 0) {
                throw failures.refused(connection, "receive requests", failure);
            }
            endpoints[i] = queues[i].pair().endpoint(options);
        }
        return new ConnectionData(endpoints, new ConnectionData.Window(connection.slots(), incoming.remoteKey()),
                new ConnectionData.ControlWindow(new ConnectionData.Window(control.address(), control.remoteKey()),
                        controlRegion.token(),
                        controlRegion.length()));
    }

    /**
     * Connects to the peer's end. Nothing may be sent before the peer has done so too.
     *
     * @param local what {@link #open} returned
     * @param remote what it returned there
     * @throws VerbsException if the two do not fit together, or the device refuses
     */
    public void connect(final VerbsConnection connection, final ConnectionData local, final ConnectionData remote,
            final VerbsPath path) {
        final VerbsQueue[] queues = connection.queues();
        if (remote.endpoints().length != queues.length) {
            throw new VerbsException(path.there().who() + " has " + remote.endpoints().length
                    + " queue pairs for a connection, this rank "
                    + queues.length + ": set the same CHAGRES_IB_QPS_PER_CONNECTION on all ranks");
        }
        final ConnectionOptions options = settings.connectionOptions(port, path.agreement());
        for (int i = 0; i < queues.length; i++) {
            queues[i].pair().connect(local.endpoints()[i], remote.endpoints()[i], options);
        }
        connection.meets(remote, path);
    }

    /** Closes a connection that is not to be used. */
    public void drop(final VerbsConnection connection) {
        connections = Arrays.stream(connections).filter(one -> one != connection).toArray(VerbsConnection[]::new);
        for (final VerbsQueue queue : connection.queues()) {
            byNumber.remove(queue.pair().number());
            queue.pair().close();
        }
    }

    /**
     * Sends packets of the path's MTU over a connection, of which nothing is seen at the peer. Both ends must be connected, and neither must have sent anything
     * else.
     *
     * @return why that cannot be; empty if they are on their way
     */
    public Optional<String> probe(final VerbsConnection connection) {
        try {
            connection.probe();
            return Optional.empty();
        } catch (final LinkException e) {
            return Optional.of(e.getMessage());
        }
    }

    /**
     * Waits for the acknowledgements of all packets that were sent to {@link #probe}.
     *
     * @return by the peer's rank: why there is none
     */
    public Map<Integer, String> awaitProbes(final Duration patience) {
        final long deadline = System.nanoTime() + patience.toNanos();
        while (Arrays.stream(connections).anyMatch(VerbsConnection::isProbing) && System.nanoTime() < deadline) {
            if (!takeCompletions()) {
                LockSupport.parkNanos(CLOSE_POLL_NS);
            }
        }
        final Map<Integer, String> failed = new TreeMap<>();
        for (final VerbsConnection connection : connections) {
            connection.endProbe("no packet was acknowledged within " + patience.toSeconds() + " s")
                    .ifPresent(why -> failed.put(connection.peer(), why));
        }
        return failed;
    }

    /** The connection that a queue pair belongs to, or null. */
    VerbsConnection connectionOf(final int queuePairNumber) {
        final VerbsQueue queue = byNumber.get(queuePairNumber);
        return queue == null ? null : queue.connection();
    }

    boolean isPolled(final CompletionQueue queue) {
        return queue == completions;
    }

    Failures failures() {
        return failures;
    }

    @Override
    public boolean poll() {
        final boolean moved = takeCompletions();
        for (final VerbsConnection connection : connections) {
            connection.settle();
        }
        if (device.eventCount() != eventsSeen) {
            lookAtEvents();
        }
        return moved;
    }

    /** Parks: a completion channel would cost every completion an interrupt and a system call. */
    @Override
    public LongConsumer sleeper() {
        return LockSupport::parkNanos;
    }

    private void lookAtEvents() {
        eventsSeen = device.eventCount();
        final Optional<LinkException> verdict = failures.newVerdict();
        if (verdict.isPresent()) {
            throw verdict.get();
        }
    }

    /** Takes completions off the queue, without answering any; returns whether there were some. */
    boolean takeCompletions() {
        int count = BATCH;
        boolean moved = false;
        for (int i = 0; i < BATCHES_PER_POLL && count == BATCH; i++) {
            count = completions.poll(batch);
            for (int j = 0; j < count; j++) {
                take(j);
            }
            moved |= count > 0;
        }
        if (count < 0) {
            throw failures.broken();
        }
        return moved;
    }

    private void take(final int index) {
        final VerbsQueue queue = byNumber.get(batch.queuePairNumber(index));
        if (queue == null) {
            return;
        }
        if (batch.status(index) != 0) {
            queue.connection().failed(queue, batch, index);
        } else if ((batch.opcode(index) & CompletionBatch.RECV) != 0) {
            queue.connection().arrived(queue, batch.immediate(index));
        } else {
            queue.completed(batch.id(index));
        }
    }

    /** Cuts the connections at once: what the peers have not taken yet is of no use to anyone. */
    public void abandon() {
        close(Duration.ZERO);
    }

    @Override
    public void close() {
        close(CLOSE_PATIENCE);
    }

    private void close(final Duration patience) {
        if (closed) {
            return;
        }
        closed = true;
        if (patience.isPositive()) {
            try {
                sayGoodbye(System.nanoTime() + patience.toNanos());
            } catch (final LinkException e) {
                // Whoever is left finds that out as well.
            }
        }
        // Closing a queue pair ends what it was doing, so nobody's memory is read or written any more.
        owned.close();
    }

    /** Brings to the peers what they were given, and a goodbye: after it they do not mind that this end is gone. */
    private void sayGoodbye(final long deadline) {
        final boolean[] said = new boolean[connections.length];
        boolean done = false;
        while (!done && System.nanoTime() < deadline) {
            final boolean moved = poll();
            done = true;
            for (int i = 0; i < said.length; i++) {
                said[i] = said[i] || connections[i].bye();
                done &= said[i] && connections[i].isIdle();
            }
            if (!done && !moved) {
                LockSupport.parkNanos(CLOSE_POLL_NS);
            }
        }
    }
}
