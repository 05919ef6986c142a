package org.chagres.collectives;

/** A rank of the communicator is gone, so that an operation cannot complete. The communicator cannot be used any more. */
public final class PeerFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int rank;

    PeerFailedException(final int rank, final String message) {
        super(message);
        this.rank = rank;
    }

    /** The rank that failed. */
    public int rank() {
        return rank;
    }
}
