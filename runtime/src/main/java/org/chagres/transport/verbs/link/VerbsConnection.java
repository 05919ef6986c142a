package org.chagres.transport.verbs.link;

import java.util.Arrays;
import java.util.Optional;
import org.chagres.memory.Memory;
import org.chagres.memory.Region;
import org.chagres.transport.LinkException;
import org.chagres.verbs.Completion;
import org.chagres.verbs.CompletionBatch;

/**
 * One rank's end of the connection to a peer: one or more queue pairs, the messages that both number alike, and the credits without which none is sent. It
 * carries several lanes.
 *
 * <p><b>Order.</b> A message and the data before it go over one queue pair, so they arrive in order; messages over different ones may overtake each other,
 * which their numbers show: the receiver takes them in order. So a signal publishes all that was put before it.
 *
 * <p><b>Credits.</b> A message takes a receive request and a slot at the receiver, and is sent only when it is known that there are both: at most
 * {@link #WINDOW} are sent ahead of what the peer is known to have taken in. Headers tell that; where none travels, a credit message does, when half a
 * window is to be told. At most two of them can be waiting to be taken in, and the receive requests beyond the window are for them.
 *
 * <p>Used by one thread at a time.
 */
public final class VerbsConnection {
    /** Messages that may be sent ahead of what the peer has taken in. */
    static final int WINDOW = VerbsQueue.RECEIVES - 4;
    private static final int CREDIT_AT = WINDOW / 2;
    /** Credits that are kept for a step's worth of messages. */
    private static final int ROOM = 8;
    /** Data up to here are copied rather than read where they are: their source is free at once, without waiting for the acknowledgement of the peer. */
    private static final int COPIED_BYTES = 4 << 10;
    /** Pieces of memory that is not registered. */
    private static final int STAGED_BYTES = 16 << 10;
    /** So much data are not held back for the message that follows. */
    private static final long POST_BYTES = 256 << 10;
    /** Cuts longer data, whatever the port could take. */
    private static final long MAX_WRITE_BYTES = 1 << 30;

    private final VerbsTransport transport;
    private final int peer;
    private final long maxWriteBytes;
    private final VerbsQueue[] queues;
    private final Registrations registrations;
    private final RemoteRegions regions;
    private final VerbsLink[] lanes = new VerbsLink[Immediate.MAX_LANES];
    /** What this rank has introduced to the peer: token and key, by index of the token. */
    private final Introductions introductions = new Introductions();
    /** Where the peer writes headers. */
    private final long slots;
    /** What the peer told, and the way to it; null before. */
    private ConnectionData remote;
    private VerbsPath path;
    private long remoteSlots;
    private int remoteSlotsKey;
    private VerbsQueue queue;
    private int current;
    /** The registration that was used last. */
    private Registration recent;
    /** Bytes that the device reads where they are, since the last message. */
    private long bulk;
    /** The number of the next message to send, and how many the peer is known to have taken in. */
    private long order;
    private long takenByPeer;
    /** The number of the next message to take in, and how many the peer was told of. */
    private long expected;
    private long told;
    /** Messages that have overtaken others: a bit for each slot, and their immediate values. */
    private long overtook;
    private final int[] waiting = new int[VerbsQueue.RECEIVES];
    /** Whether a lane has something to say that could not be said at once. */
    private boolean due;
    private boolean ended;
    private boolean probing;
    private String probeFailure;

    VerbsConnection(final VerbsTransport transport, final int peer, final long maxWriteBytes, final VerbsQueue[] queues,
            final Registrations registrations, final long slots) {
        this.transport = transport;
        this.peer = peer;
        this.maxWriteBytes = Math.min(maxWriteBytes, MAX_WRITE_BYTES);
        this.queues = queues;
        this.registrations = registrations;
        this.regions = new RemoteRegions(peer);
        this.slots = slots;
    }

    int peer() {
        return peer;
    }

    void add(final int lane, final VerbsLink link) {
        lanes[lane] = link;
    }

    RemoteRegions regions() {
        return regions;
    }

