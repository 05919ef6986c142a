package org.chagres.bindings;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * Names and texts of errno values, and the values that callers tell apart.
 * <p>
 * The numbers are those of the Linux kernel's generic table (x86-64, AArch64, RISC-V). Safe for use by any thread.
 */
public final class Errno {
    /** Operation not permitted. */
    public static final int EPERM = 1;
    /** No such file or directory. */
    public static final int ENOENT = 2;
    /** Interrupted by a signal handler: call again. */
    public static final int EINTR = 4;
    /** The device failed. */
    public static final int EIO = 5;
    /** No data yet on a non-blocking descriptor. */
    public static final int EAGAIN = 11;
    /** Out of memory; from a registration nearly always the limit of locked memory. */
    public static final int ENOMEM = 12;
    /** No permission. */
    public static final int EACCES = 13;
    /** An address that is not mapped, or not for what is asked. */
    public static final int EFAULT = 14;
    /** Busy: the object still has children or users. */
    public static final int EBUSY = 16;
    /** The device is gone. */
    public static final int ENODEV = 19;
    /** A value that the callee refuses. */
    public static final int EINVAL = 22;
    /** This process has no descriptor left. */
    public static final int EMFILE = 24;
    /** Not implemented by this kernel; from {@code ibv_get_device_list}: no RDMA support, hence no devices. */
    public static final int ENOSYS = 38;
    /** No such entry, as an empty row of a GID table. */
    public static final int ENODATA = 61;
    /** The provider does not support the operation. */
    public static final int EOPNOTSUPP = 95;
    /** Another socket listens there. */
    public static final int EADDRINUSE = 98;
    /** Not an address of this host. */
    public static final int EADDRNOTAVAIL = 99;
    /** The interface is down. */
    public static final int ENETDOWN = 100;
    /** No route to the network. */
    public static final int ENETUNREACH = 101;
    /** A connection was gone before it was accepted. */
    public static final int ECONNABORTED = 103;
    /** The peer ended the connection without reading all. */
    public static final int ECONNRESET = 104;
    /** Timed out. */
    public static final int ETIMEDOUT = 110;
    /** Nobody listens there. */
    public static final int ECONNREFUSED = 111;
    /** The host is down. */
    public static final int EHOSTDOWN = 112;
    /** No route to the host. */
    public static final int EHOSTUNREACH = 113;
    /** A non-blocking socket is still connecting. */
    public static final int EINPROGRESS = 115;

    /** From 1 on; a dash stands for a number that Linux does not use. */
    private static final String[] NAMES = """
            EPERM ENOENT ESRCH EINTR EIO ENXIO E2BIG ENOEXEC EBADF ECHILD EAGAIN ENOMEM EACCES EFAULT ENOTBLK
            EBUSY EEXIST EXDEV ENODEV ENOTDIR EISDIR EINVAL ENFILE EMFILE ENOTTY ETXTBSY EFBIG ENOSPC ESPIPE
            EROFS EMLINK EPIPE EDOM ERANGE EDEADLK ENAMETOOLONG ENOLCK ENOSYS ENOTEMPTY ELOOP - ENOMSG EIDRM
            ECHRNG EL2NSYNC EL3HLT EL3RST ELNRNG EUNATCH ENOCSI EL2HLT EBADE EBADR EXFULL ENOANO EBADRQC EBADSLT
            - EBFONT ENOSTR ENODATA ETIME ENOSR ENONET ENOPKG EREMOTE ENOLINK EADV ESRMNT ECOMM EPROTO EMULTIHOP
            EDOTDOT EBADMSG EOVERFLOW ENOTUNIQ EBADFD EREMCHG ELIBACC ELIBBAD ELIBSCN ELIBMAX ELIBEXEC EILSEQ
            ERESTART ESTRPIPE EUSERS ENOTSOCK EDESTADDRREQ EMSGSIZE EPROTOTYPE ENOPROTOOPT EPROTONOSUPPORT
            ESOCKTNOSUPPORT EOPNOTSUPP EPFNOSUPPORT EAFNOSUPPORT EADDRINUSE EADDRNOTAVAIL ENETDOWN ENETUNREACH
            ENETRESET ECONNABORTED ECONNRESET ENOBUFS EISCONN ENOTCONN ESHUTDOWN ETOOMANYREFS ETIMEDOUT
            ECONNREFUSED EHOSTDOWN EHOSTUNREACH EALREADY EINPROGRESS ESTALE EUCLEAN ENOTNAM ENAVAIL EISNAM
            EREMOTEIO EDQUOT ENOMEDIUM EMEDIUMTYPE ECANCELED ENOKEY EKEYEXPIRED EKEYREVOKED EKEYREJECTED
            EOWNERDEAD ENOTRECOVERABLE ERFKILL EHWPOISON
            """.strip().split("\\s+");

    private static final MethodHandle STRERROR = strerror();

    private Errno() {
    }

    /**
     * The symbolic name of an errno value, such as {@code ENOMEM}.
     *
     * @param errno
     *            any number
     * @return the name, or {@code errno N} for a number that Linux does not use
     */
    public static String name(final int errno) {
        if (errno < 1 || errno > NAMES.length || NAMES[errno - 1].equals("-")) {
            return "errno " + errno;
        }
        return NAMES[errno - 1];
    }

    /**
     * The C library's text for an errno value, such as {@code Cannot allocate memory}.
     *
     * @param errno
     *            any number
     * @return the text, never empty
     */
    public static String message(final int errno) {
        try {
            final var text = (MemorySegment) STRERROR.invokeExact(errno);
            return Pointers.readString(text.address());
        } catch (final Throwable unexpected) {
            throw new AssertionError("strerror cannot throw", unexpected);
        }
    }

    /**
     * Name, number and text in the form used in exceptions: {@code ENOMEM (12, Cannot allocate memory)}.
     *
     * @param errno
     *            any number
     * @return one line
     */
    public static String describe(final int errno) {
        return name(errno) + " (" + errno + ", " + message(errno) + ")";
    }

    private static MethodHandle strerror() {
        final var linker = Linker.nativeLinker();
        // Known numbers map to constant strings in glibc (2.32 and later) and musl, so no thread overwrites another's text.
        return linker.downcallHandle(linker.defaultLookup().findOrThrow("strerror"),
                FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
    }
}
