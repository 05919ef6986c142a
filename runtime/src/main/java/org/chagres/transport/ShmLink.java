package org.chagres.transport;

import org.chagres.memory.Memory;
import org.chagres.memory.PeerMemory;

/**
 * A link through memory that both ranks map. A put is a copy into the peer's memory and a signal a store-release into a line of its own;
 * x86's total store order, or the release on weaker machines, makes data visible before its signal. {@link Inbox} describes how small messages travel.
 */
public final class ShmLink implements Link {
    /** What is reduced and then put stays in the first-level cache between. */
    private static final long PIECE_BYTES = 8 << 10;

    private static final long VALUE = 0;
    private static final long ANNOUNCED = 8;
    private static final long FINGERPRINT = 16;
    private static final long TOKEN = 24;
    private static final long OFFSET = 32;

    private final int peer;
    private final PeerMemory memory;
    private final long controlToken;
    private final long inboxBytes;
    private final long[] scratchOffset = new long[GENERATIONS];
    /** Addresses in the peer's control region where this rank writes, and one line that it reads. */
    private final long[] remoteSignals = new long[GENERATIONS];
    private final long[] remoteLine = new long[GENERATIONS];
    private final long[] remoteBulk = new long[GENERATIONS];
    private final long remoteCompleted;
    /** Addresses in this rank's control region where the peer writes, and the one line that it reads. */
    private final long[] localSignals = new long[GENERATIONS];
    private final long[] localLine = new long[GENERATIONS];
    private final long[] localBulk = new long[GENERATIONS];
    private final long localCompleted;

    /**
     * @param rank this rank in the communicator
     * @param control the address of this rank's control region
     * @param controlToken the token of the peer's control region
     * @param memory the peer's memory; the link does not own it
     */
    public ShmLink(final ControlLayout layout, final int rank, final long control, final int peer,
            final long controlToken,
            final PeerMemory memory) {
        this.peer = peer;
        this.memory = memory;
        this.controlToken = controlToken;
        this.inboxBytes = layout.inboxBytes();
        final long remote = memory.hold(controlToken, layout.end());
        this.remoteCompleted = remote + layout.completed(rank);
        this.localCompleted = control + layout.completed(peer);
        for (int g = 0; g < GENERATIONS; g++) {
            scratchOffset[g] = layout.scratch(g);
            remoteSignals[g] = remote + layout.signals(rank, g);
            remoteLine[g] = remote + layout.inboxLine(rank, g);
            remoteBulk[g] = remote + layout.inboxBulk(rank, g);
            localSignals[g] = control + layout.signals(peer, g);
            localLine[g] = control + layout.inboxLine(peer, g);
            localBulk[g] = control + layout.inboxBulk(peer, g);
        }
    }

    @Override
    public int peer() {
        return peer;
    }

    @Override
    public String transport() {
        return "shm";
    }

    /** The announcement shares the line of signal 0, so that it arrives with the first signal at no cost. */
    @Override
    public void announce(final long sequence, final long fingerprint, final long token, final long offset) {
        final long line = remoteSignals[(int) sequence & 1];
        Memory.putLong(line + FINGERPRINT, fingerprint);
        Memory.putLong(line + TOKEN, token);
        Memory.putLong(line + OFFSET, offset);
        Memory.putLongRelease(line + ANNOUNCED, sequence);
    }

    @Override
    public long announcedSequence(final long sequence) {
        return Memory.getLongAcquire(localSignals[(int) sequence & 1] + ANNOUNCED);
    }

    @Override
    public long announcedFingerprint(final long sequence) {
        return Memory.getLong(localSignals[(int) sequence & 1] + FINGERPRINT);
    }

    @Override
    public long announcedToken(final long sequence) {
        return Memory.getLong(localSignals[(int) sequence & 1] + TOKEN);
    }

    @Override
    public long announcedOffset(final long sequence) {
        return Memory.getLong(localSignals[(int) sequence & 1] + OFFSET);
    }

    @Override
    public boolean writable() {
        return true;
    }

    /** A put is a copy: when it returns, it is done. */
    @Override
    public boolean flushed() {
        return true;
    }

    @Override
    public long pieceBytes() {
        return PIECE_BYTES;
    }

    @Override
    public void put(final long from, final long token, final long offset, final long bytes) {
        Memory.copy(memory.resolve(token, offset, bytes), from, bytes);
    }

    @Override
    public long scratchToken() {
        return controlToken;
    }

    @Override
    public long scratchOffset(final long sequence) {
        return scratchOffset[(int) sequence & 1];
    }

    @Override
    public void signal(final long sequence, final int channel, final long value) {
        Memory.putLongRelease(remoteSignals[(int) sequence & 1] + channel * ControlLayout.SPACING + VALUE, value);
    }

    @Override
    public long raised(final long sequence, final int channel) {
        return Memory.getLongAcquire(localSignals[(int) sequence & 1] + channel * ControlLayout.SPACING + VALUE);
    }

    @Override
    public void deliver(final long sequence, final long from, final long bytes, final long fingerprint) {
        final int g = (int) sequence & 1;
        Inbox.write(remoteLine[g], remoteBulk[g], sequence, from, bytes, fingerprint);
    }

    @Override
    public boolean delivered(final long sequence) {
        return Inbox.arrived(localLine[(int) sequence & 1], sequence);
    }

    @Override
    public long deliveredFingerprint(final long sequence) {
        final long line = localLine[(int) sequence & 1];
        return Inbox.arrived(line, sequence) ? Inbox.fingerprint(line) : 0;
    }

    @Override
    public long deliveredAddress(final long sequence) {
        final int g = (int) sequence & 1;
        return Inbox.length(localLine[g]) <= Inbox.SHORT ? localLine[g] : localBulk[g];
    }

    @Override
    public long deliveredBytes(final long sequence) {
        return Inbox.length(localLine[(int) sequence & 1]);
    }

    @Override
    public long inboxBytes() {
        return inboxBytes;
    }

    @Override
    public void complete(final long sequence, final boolean now) {
        Memory.putLongRelease(localCompleted, sequence);
    }

    @Override
    public long completed() {
        return Memory.getLongAcquire(remoteCompleted);
    }
}
