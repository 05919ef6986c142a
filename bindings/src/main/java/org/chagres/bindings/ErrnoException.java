package org.chagres.bindings;

import java.io.Serial;

/** A system call or a library call that failed with errno. */
public final class ErrnoException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final int errno;

    /**
     * The failure of a call.
     *
     * @param call
     *            the C function and what it was asked, such as {@code ibv_reg_mr of 4096 bytes}
     * @param errno
     *            what it left, see {@link Errno}
     */
    public ErrnoException(final String call, final int errno) {
        super(call + " failed: " + Errno.describe(errno));
        this.errno = errno;
    }

    /**
     * The errno value.
     *
     * @return see {@link Errno}
     */
    public int errno() {
        return errno;
    }
}
