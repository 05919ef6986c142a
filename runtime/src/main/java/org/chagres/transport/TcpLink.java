package org.chagres.transport;

import org.chagres.memory.Region;

/**
 * A lane of a data connection. What the peer has said is kept here when its frames arrive, while the transport is polled; putting and signalling write
 * frames, which the connection sends. A frame with data is a put or an inbox message; signals and messages go out at once, and all that was put before them with them.
 */
public final class TcpLink implements Link {
    /** A whole chunk: its signal goes with it in one system call, while another segment for the signal would cost as much as 16 KiB of data. */
    private static final long PIECE_BYTES = 128 << 10;

    private final TcpConnection connection;
    private final int lane;
    private final int channels;
    private final long inboxBytes;
    private final long controlToken;
    private final long[] scratchOffset = new long[GENERATIONS];
    private final Region control;
    private final long[] inbox = new long[GENERATIONS];

    private long completed;
    private long completedByPeer;
    private final long[] announced = new long[GENERATIONS];
    private final long[] announcedBefore = new long[GENERATIONS];
    private final long[] fingerprint = new long[GENERATIONS];
    private final long[] token = new long[GENERATIONS];
    private final long[] offset = new long[GENERATIONS];
    private final long[] signals;
    private final long[] messageSequence = new long[GENERATIONS];
    private final long[] messageFingerprint = new long[GENERATIONS];
    private final long[] messageBytes = new long[GENERATIONS];
    private long arrivingSequence;

    /**
     * Opens a lane; the peer opens the same.
     *
     * @param lane its number on the connection
     * @param layout of the control regions, of which inbox and scratch are used here
     * @param rank this rank in the communicator
     * @param control this rank's control region
     * @param controlToken the token of the peer's control region
     */
    public TcpLink(final TcpConnection connection, final int lane, final ControlLayout layout, final int rank,
            final Region control, final long controlToken) {
        this.connection = connection;
        this.lane = lane;
        this.channels = layout.channels();
        this.inboxBytes = layout.inboxBytes();
        this.control = control;
        this.controlToken = controlToken;
        this.signals = new long[GENERATIONS * channels];
        for (int g = 0; g < GENERATIONS; g++) {
            scratchOffset[g] = layout.scratch(g);
            inbox[g] = layout.inboxBulk(connection.peer(), g);
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
        return "tcp";
    }

    @Override
    public void announce(final long sequence, final long print, final long region, final long start) {
        final int g = generation(sequence);
        if (announcedBefore[g] == sequence) {
            return;
        }
        announcedBefore[g] = sequence;
        final long at = frame(TcpFrame.ANNOUNCE, 0, sequence, print);
        TcpFrame.place(at, region, start);
    }

    private long frame(final int kind, final int channel, final long sequence, final long value) {
        final long at = connection.frame(kind, lane, channel, completed);
        TcpFrame.operation(at, sequence, value);
        return at;
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

    /** A range that the peer does not have is found out there, and breaks the connection. */
    @Override
    public void put(final long from, final long region, final long start, final long bytes) {
        final long at = frame(TcpFrame.PUT, 0, 0, 0);
        TcpFrame.place(at, region, start);
        TcpFrame.length(at, bytes);
        connection.data(from, bytes);
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
        frame(TcpFrame.SIGNAL, channel, sequence, value);
        connection.flush();
    }

    @Override
    public long raised(final long sequence, final int channel) {
        return signals[generation(sequence) * channels + channel];
    }

    @Override
    public void deliver(final long sequence, final long from, final long bytes, final long print) {
        final long at = frame(TcpFrame.DELIVER, 0, sequence, print);
        TcpFrame.length(at, bytes);
        connection.data(from, bytes);
        connection.flush();
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
        return control.address() + inbox[generation(sequence)];
    }

    /** The token of the region in which messages lie. */
    long inboxToken() {
        return control.token();
    }

    /** Where in that region the message of {@code sequence} lies. */
    long inboxOffset(final long sequence) {
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
        if (now) {
            connection.frame(TcpFrame.COMPLETE, lane, 0, completed);
            connection.flush();
        }
    }

    @Override
    public long completed() {
        return completedByPeer;
    }

    void completedByPeer(final long sequence) {
        completedByPeer = Math.max(completedByPeer, sequence);
    }

    void announcedByPeer(final long sequence, final long print, final long region, final long start) {
        final int g = generation(sequence);
        announced[g] = sequence;
        fingerprint[g] = print;
        token[g] = region;
        offset[g] = start;
    }

    /** Returns whether there is such a channel. */
    boolean signalledByPeer(final long sequence, final int channel, final long value) {
        if (channel >= channels) {
            return false;
        }
        signals[generation(sequence) * channels + channel] = value;
        return true;
    }

    void messageArriving(final long sequence, final long bytes, final long print) {
        arrivingSequence = sequence;
        messageBytes[generation(sequence)] = bytes;
        messageFingerprint[generation(sequence)] = print;
    }

    void messageArrived() {
        messageSequence[generation(arrivingSequence)] = arrivingSequence;
    }
}
