package org.chagres.collectives;

/** An operation did not complete by its deadline; the message says which step waits for whom. The communicator cannot be used any more. */
public final class CollectiveTimeoutException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CollectiveTimeoutException(final String message) {
        super(message);
    }
}
