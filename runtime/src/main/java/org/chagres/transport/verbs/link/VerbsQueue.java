package org.chagres.transport.verbs.link;

import org.chagres.memory.Memory;
import org.chagres.verbs.PreparedReceives;
import org.chagres.verbs.PreparedSends;
import org.chagres.verbs.QueuePair;

/**
 * One queue pair of a connection: its requests, which are numbered from 0 on and filled ahead of being posted together, and the memory that they send from
 * when it is not the caller's. Used by one thread at a time.
 */
final class VerbsQueue {
    /** Send requests that may be under way. */
    static final int SENDS = 128;
    /** Receive requests that are posted, each for an immediate value. */
    static final int RECEIVES = 64;
    /** Memory for copies of data that are under way. */
    static final int STAGING_BYTES = 64 << 10;
    /** Local memory that it needs: a header for each send request, and the copies. */
    static final long OUTGOING_BYTES = (long) SENDS * Header.BYTES + STAGING_BYTES;
    /** Room that is kept for a step's worth of requests. */
    private static final int ROOM = 16;
    private static final int STAGING_ROOM = 16 << 10;
    /** A completion is asked for after so many requests, or so many bytes copied, at the latest: so that there is always one to come while there is no room. */
    private static final int REQUESTS_PER_COMPLETION = SENDS / 4;
    private static final int BYTES_PER_COMPLETION = STAGING_BYTES / 4;
    private static final int COPY_ALIGNMENT = 64;
    /** The number of all receive requests. */
    private static final long RECEIVE = -1;

    private final VerbsConnection connection;
    private final QueuePair pair;
    private final PreparedSends sends;
    private final PreparedReceives receives;
    private final int inlineBytes;
    private final long headers;
    private final long staging;
    private final int key;
    /** The number of the next request to fill; those before {@link #posted} are posted, those before {@link #done} completed. */
    private long next;
    private long posted;
    private long done;
    /** After the last request that asked for a completion, and after the last that reads its caller's memory. */
    private long asked;
    private long reads;
    /** Bytes copied and bytes free again, in all; where copying stood at each request, and at the last that asked for a completion. */
    private long copied;
    private long freed;
    private long copiedAsked;
    private final long[] copiedAt = new long[SENDS];
    /** What each request is, for messages: the length of its data, complemented if it is a message. */
    private final int[] lengths = new int[SENDS];
    private int consumed;
    private int nextReceive;

    /**
     * @param pair with room for {@link #SENDS} and {@link #RECEIVES} requests
     * @param outgoing the address of {@link #OUTGOING_BYTES} registered bytes
     * @param key their local key
     */
    VerbsQueue(final VerbsConnection connection, final QueuePair pair, final long outgoing, final int key) {
        this.connection = connection;
        this.pair = pair;
        this.sends = pair.prepareSends(SENDS, 2);
        this.receives = pair.prepareReceives(RECEIVES, 0);
        this.inlineBytes = pair.capacities().maxInlineData();
        this.headers = outgoing;
        this.staging = outgoing + (long) SENDS * Header.BYTES;
        this.key = key;
        for (int i = 0; i < RECEIVES; i++) {
            receives.receive(i, RECEIVE);
        }
    }

    QueuePair pair() {
        return pair;
    }

    VerbsConnection connection() {
        return connection;
    }

    /** Bytes that travel within a request, so that their source is free at once. */
    int inlineBytes() {
        return inlineBytes;
    }

    /** Whether a step's worth of requests, with short data, has room. */
    boolean hasRoom() {
        return SENDS - (next - done) >= ROOM && STAGING_BYTES - (copied - freed) >= STAGING_ROOM;
    }

    /** Whether all memory of callers that requests read has been read. */
    boolean hasRead() {
        return done >= reads;
    }

    /** Whether a request more has room. */
    boolean takesOne() {
        return next - done < SENDS;
    }

    /** Whether all requests have completed. Those without a completion of their own have when a later one has. */
    boolean isIdle() {
        return next == done;
    }

    /** Where the header of the next request is to be written. */
    long header() {
        return headers + (long) slot() * Header.BYTES;
    }

    private int slot() {
        return (int) next & SENDS - 1;
    }

    private int claim() {
        if (next - done == SENDS) {
            throw new IllegalStateException("more was given to rank " + connection.peer()
                    + " than a connection holds (" + SENDS + " requests) without asking whether it takes it");
        }
        return slot();
    }

    /** Ends a request that was filled. */
    private void filled(final int length) {
        copiedAt[slot()] = copied;
        lengths[slot()] = length;
        next++;
    }

    /** Flags for the next request; those that read memory which is not inline always ask for a completion. */
    private int flags(final boolean ask, final int other) {
        if (!ask && next - asked < REQUESTS_PER_COMPLETION && copied - copiedAsked < BYTES_PER_COMPLETION) {
            return other;
        }
        asked = next + 1;
        copiedAsked = copied;
        return other | PreparedSends.SIGNALED;
    }

    /** Data that travel within the request. */
    void writeInline(final long from, final int bytes, final long remote, final int remoteKey) {
        final int slot = claim();
        sends.write(slot, next, from, 0, bytes, remote, remoteKey, flags(false, PreparedSends.INLINE));
        filled(bytes);
    }

