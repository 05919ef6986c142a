package org.chagres.transport;

/** The connection to a peer broke, or the peer broke the protocol; the message says which and how. */
public final class LinkException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int peer;

    /**
     * Tells what happened.
     *
     * @param peer the peer's rank in the communicator
     */
    public LinkException(final int peer, final String message) {
        super(message);
        this.peer = peer;
    }

    /** The peer's rank in the communicator. */
    public int peer() {
        return peer;
    }
}