    /** What the peer told, before anything is sent. */
    void meets(final ConnectionData data, final VerbsPath way) {
        remote = data;
        path = way;
        remoteSlots = data.slots().address();
        remoteSlotsKey = data.slots().key();
        final ConnectionData.ControlWindow control = data.control();
        regions.introduce(control.token(), control.window().address(), control.length(), control.window().key());
    }

    // What is sent.

    boolean writable() {
        if (ended) {
            return true;
        }
        if (credits() < ROOM) {
            return false;
        }
        for (final VerbsQueue one : queues) {
            if (!one.hasRoom()) {
                return false;
            }
        }
        return true;
    }

    private long credits() {
        return WINDOW - (order - takenByPeer);
    }

    /** Whether a message may be sent now, by someone who can wait. */
    boolean takesMessage() {
        return credits() > 0 && queue.takesOne();
    }

    /** Whether everything has been said, and read where it lay; says what can be said. */
    boolean flushed() {
        if (due) {
            flush();
        } else {
            // Inline data are read when they are posted.
            post();
        }
        for (final VerbsQueue one : queues) {
            if (!one.hasRead()) {
                return false;
            }
        }
        return !due;
    }

    /** Has a lane asked again when there is room. */
    void due() {
        due = true;
    }

    private void flush() {
        due = false;
        for (final VerbsLink lane : lanes) {
            if (lane != null) {
                lane.flush();
            }
        }
        post();
    }

    /** Writes data; see {@link org.chagres.transport.Link#put}. */
    void write(final long from, final long bytes, final long remote, final int remoteKey) {
        if (ended) {
            return;
        }
        if (bytes <= queue.inlineBytes()) {
            if (bytes > 0) {
                queue.writeInline(from, (int) bytes, remote, remoteKey);
            }
        } else if (bytes <= COPIED_BYTES) {
            queue.writeCopy(from, (int) bytes, remote, remoteKey);
        } else {
            final Registration registration = registration(from, bytes);
            if (registration == null) {
                writeStaged(from, bytes, remote, remoteKey);
            } else {
                writePieces(from, registration.localKey(), bytes, remote, remoteKey);
            }
        }
    }

    private void writePieces(final long from, final int key, final long bytes, final long remote, final int remoteKey) {
        for (long at = 0; at < bytes; at += maxWriteBytes) {
            waitForRoom();
            queue.write(from + at, key, (int) Math.min(maxWriteBytes, bytes - at), remote + at, remoteKey);
        }
        bulk += bytes;
        if (bulk >= POST_BYTES) {
            post();
        }
    }

    /** For memory that the device does not know. */
    private void writeStaged(final long from, final long bytes, final long remote, final int remoteKey) {
        for (long at = 0; at < bytes; at += STAGED_BYTES) {
            waitForRoom();
            queue.writeCopy(from + at, (int) Math.min(STAGED_BYTES, bytes - at), remote + at, remoteKey);
        }
    }

    /** Data of many pieces may need more room than is kept: it comes as fast as the wire takes them, whatever the peer does. */
    private void waitForRoom() {
        while (!queue.hasRoom() && !ended) {
            post();
            transport.takeCompletions();
        }
    }

    /** The registration of memory of this rank, made if need be; null if there can be none. */
    private Registration registration(final long from, final long bytes) {
        if (recent != null && recent.holds(from, bytes)) {
            return recent;
        }
        recent = registrations.find(from, bytes);
        if (recent == null) {
            recent = registrations.forReading(from, bytes);
        }
        return recent;
    }

    /** Writes a header for the next message, to be completed by the caller and then sent. */
    long header(final int what, final int channel, final long completed) {
        final long at = queue.header();
        told = expected;
        Header.write(at, what, channel, completed, told);
        return at;
    }

    /** Sends the header as a message. */
    void sendHeader(final int lane) {
        queue.writeHeader(remoteSlots + slot(order), remoteSlotsKey, next(Immediate.of(Immediate.HEADER, lane)));
        sent();
    }

    /** Sends the header and data behind it as a message to an inbox. */
    void sendMessage(final int immediate, final long from, final int bytes, final long remote, final int remoteKey) {
        final int number = next(immediate);
        if (bytes == 0) {
            queue.writeHeader(remote, remoteKey, number);
        } else if (bytes <= COPIED_BYTES) {
            queue.writeMessage(from, bytes, remote, remoteKey, number);
        } else {
            sendLongMessage(number, from, bytes, remote, remoteKey);
        }
        sent();
    }

