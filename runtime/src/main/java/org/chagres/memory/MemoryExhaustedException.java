package org.chagres.memory;

/** There is no room for the shared memory asked for; the message says how much, where, and what to do. */
public final class MemoryExhaustedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MemoryExhaustedException(final String message, final Throwable cause) {
        super(message, cause);
    }
}
