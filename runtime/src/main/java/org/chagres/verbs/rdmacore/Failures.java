package org.chagres.verbs.rdmacore;

import org.chagres.bindings.CallState;
import org.chagres.bindings.Errno;
import org.chagres.verbs.VerbsException;

/** Makes exceptions of errno: what was tried, which call failed how, and the likely cause with its remedy. */
final class Failures {
    private Failures() {
    }

    /** A call that returned an errno value. {@code hint} is a sentence, or empty to have one by errno. */
    static VerbsException of(final String what, final String call, final int errno, final String hint) {
        final String advice = hint.isEmpty() ? general(errno) : hint;
        return new VerbsException(
                what + ": " + call + " failed with " + Errno.describe(errno) + (advice.isEmpty() ? "" : ". " + advice),
                call, errno);
    }

    static VerbsException of(final String what, final String call, final int errno) {
        return of(what, call, errno, "");
    }

    /** Throws unless {@code status} is 0. */
    static void check(final int status, final String what, final String call) {
        if (status != 0) {
            throw of(what, call, status);
        }
    }

    /** The address that a call made, or an exception with the errno that it left. */
    static long checked(final long address, final String what, final String call) {
        if (address == 0) {
            throw of(what, call, CallState.errno());
        }
        return address;
    }

    private static String general(final int errno) {
        return switch (errno) {
            case Errno.ENOMEM -> LockedMemory.advice();
            case Errno.EBUSY -> "Something still uses it: close that first; it may have been made without this API.";
            case Errno.EPERM, Errno.EACCES ->
                "This process may not do that: run it as a user of the device's group, or with CAP_NET_RAW or CAP_SYS_RAWIO"
                        + " for what is privileged.";
            case Errno.ENODEV, Errno.EIO ->
                "The device is gone or broken: look at the kernel's log, then close the context and open it again.";
            case Errno.EMFILE -> "This process has no descriptor left: raise 'ulimit -n', or close some.";
            case Errno.ENOSYS, Errno.EOPNOTSUPP -> "The device, its driver or the library does not support that.";
            default -> "";
        };
    }
}
