package org.chagres.bench.verbs.rping;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Optional;
import org.chagres.bench.verbs.PeerLostException;
import org.chagres.verbs.Access;
import org.chagres.verbs.CmEvent;
import org.chagres.verbs.CmEventChannel;
import org.chagres.verbs.CmEventType;
import org.chagres.verbs.CmId;
import org.chagres.verbs.Completion;
import org.chagres.verbs.CompletionQueue;
import org.chagres.verbs.CompletionStatus;
import org.chagres.verbs.Context;
import org.chagres.verbs.MemoryRegion;
import org.chagres.verbs.ProtectionDomain;
import org.chagres.verbs.QueuePair;
import org.chagres.verbs.QueuePairOptions;
import org.chagres.verbs.ReceiveRequest;
import org.chagres.verbs.SendRequest;

/** The queue pair and the memory of one end, made as {@code rping} makes them; closed with the identifier's channel. Used by one thread. */
final class RpingConnection {
    static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final int SEND_DEPTH = 16;
    private static final int RECEIVE_DEPTH = 2;
    private static final long RECEIVED = 1;
    private static final long SENT = 2;
    private static final long TRANSFERRED = 3;
    private static final Duration LOOK = Duration.ofMillis(100);

    private final CmEventChannel channel;
    private final CmId id;
    private final CompletionQueue queue;
    private final QueuePair queuePair;
    private final MemorySegment data;
    private final MemoryRegion dataRegion;
    private final MemorySegment incoming;
    private final MemoryRegion incomingRegion;
    private final MemorySegment outgoing;
    private final MemoryRegion outgoingRegion;
    private boolean ended;
    private int messages;
    private int transfers;
    private long messageLength;

    /**
     * Makes everything, with a receive posted.
     *
     * @param size bytes of data
     * @param arena lives longer than the channel
     */
    RpingConnection(final CmEventChannel channel, final CmId id, final int size, final Arena arena) {
        this.channel = channel;
        this.id = id;
        final Context context = id.context();
        final ProtectionDomain domain = context.allocateProtectionDomain();
        queue = context.createCompletionQueue(2 * SEND_DEPTH, context.createCompletionChannel());
        queuePair = id.createQueuePair(domain,
                QueuePairOptions.rc(queue).sends(SEND_DEPTH, 1).receives(RECEIVE_DEPTH, 1));
        data = arena.allocate(size);
        dataRegion = domain.register(data, Access.ALL);
        incoming = arena.allocate(RpingBuffer.BYTES, Long.BYTES);
        incomingRegion = domain.register(incoming, Access.LOCAL);
        outgoing = arena.allocate(RpingBuffer.BYTES, Long.BYTES);
        outgoingRegion = domain.register(outgoing, Access.LOCAL);
        postReceive();
    }

    MemorySegment data() {
        return data;
    }

    MemoryRegion dataRegion() {
        return dataRegion;
    }

    ProtectionDomain domain() {
        return queuePair.protectionDomain();
    }

    private void postReceive() {
        queuePair.postReceive(ReceiveRequest.of(RECEIVED, incomingRegion.slice()));
    }

    /** Tells the peer where data are; from the server it means nothing but: go ahead. */
    void send(final RpingBuffer buffer) {
        buffer.write(outgoing);
        queuePair.post(SendRequest.send(SENT, outgoingRegion.slice()));
    }

    /** Waits for the client's next message; empty if it has disconnected. */
    Optional<RpingBuffer> receive() throws InterruptedException {
        if (!await(() -> messages > 0)) {
            return Optional.empty();
        }
        messages--;
        final RpingBuffer buffer = RpingBuffer.read(incoming, messageLength, (int) data.byteSize());
        postReceive();
        return Optional.of(buffer);
    }

    /**
     * Waits until the server says go ahead, by a message whose content means nothing.
     *
     * @return false if it has disconnected instead
     */
    boolean awaitGoAhead() throws InterruptedException {
        if (!await(() -> messages > 0)) {
            return false;
        }
        messages--;
        RpingBuffer.checkLength(messageLength);
        postReceive();
        return true;
    }

    /** Fetches the peer's data. */
    void read(final RpingBuffer from) throws InterruptedException {
        transfer(SendRequest.read(TRANSFERRED, dataRegion.slice(0, from.size()), from.memory()));
    }

    /** Puts data into the peer's memory. */
    void write(final RpingBuffer to, final long length) throws InterruptedException {
        transfer(SendRequest.write(TRANSFERRED, dataRegion.slice(0, length), to.memory()));
    }

    private void transfer(final SendRequest request) throws InterruptedException {
        queuePair.post(request);
        if (!await(() -> transfers > 0)) {
            throw new PeerLostException("the peer disconnected in the middle of a round");
        }
        transfers--;
    }

    /** Something that a completion brings. */
    private interface Condition {
        boolean holds();
    }

    /** @return false if the peer has disconnected */
    private boolean await(final Condition condition) throws InterruptedException {
        final long start = System.nanoTime();
        while (!condition.holds()) {
            final Optional<Completion> completion = queue.await(LOOK);
            if (completion.isPresent()) {
                take(completion.get());
            } else if (ended) {
                return false;
            } else {
                look();
            }
            if (System.nanoTime() - start > PATIENCE.toNanos()) {
                throw new PeerLostException("nothing came for " + PATIENCE.toSeconds() + " s");
            }
        }
        return true;
    }

    private void take(final Completion completion) {
        if (completion.status() == CompletionStatus.WR_FLUSH_ERR) {
            // So all that is posted ends when the peer disconnects; the event tells.
            return;
        }
        final Completion.Success success = completion.orThrow();
        if (success.id() == RECEIVED) {
            messages++;
            messageLength = success.byteLength();
        } else if (success.id() == TRANSFERRED) {
            transfers++;
        }
    }

    private void look() {
        final Optional<CmEvent> event = channel.pollEvent();
        if (event.isPresent()) {
            if (event.get().type() != CmEventType.DISCONNECTED && event.get().type() != CmEventType.ESTABLISHED) {
                throw new PeerLostException(event.get().describe());
            }
            ended = event.get().type() == CmEventType.DISCONNECTED;
        }
    }

    /** Ends the connection from this end, and waits until it has ended. */
    void disconnect() throws InterruptedException {
        id.disconnect();
        if (!ended) {
            channel.expect(CmEventType.DISCONNECTED, PATIENCE);
        }
    }
}
