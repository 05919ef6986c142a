package org.chagres.collectives;

/**
 * A rank called {@link Communicator#abort} or {@link Communicator#shrink}, or ended an operation by an error that is none of the other exceptions'; the
 * message says which rank and why. The communicator cannot be used any more.
 */
public final class CommunicatorAbortedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CommunicatorAbortedException(final String message, final Throwable cause) {
        super(message, cause);
    }
}
