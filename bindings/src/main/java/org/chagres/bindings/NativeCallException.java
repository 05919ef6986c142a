package org.chagres.bindings;

/** A native call failed; carries the call and its errno so that callers can add the likely cause and its remedy. */
public final class NativeCallException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int errno;

    public NativeCallException(final String call, final int errno) {
        super(call + " failed: " + Errno.name(errno) + " (" + Errno.message(errno) + ")");
        this.errno = errno;
    }

    /** The value of errno when the call returned. */
    public int errno() {
        return errno;
    }
}
