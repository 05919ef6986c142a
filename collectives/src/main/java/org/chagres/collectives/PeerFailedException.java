package org.chagres.collectives;

import org.chagres.bootstrap.Peer;

/**
 * A rank of the communicator is gone, so that operations cannot complete; the message says what was seen of its end, and which operation this rank and that
 * one had reached. The communicator cannot be used any more; {@link Communicator#shrink} makes one of the survivors.
 */
public final class PeerFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int rank;
    private final String hostName;
    private final long pid;

    PeerFailedException(final int rank, final Peer peer, final String message, final Throwable cause) {
        super(message, cause);
        this.rank = rank;
        this.hostName = peer.hostName();
        this.pid = peer.pid();
    }

    private PeerFailedException(final PeerFailedException first, final String message) {
        super(message, first);
        this.rank = first.rank;
        this.hostName = first.hostName;
        this.pid = first.pid;
    }

    /** The same failure, met again. */
    PeerFailedException again(final String message) {
        return new PeerFailedException(this, message);
    }

    /** The rank that failed, as this communicator numbers it; this rank's own if the others gave up on it. */
    public int rank() {
        return rank;
    }

    /** The name that its host gave itself. */
    public String hostName() {
        return hostName;
    }

    /** Its process id on that host. */
    public long pid() {
        return pid;
    }
}
