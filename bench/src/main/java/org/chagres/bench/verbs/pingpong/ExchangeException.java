package org.chagres.bench.verbs.pingpong;

import java.io.IOException;

/** The peer did not keep to the exchange of addresses. The message says what it did instead. */
final class ExchangeException extends IOException {
    private static final long serialVersionUID = 1L;

    ExchangeException(final String message) {
        super(message);
    }
}
