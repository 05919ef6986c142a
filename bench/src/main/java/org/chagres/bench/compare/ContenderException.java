package org.chagres.bench.compare;

/** A contender could not be built or run; the message says why, in one line. */
final class ContenderException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ContenderException(final String message) {
        super(message);
    }
}
