package org.chagres.bootstrap;

/** The ranks could not form a world; the message says which rank or setting is at fault and what to do. */
public final class JoinException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public JoinException(final String message) {
        super(message);
    }

    public JoinException(final String message, final Throwable cause) {
        super(message, cause);
    }
}