    /** A copy of short data. */
    void writeCopy(final long from, final int bytes, final long remote, final int remoteKey) {
        final int slot = claim();
        final long copy = copy(from, bytes);
        sends.write(slot, next, copy, key, bytes, remote, remoteKey, flags(false, 0));
        filled(bytes);
    }

    /** Data that the device reads where they are. */
    void write(final long from, final int fromKey, final int bytes, final long remote, final int remoteKey) {
        final int slot = claim();
        sends.write(slot, next, from, fromKey, bytes, remote, remoteKey, flags(true, 0));
        reads = next + 1;
        filled(bytes);
    }

    /** A message that is only its immediate value. */
    void signal(final int immediate) {
        final int slot = claim();
        sends.signal(slot, next, immediate, flags(false, 0));
        filled(~0);
    }

    /** A request that moves nothing, and completes when all before it have. */
    void fence() {
        final int slot = claim();
        sends.write(slot, next, header(), key, 0, 0, 0, flags(true, 0));
        filled(0);
    }

    /** Writes zeros over the peer's slots, before there is anything in them: shows that packets of that size reach it, and its acknowledgement this rank. */
    void probe(final int bytes, final long remote, final int remoteKey) {
        write(staging, key, bytes, remote, remoteKey);
    }

    /** A message with the header that {@link #header} points to. */
    void writeHeader(final long remote, final int remoteKey, final int immediate) {
        final int slot = claim();
        final int inline = Header.BYTES <= inlineBytes ? PreparedSends.INLINE : 0;
        sends.writeWithImmediate(slot, next, header(), key, Header.BYTES, remote, remoteKey, immediate,
                flags(false, inline));
        filled(~0);
    }

    /** A message with that header and data behind it, inline or as a copy. */
    void writeMessage(final long from, final int bytes, final long remote, final int remoteKey, final int immediate) {
        final int slot = claim();
        final boolean inline = Header.BYTES + bytes <= inlineBytes;
        final long data = inline ? from : copy(from, bytes);
        sends.writeWithImmediate(slot, next, header(), key, Header.BYTES, remote, remoteKey, immediate,
                flags(false, inline ? PreparedSends.INLINE : 0));
        sends.entry(slot, 1, data, key, bytes);
        filled(~bytes);
    }

    /** A message with that header and data behind it that the device reads where they are. */
    void writeMessage(final long from, final int fromKey, final int bytes, final long remote, final int remoteKey,
            final int immediate) {
        final int slot = claim();
        sends.writeWithImmediate(slot, next, header(), key, Header.BYTES, remote, remoteKey, immediate, flags(true, 0));
        sends.entry(slot, 1, from, fromKey, bytes);
        reads = next + 1;
        filled(~bytes);
    }

    private long copy(final long from, final int bytes) {
        final long start = copied % STAGING_BYTES;
        // Not around the end.
        final long at = start + bytes <= STAGING_BYTES ? start : 0;
        final long end = copied + (at == start ? 0 : STAGING_BYTES - start)
                + (bytes + COPY_ALIGNMENT - 1 & -COPY_ALIGNMENT);
        if (end - freed > STAGING_BYTES) {
            throw new IllegalStateException(
                    "more was given to rank " + connection.peer() + " than a connection copies ("
                            + STAGING_BYTES + " bytes) without asking whether it takes it");
        }
        copied = end;
        Memory.copy(staging + at, from, bytes);
        return staging + at;
    }

    /** Posts what is filled, in one call; returns an error number, 0 if all went well. */
    int post() {
        final int count = (int) (next - posted);
        if (count == 0) {
            return 0;
        }
        final int failure = sends.post((int) posted & SENDS - 1, count);
        posted = next;
        return failure;
    }

    boolean hasUnposted() {
        return next > posted;
    }

    /** The request with this number has completed, and hence all before it. */
    void completed(final long number) {
        if (number < done) {
            return;
        }
        done = number + 1;
        freed = copiedAt[(int) number & SENDS - 1];
    }

    /** For messages to people: what the request with this number is. */
    String describe(final long number) {
        if (number == RECEIVE) {
            return "receiving a message";
        }
        final int length = lengths[(int) number & SENDS - 1];
        return length >= 0
                ? "an RDMA write of " + length + " bytes"
                : "a message of " + ~length + " bytes (RDMA write with immediate)";
    }

    /** Whether the peer has acknowledged anything. */
    boolean isAnswered() {
        return done > 0;
    }

    /** Counts everything as completed: the peer has left, and whatever was under way is of no interest. */
    void forget() {
        posted = next;
        done = next;
        freed = copied;
    }

    /** A receive request has completed. */
    void consumed() {
        consumed++;
    }

    /** Posts as many receive requests as have completed; returns an error number, 0 if all went well. */
    int repost() {
        if (consumed == 0) {
            return 0;
        }
        final int failure = receives.post(nextReceive, consumed);
        nextReceive = (nextReceive + consumed) % RECEIVES;
        consumed = 0;
        return failure;
    }

    /** Posts all receive requests for the first time. */
    int postReceives() {
        return receives.post(0, RECEIVES);
    }
}