    private void sendLongMessage(final int number, final long from, final int bytes, final long remote,
            final int remoteKey) {
        final Registration registration = registration(from, bytes);
        if (registration != null) {
            queue.writeMessage(from, registration.localKey(), bytes, remote, remoteKey, number);
        } else {
            // These take requests, and the header belongs to the one that was next.
            final long header = queue.header();
            writeStaged(from, bytes, remote + Header.BYTES, remoteKey);
            Memory.copy(queue.header(), header, Header.BYTES);
            queue.writeHeader(remote, remoteKey, number);
        }
    }

    /** Sends a message that is only its immediate value. */
    void send(final int immediate) {
        queue.signal(next(immediate));
        sent();
    }

    private int next(final int immediate) {
        if (credits() <= 0) {
            throw new IllegalStateException("more was said to rank " + peer + " than a connection holds (" + WINDOW
                    + " messages) without asking whether it takes it");
        }
        return Immediate.ordered(immediate, order);
    }

    /** Ends a message: if data went with it, the next goes over the next queue pair. */
    private void sent() {
        order++;
        if (bulk > 0) {
            bulk = 0;
            current = (current + 1) % queues.length;
            queue = queues[current];
        }
    }

    private static long slot(final long number) {
        return (number & VerbsQueue.RECEIVES - 1) * Header.BYTES;
    }

    boolean ended() {
        return ended;
    }

    /** Makes a token known to the peer, if it names a region of this rank and is not known yet. */
    void introduce(final long token) {
        final Region region = registrations.regions().find(token);
        if (region == null || region.length() == 0) {
            return;
        }
        final Registration registration = registrations.of(region);
        if (introductions.add(token, registration.remoteKey())) {
            final long at = header(Header.INTRODUCES, 0, 0);
            Header.region(at, token, registration.address(), region.length(), registration.remoteKey());
            sendHeader(0);
        }
    }

    /** Posts all that was filled. */
    void post() {
        for (final VerbsQueue one : queues) {
            final int failure = one.post();
            if (failure != 0) {
                throw transport.failures().refused(this, "a send request", failure);
            }
        }
    }

    // What arrives.

    /** A message with an immediate value has come over {@code over}. */
    void arrived(final VerbsQueue over, final int immediate) {
        over.consumed();
        if (ended) {
            return;
        }
        if (Immediate.kind(immediate) == Immediate.CREDIT) {
            taken(Immediate.count(immediate, takenByPeer));
            return;
        }
        final int ahead = Immediate.ahead(immediate, expected);
        if (ahead != 0) {
            overtake(ahead, immediate);
            return;
        }
        take(immediate);
        while ((overtook >>> expected & 1) != 0) {
            overtook &= ~(1L << expected);
            take(waiting[(int) expected & VerbsQueue.RECEIVES - 1]);
        }
    }

    private void overtake(final int ahead, final int immediate) {
        final long number = expected + ahead;
        if (queues.length == 1 || ahead >= WINDOW || (overtook >>> number & 1) != 0) {
            throw violated("a message out of order");
        }
        overtook |= 1L << number;
        waiting[(int) number & VerbsQueue.RECEIVES - 1] = immediate;
    }

    private void take(final int immediate) {
        final long at = slots + slot(expected);
        expected++;
        final VerbsLink link = lanes[Immediate.lane(immediate)];
        switch (Immediate.kind(immediate)) {
            case Immediate.SIGNAL -> {
                if (link == null || !link.raised(Immediate.generation(immediate), Immediate.channel(immediate),
                        Immediate.rise(immediate))) {
                    throw violated("a signal of a channel that does not exist");
                }
            }
            case Immediate.COMPLETE -> lane(link).completedMore(Immediate.completed(immediate));
            case Immediate.DELIVER -> {
                final long header = lane(link).delivered(Immediate.generation(immediate));
                if (header == 0) {
                    throw violated("an inbox message that does not fit");
                }
                taken(Header.taken(header));
            }
            case Immediate.HEADER -> header(link, at);
            case Immediate.BYE -> end();
            default -> throw violated("a message of kind " + Immediate.kind(immediate));
        }
    }

