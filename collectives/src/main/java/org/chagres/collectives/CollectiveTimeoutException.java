package org.chagres.collectives;

/**
 * An operation did not complete by its deadline, on this rank or on another, which then gave up for all; the message says which rank waited for whom, in
 * which step, and whether the process of the rank that is late still responds. The communicator cannot be used any more, unless it was
 * {@link Work#await(java.time.Duration)} that ran out of patience.
 */
public final class CollectiveTimeoutException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CollectiveTimeoutException(final String message, final Throwable cause) {
        super(message, cause);
    }
}
