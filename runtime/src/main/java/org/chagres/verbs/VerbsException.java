package org.chagres.verbs;

import java.io.Serial;

/**
 * Something that the device, its driver or the kernel refused, or that failed. The message carries the call, its arguments, the state it met, errno,
 * and the likely cause with its remedy.
 */
public class VerbsException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final String call;
    private final int errno;

    /** A failure that no single call reported. */
    public VerbsException(final String message) {
        this(message, "", 0);
    }

    /**
     * A call that failed.
     *
     * @param message all that a person needs
     * @param call the name of the call, such as {@code ibv_reg_mr}
     * @param errno the error number of Linux
     */
    public VerbsException(final String message, final String call, final int errno) {
        super(message);
        this.call = call;
        this.errno = errno;
    }

    /** The call that failed; empty if the failure was noticed without one. */
    public String call() {
        return call;
    }

    /** The error number of Linux that the call left; 0 if there was none. */
    public int errno() {
        return errno;
    }
}