    private VerbsLink lane(final VerbsLink link) {
        if (link == null) {
            throw violated("something for a lane that does not exist");
        }
        return link;
    }

    private void header(final VerbsLink link, final long at) {
        taken(Header.taken(at));
        if (Header.says(at, Header.INTRODUCES)) {
            if (!regions.introduce(Header.token(at), Header.address(at), Header.length(at), Header.key(at))) {
                throw violated("a token that no region has");
            }
        } else if (!lane(link).told(at)) {
            throw violated("a signal of a channel that does not exist");
        }
    }

    private void taken(final long count) {
        if (count > order) {
            throw violated("a credit for " + count + " messages, of which only " + order + " were sent");
        }
        takenByPeer = Math.max(takenByPeer, count);
    }

    private LinkException violated(final String what) {
        return new LinkException(peer, "rank " + peer + " sent " + what
                + ": the connection is unusable; do all ranks run the same Chagres?");
    }

    /** The peer has left: nothing more is sent, and nothing that was matters. */
    private void end() {
        ended = true;
        due = false;
        for (final VerbsQueue one : queues) {
            one.forget();
        }
    }

    /** A request has failed. */
    void failed(final VerbsQueue over, final CompletionBatch batch, final int index) {
        if (ended || !(batch.completion(index) instanceof final Completion.Failure failure)) {
            return;
        }
        if (!probing) {
            throw transport.failures().failed(this, over, failure);
        }
        if (probeFailure == null) {
            probeFailure = transport.failures().failed(this, over, failure).getMessage();
        }
    }

    /** After completions were taken: makes room for the peer, and says what is due. */
    void settle() {
        for (final VerbsQueue one : queues) {
            final int failure = one.repost();
            if (failure != 0 && !ended) {
                throw transport.failures().refused(this, "receive requests", failure);
            }
        }
        if (ended) {
            return;
        }
        if (due) {
            flush();
        }
        if (expected - told >= CREDIT_AT && queues[0].takesOne()) {
            told = expected;
            queues[0].signal(Immediate.credit(told));
        }
        post();
    }

    // Begin and end.

    /** The queue pairs are there now. */
    void begins() {
        queue = queues[0];
    }

    VerbsQueue[] queues() {
        return queues;
    }

    /** The way to the peer; null before it is connected. */
    public VerbsPath path() {
        return path;
    }

    /** The number of the queue pair at the other end of {@code of}; 0 if none is known. */
    int remoteNumber(final VerbsQueue of) {
        return remote == null ? 0 : remote.endpoints()[Arrays.asList(queues).indexOf(of)].queuePairNumber();
    }

    /** Where the peer writes headers. */
    long slots() {
        return slots;
    }

    /** Writes a packet of the path's MTU over each queue pair. */
    void probe() {
        probing = true;
        for (final VerbsQueue one : queues) {
            one.probe(path.agreement().mtu().bytes(), remoteSlots, remoteSlotsKey);
        }
        post();
    }

    /** Whether what {@link #probe} sent is still under way. */
    boolean isProbing() {
        return probing && probeFailure == null && !isIdle();
    }

    /** From now on a failure is an exception; returns the one that there was, or {@code late} if there is no answer yet. */
    Optional<String> endProbe(final String late) {
        final boolean waits = isProbing();
        probing = false;
        return Optional.ofNullable(waits ? late : probeFailure);
    }

    /** Says goodbye, if there is a credit for it; returns whether it has been said or need not be. */
    boolean bye() {
        if (ended) {
            return true;
        }
        if (!takesMessage()) {
            return false;
        }
        send(Immediate.of(Immediate.BYE, 0));
        for (final VerbsQueue one : queues) {
            one.fence();
        }
        post();
        return true;
    }

    /** Whether all requests have completed; after {@link #bye}. */
    boolean isIdle() {
        for (final VerbsQueue one : queues) {
            if (!one.isIdle()) {
                return false;
            }
        }
        return true;
    }
}
