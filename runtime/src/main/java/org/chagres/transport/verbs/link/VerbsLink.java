package org.chagres.transport.verbs.link;

import org.chagres.memory.Region;
import org.chagres.transport.ControlLayout;
import org.chagres.transport.Link;

/**
 * A lane of a connection over verbs. A put is an RDMA write. Everything that the peer must notice is a write with immediate: what it says is taken in here
 * when its completion is polled, never by looking at memory, because only the completion shows that the data before it are there.
 *
 * <p>An announcement waits for the first signal of its operation and goes in its header, or goes by itself when the transport is polled.
 */
public final class VerbsLink implements Link {
    /** A whole chunk: its signal goes with it in one call. */
    private static final long PIECE_BYTES = 128 << 10;

    private final VerbsConnection connection;
    private final int lane;
    private final int channels;
    private final int inboxBytes;
    private final long controlToken;
    private final long[] scratchOffset = new long[GENERATIONS];
    /** Where messages lie: offsets in the peer's control region, addresses in this rank's. The header is directly before. */
    private final long[] remoteInbox = new long[GENERATIONS];
    private final long[] inbox = new long[GENERATIONS];

    private long completed;
    /** What the peer was last told of it. */
    private long toldCompleted;
    private boolean completionDue;
    private long completedByPeer;
    private final long[] announcing = new long[GENERATIONS];
    private final long[] announcingFingerprint = new long[GENERATIONS];
    private final long[] announcingToken = new long[GENERATIONS];
    private final long[] announcingOffset = new long[GENERATIONS];
    private final boolean[] announcementDue = new boolean[GENERATIONS];
    private final long[] announced = new long[GENERATIONS];
    private final long[] fingerprint = new long[GENERATIONS];
    private final long[] token = new long[GENERATIONS];
    private final long[] offset = new long[GENERATIONS];
    /** Where this rank has raised the peer's signals to, and where the peer has raised this rank's. */
    private final long[] signalled;
    private final long[] signals;
    private final long[] messageSequence = new long[GENERATIONS];
    private final long[] messageFingerprint = new long[GENERATIONS];
    private final long[] messageBytes = new long[GENERATIONS];

    /**
     * Opens a lane; the peer opens the same.
     *
     * @param lane its number on the connection, 0 to 3
     * @param layout of the control regions, of which inbox and scratch are used here
     * @param rank this rank in the communicator
     * @param control this rank's control region
     * @param controlToken the token of the peer's control region
     */
    public VerbsLink(final VerbsConnection connection, final int lane, final ControlLayout layout, final int rank,
            final Region control,
            final long controlToken) {
        if (lane >= Immediate.MAX_LANES || layout.channels() > Immediate.MAX_CHANNELS) {
            throw new IllegalArgumentException(
                    "lane " + lane + " with " + layout.channels() + " channels: a connection over verbs has "
                            + Immediate.MAX_LANES + " lanes with " + Immediate.MAX_CHANNELS + " channels each");
        }
        this.connection = connection;
        this.lane = lane;
        this.channels = layout.channels();
        this.inboxBytes = (int) layout.inboxBytes();
        this.controlToken = controlToken;
        this.signalled = new long[GENERATIONS * channels];
        this.signals = new long[GENERATIONS * channels];
        for (int g = 0; g < GENERATIONS; g++) {
            scratchOffset[g] = layout.scratch(g);
            remoteInbox[g] = layout.inboxBulk(rank, g);
            inbox[g] = control.address() + layout.inboxBulk(connection.peer(), g);
        }
        connection.add(lane, this);
    }

    private static int generation(final long sequence) {
        return (int) sequence & 1;
    }

    @Override
    public int peer() {
        return connection.peer();
    }

    @Override
    public String transport() {
        return "verbs";
    }

    @Override
    public void announce(final long sequence, final long print, final long region, final long start) {
        final int g = generation(sequence);
        if (announcing[g] == sequence || connection.ended()) {
            return;
        }
        if (announcementDue[g]) {
            sendAnnouncement(g);
        }
        announcing[g] = sequence;
        announcingFingerprint[g] = print;
        announcingToken[g] = region;
        announcingOffset[g] = start;
        announcementDue[g] = true;
        connection.introduce(region);
        connection.due();
    }

    private void sendAnnouncement(final int g) {
        announcement(g, header(Header.ANNOUNCES, 0));
        connection.sendHeader(lane);
    }

    private void announcement(final int g, final long at) {
        announcementDue[g] = false;
        Header.operation(at, announcing[g], announcingFingerprint[g]);
        Header.output(at, announcingToken[g], announcingOffset[g]);
    }

    private long header(final int what, final int channel) {
        toldCompleted = completed;
        completionDue = false;
        return connection.header(what, channel, completed);
    }

    /** Says what is due, as far as there is room. */
    void flush() {
        for (int g = 0; g < GENERATIONS; g++) {
            if (announcementDue[g]) {
                if (!connection.takesMessage()) {
                    connection.due();
                    return;
                }
                sendAnnouncement(g);
            }
        }
        if (completionDue) {
            sayCompleted();
        }
    }

    @Override
    public long announcedSequence(final long sequence) {
        return announced[generation(sequence)];
    }

    @Override
    public long announcedFingerprint(final long sequence) {
        return fingerprint[generation(sequence)];
    }

