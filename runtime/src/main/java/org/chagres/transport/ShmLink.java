package org.chagres.transport;

import org.chagres.memory.Memory;
import org.chagres.memory.PeerMemory;

/**
 * A link through memory that both ranks map. A put is a copy into the peer's memory and a signal a store-release into a line of its own;
 * x86's total store order, or the release on weaker machines, makes data visible before its signal.
 *
 * <p>An inbox message ends in its trailer, fingerprint and value, and its data lies right before: up to 48 bytes of data travel in the
 * trailer's cache line, so that a small message costs a single handover between cores.
 */
public final class ShmLink implements Link {
    private static final long VALUE = 8;
    private static final long FINGERPRINT = 16;

    private final int peer;
    private final PeerMemory memory;
    private final long controlToken;
    private final long inboxBytes;
    /** Addresses in the peer's control region where this rank writes. */
    private final long remoteSignals;
    private final long[] remoteAnnouncement = new long[GENERATIONS];
    private final long[] remoteInboxEnd = new long[GENERATIONS];
    private final long remoteCompleted;
    private final long[] scratchOffset = new long[GENERATIONS];
    /** Addresses in this rank's control region where the peer writes, and the one line that it reads. */
    private final long localCompleted;
    private final long localSignals;
    private final long[] localAnnouncement = new long[GENERATIONS];
    private final long[] localInboxEnd = new long[GENERATIONS];

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
        this.remoteSignals = remote + layout.signal(rank, 0);
        this.localSignals = control + layout.signal(peer, 0);
        for (int g = 0; g < GENERATIONS; g++) {
            remoteAnnouncement[g] = remote + layout.announcement(rank, g);
            remoteInboxEnd[g] = remote + layout.inboxEnd(rank, g);
            scratchOffset[g] = layout.scratch(g);
            localAnnouncement[g] = control + layout.announcement(peer, g);
            localInboxEnd[g] = control + layout.inboxEnd(peer, g);
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

    @Override
    public void announce(final long sequence, final long fingerprint, final long token, final long offset) {
        final long line = remoteAnnouncement[(int) sequence & 1];
        Memory.putLong(line + 8, fingerprint);
        Memory.putLong(line + 16, token);
        Memory.putLong(line + 24, offset);
        Memory.putLongRelease(line, sequence);
    }

    @Override
    public long announcedSequence(final long sequence) {
        return Memory.getLongAcquire(localAnnouncement[(int) sequence & 1]);
    }

    @Override
    public long announcedFingerprint(final long sequence) {
        return Memory.getLong(localAnnouncement[(int) sequence & 1] + 8);
    }

    @Override
    public long announcedToken(final long sequence) {
        return Memory.getLong(localAnnouncement[(int) sequence & 1] + 16);
    }

    @Override
    public long announcedOffset(final long sequence) {
        return Memory.getLong(localAnnouncement[(int) sequence & 1] + 24);
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
    public void signal(final int channel, final long value) {
        Memory.putLongRelease(remoteSignals + channel * ControlLayout.SPACING, value);
    }

    @Override
    public long raised(final int channel) {
        return Memory.getLongAcquire(localSignals + channel * ControlLayout.SPACING);
    }

    @Override
    public void deliver(final long sequence, final long from, final long bytes, final long fingerprint,
            final long value) {
        final long end = remoteInboxEnd[(int) sequence & 1];
        Memory.copy(end - FINGERPRINT - bytes, from, bytes);
        Memory.putLong(end - FINGERPRINT, fingerprint);
        Memory.putLongRelease(end - VALUE, value);
    }

    @Override
    public long deliveredValue(final long sequence) {
        return Memory.getLongAcquire(localInboxEnd[(int) sequence & 1] - VALUE);
    }

    @Override
    public long deliveredFingerprint(final long sequence) {
        return Memory.getLong(localInboxEnd[(int) sequence & 1] - FINGERPRINT);
    }

    @Override
    public long deliveredAddress(final long sequence, final long bytes) {
        return localInboxEnd[(int) sequence & 1] - FINGERPRINT - bytes;
    }

    @Override
    public long inboxBytes() {
        return inboxBytes;
    }

    @Override
    public void complete(final long sequence) {
        Memory.putLongRelease(localCompleted, sequence);
    }

    @Override
    public long completed() {
        return Memory.getLongAcquire(remoteCompleted);
    }
}
