package org.chagres.bench.verbs;

/** The other end of a test stopped answering, or ended too early. */
public final class PeerLostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public PeerLostException(final String message) {
        super(message);
    }
}
