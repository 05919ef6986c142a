package org.chagres.transport.verbs.link;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.agrona.collections.Int2ObjectHashMap;
import org.chagres.memory.MemoryDomain;
import org.chagres.memory.Region;
import org.chagres.transport.LinkException;
import org.chagres.transport.Transport;
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
    /** As much as the usual devices take without a larger request; rather none than no queue pair. */
    private static final int INLINE_BYTES = 220;
    private static final int PAGE = 4096;
    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(10);
    private static final long CLOSE_POLL_NS = 100_000;

    private final SharedDevice device;
    private final int queuesPerConnection;
    private final Registrations registrations;
    private final Registration control;
    private final Region controlRegion;
    private final CompletionQueue completions;
    private final CompletionBatch batch;
    private final Arena arena = Arena.ofShared();
    /** Memory that is sent from, and memory where peers write headers. */
    private final MemoryRegion outgoing;
    private final MemoryRegion incoming;
    private final Int2ObjectHashMap<VerbsQueue> byNumber = new Int2ObjectHashMap<>();
    private final Words words = new Words();
    private VerbsConnection[] connections = {};
    private long eventsSeen;
    private boolean closed;

    /**
     * Makes a transport without connections.
     *
     * @param device its use ends with this object, even if this fails
     * @param queuesPerConnection queue pairs for each peer, at least 1
     * @param peers how many connections there may be
     * @param control this rank's control region
     * @throws VerbsException if the device refuses something
     */
    public VerbsTransport(final SharedDevice device, final int queuesPerConnection, final int peers, final MemoryDomain memory,
            final Region control, final boolean relaxedOrdering) {
        this.device = device;
        this.queuesPerConnection = queuesPerConnection;
        this.controlRegion = control;
        final int queues = peers * queuesPerConnection;
        this.registrations = device.registrations(memory, relaxedOrdering);
        this.control = registrations.of(control);
        this.completions = device.context().createCompletionQueue(queues * (VerbsQueue.SENDS + VerbsQueue.RECEIVES));
        this.batch = completions.prepareBatch(BATCH);
        this.outgoing = register(queues * VerbsQueue.OUTGOING_BYTES, Access.LOCAL);
        this.incoming = register((long) peers * VerbsQueue.RECEIVES * Header.BYTES, Set.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE));
    }

    /** Whole pages, which nothing else shares: a process that forks keeps them. */
    private MemoryRegion register(final long bytes, final Set<Access> access) {
        final MemorySegment memory = arena.allocate(bytes + PAGE - 1 & -PAGE, PAGE);
        return device.domain().register(memory, access);
    }

    /**
     * Makes one end of a connection, which may be told to the peer. It takes no data before {@link #connect}.
     *
     * @param peer the peer's rank in the communicator
     * @throws VerbsException if the device refuses something
     */
    public VerbsConnection connection(final int peer, final long maxMessageBytes) {
        final int index = connections.length;
        final VerbsQueue[] queues = new VerbsQueue[queuesPerConnection];
        final VerbsConnection connection = new VerbsConnection(this, peer, maxMessageBytes, queues, registrations,
                incoming.address() + (long) index * VerbsQueue.RECEIVES * Header.BYTES);
        for (int i = 0; i < queues.length; i++) {
            queues[i] = new VerbsQueue(connection, queuePair(),
                    outgoing.address() + (index * queues.length + i) * VerbsQueue.OUTGOING_BYTES, outgoing.localKey());
            byNumber.put(queues[i].pair().number(), queues[i]);
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

    /** What the peer must know of this end; makes the queue pairs ready to be written to by it. */
    public ConnectionData open(final VerbsConnection connection, final ConnectionOptions options) {
        final List<Endpoint> endpoints = new ArrayList<>();
        for (final VerbsQueue queue : connection.queues()) {
            queue.pair().initialize(options);
            final int failure = queue.postReceives();
            if (failure != 0) {
                throw words.refused(connection, "receive requests", failure);
            }
            endpoints.add(queue.pair().endpoint(options));
        }
        return new ConnectionData(endpoints.toArray(Endpoint[]::new),
                new ConnectionData.Window(connection.slots(), incoming.remoteKey()),
                new ConnectionData.ControlWindow(new ConnectionData.Window(control.address(), control.remoteKey()), controlRegion.token(),
                        controlRegion.length()));
    }

    /** Connects to the peer's end. Nothing may be sent before the peer has done so too. */
    public void connect(final VerbsConnection connection, final ConnectionData local, final ConnectionData remote, final ConnectionOptions options) {
        if (remote.endpoints().length != connection.queues().length) {
            throw new VerbsException("rank " + connection.peer() + " has " + remote.endpoints().length + " queue pairs for the connection, this rank "
                    + connection.queues().length + ": set the same number on all ranks");
        }
        for (int i = 0; i < connection.queues().length; i++) {
            connection.queues()[i].pair().connect(local.endpoints()[i], remote.endpoints()[i], options);
        }
        connection.meets(remote);
    }

    Words words() {
        return words;
    }

    /** Whether there is nothing to poll. */
    public boolean isEmpty() {
        return connections.length == 0;
    }

    @Override
    public boolean poll() {
        final boolean moved = takeCompletions();
        for (final VerbsConnection connection : connections) {
            connection.settle();
        }
        if (device.eventCount() != eventsSeen) {
            eventsSeen = device.eventCount();
        }
        return moved;
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
            throw new LinkException(connections[0].peer(), "the completion queue is broken");
        }
        return moved;
    }

    private void take(final int index) {
        final VerbsQueue queue = byNumber.get(batch.queuePairNumber(index));
        if (queue == null) {
            return;
        }
        if (batch.status(index) != 0) {
            queue.connection().failed(batch, index);
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
        final long deadline = System.nanoTime() + patience.toNanos();
        if (patience.isPositive()) {
            say(deadline);
        }
        for (final VerbsConnection connection : connections) {
            for (final VerbsQueue queue : connection.queues()) {
                queue.pair().close();
            }
        }
        completions.close();
        outgoing.close();
        incoming.close();
        arena.close();
        device.release(registrations);
        device.close();
    }

    /** Brings to the peers what they were given, and a goodbye. */
    private void say(final long deadline) {
        final boolean[] said = new boolean[connections.length];
        boolean done = false;
        while (!done && System.nanoTime() < deadline) {
            done = true;
            try {
                final boolean moved = poll();
                for (int i = 0; i < said.length; i++) {
                    said[i] = said[i] || connections[i].bye();
                    done &= said[i] && connections[i].isIdle();
                }
                if (!done && !moved) {
                    LockSupport.parkNanos(CLOSE_POLL_NS);
                }
            } catch (final LinkException e) {
                return;
            }
        }
    }
}
