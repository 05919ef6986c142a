package org.chagres.net;

/** Bytes that are not what the protocol allows; the message says what they are instead. */
public final class ProtocolException extends Exception {
    private static final long serialVersionUID = 1L;

    public ProtocolException(final String message) {
        super(message);
    }
}
