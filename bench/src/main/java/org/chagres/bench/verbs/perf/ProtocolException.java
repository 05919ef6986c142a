package org.chagres.bench.verbs.perf;

import java.io.IOException;

/** The peer did not keep to the exchange of {@code perf-verbs}. The message says what it did instead. */
final class ProtocolException extends IOException {
    private static final long serialVersionUID = 1L;

    ProtocolException(final String message) {
        super(message);
    }

    ProtocolException(final String message, final Throwable cause) {
        super(message, cause);
    }
}
