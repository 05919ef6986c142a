package org.chagres.collectives;

/**
 * Ranks called different operations at the same point of their programs; the message shows both sides. All ranks of the communicator throw it, also those
 * that called what others did. The communicator cannot be used any more.
 */
public final class CollectiveMismatchException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CollectiveMismatchException(final String message, final Throwable cause) {
        super(message, cause);
    }
}