    @Override
    public long announcedToken(final long sequence) {
        return token[generation(sequence)];
    }

    @Override
    public long announcedOffset(final long sequence) {
        return offset[generation(sequence)];
    }

    @Override
    public boolean writable() {
        return connection.writable();
    }

    @Override
    public boolean flushed() {
        return connection.flushed();
    }

    @Override
    public long pieceBytes() {
        return PIECE_BYTES;
    }

    @Override
    public void put(final long from, final long region, final long start, final long bytes) {
        final RemoteRegions regions = connection.regions();
        final int index = regions.check(region, start, bytes);
        connection.write(from, bytes, regions.address(index) + start, regions.key(index));
    }

    @Override
    public long scratchToken() {
        return controlToken;
    }

    @Override
    public long scratchOffset(final long sequence) {
        return scratchOffset[generation(sequence)];
    }

    @Override
    public void signal(final long sequence, final int channel, final long value) {
        if (connection.ended()) {
            return;
        }
        final int g = generation(sequence);
        final int which = g * channels + channel;
        final long rise = value - signalled[which];
        signalled[which] = value;
        if (!announcementDue[g] && rise >= 0 && rise <= Immediate.MAX_RISE) {
            connection.send(Immediate.signal(lane, g, channel, rise));
        } else {
            signalByHeader(g, channel, value);
        }
        connection.post();
    }

    private void signalByHeader(final int g, final int channel, final long value) {
        final long at;
        if (announcementDue[g]) {
            at = header(Header.ANNOUNCES | Header.SIGNALS, channel);
            announcement(g, at);
        } else {
            at = header(Header.SIGNALS, channel);
            Header.operation(at, g, 0);
        }
        Header.value(at, value);
        connection.sendHeader(lane);
    }

    @Override
    public long raised(final long sequence, final int channel) {
        return signals[generation(sequence) * channels + channel];
    }

    @Override
    public void deliver(final long sequence, final long from, final long bytes, final long print) {
        if (connection.ended()) {
            return;
        }
        final int g = generation(sequence);
        final RemoteRegions regions = connection.regions();
        final int index = regions.check(controlToken, remoteInbox[g], bytes);
        final long at = header(Header.DELIVERS, 0);
        Header.operation(at, sequence, print);
        Header.value(at, bytes);
        connection.sendMessage(Immediate.deliver(lane, g), from, (int) bytes,
                regions.address(index) + remoteInbox[g] - Header.BYTES,
                regions.key(index));
        connection.post();
    }

    @Override
    public boolean delivered(final long sequence) {
        return messageSequence[generation(sequence)] == sequence;
    }

    @Override
    public long deliveredFingerprint(final long sequence) {
        return delivered(sequence) ? messageFingerprint[generation(sequence)] : 0;
    }

    @Override
    public long deliveredAddress(final long sequence) {
        return inbox[generation(sequence)];
    }

    @Override
    public long deliveredBytes(final long sequence) {
        return messageBytes[generation(sequence)];
    }

    @Override
    public long inboxBytes() {
        return inboxBytes;
    }

    @Override
    public void complete(final long sequence, final boolean now) {
        completed = sequence;
        if (now && !connection.ended()) {
            completionDue = true;
            sayCompleted();
            connection.post();
        }
    }

    private void sayCompleted() {
        if (!connection.takesMessage()) {
            connection.due();
            return;
        }
        final long more = completed - toldCompleted;
        if (more >= 0 && more <= Immediate.MAX_COMPLETED) {
            toldCompleted = completed;
            completionDue = false;
            connection.send(Immediate.complete(lane, more));
        } else {
            header(0, 0);
            connection.sendHeader(lane);
        }
    }

    @Override
    public long completed() {
        return completedByPeer;
    }

    // What the peer says, in its order.

    void completedMore(final long operations) {
        completedByPeer += operations;
    }

    /** Returns whether there is such a channel. */
    boolean raised(final int g, final int channel, final long rise) {
        if (channel >= channels) {
            return false;
        }
        signals[g * channels + channel] += rise;
        return true;
    }

    /** The peer has sent a header; returns whether there is such a channel as it may name. */
    boolean told(final long at) {
        completedByPeer = Header.completed(at);
        final int g = generation(Header.sequence(at));
        if (Header.says(at, Header.ANNOUNCES)) {
            announced[g] = Header.sequence(at);
            fingerprint[g] = Header.fingerprint(at);
            token[g] = Header.token(at);
            offset[g] = Header.offset(at);
        }
        if (Header.says(at, Header.SIGNALS)) {
            final int channel = Header.channel(at);
            if (channel < 0 || channel >= channels) {
                return false;
            }
            signals[g * channels + channel] = Header.value(at);
        }
        return true;
    }

    /** The peer's message lies in the inbox; returns the address of its header, 0 if it makes no sense. */
    long delivered(final int g) {
        final long at = inbox[g] - Header.BYTES;
        final long bytes = Header.value(at);
        if (!Header.says(at, Header.DELIVERS) || bytes < 0 || bytes > inboxBytes) {
            return 0;
        }
        completedByPeer = Header.completed(at);
        messageSequence[g] = Header.sequence(at);
        messageFingerprint[g] = Header.fingerprint(at);
        messageBytes[g] = bytes;
        return at;
    }
}
