package org.chagres.memory;

/** A token names a region that its owner has closed, or a place beyond its bounds. */
public final class StaleTokenException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Tells which region, and what is wrong with it. */
    public StaleTokenException(final String message) {
        super(message);
    }
}
