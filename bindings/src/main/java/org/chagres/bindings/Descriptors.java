package org.chagres.bindings;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** File descriptors that a C library opened: makes them non-blocking, and waits for one with a limit. Safe for use by any thread. */
public final class Descriptors {
    private static final int F_GETFL = 3;
    private static final int F_SETFL = 4;
    private static final int O_NONBLOCK = 0x800;
    private static final short POLLIN = 1;
    /** {@code struct pollfd}: an int, and two shorts for what is wanted and what is there. */
    private static final long POLLFD_BYTES = 8;
    private static final long EVENTS = 4;

    private static final MemorySegment POLL = LibC.symbol("poll");
    private static final MethodHandle FCNTL = Linker.nativeLinker()
            .downcallHandle(LibC.symbol("fcntl"),
                    FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_INT),
                    CallState.CAPTURE_ERRNO, Linker.Option.firstVariadicArg(2));

    private Descriptors() {
    }

    /**
     * Makes reads fail with EAGAIN instead of waiting.
     *
     * @throws ErrnoException if {@code fd} is not open
     */
    public static void nonBlocking(final int fd) {
        final int flags = CallState.checked("fcntl(" + fd + ", F_GETFL)", fcntl(fd, F_GETFL, 0));
        CallState.checked("fcntl(" + fd + ", F_SETFL)", fcntl(fd, F_SETFL, flags | O_NONBLOCK));
    }

    /**
     * Waits until there is something to read, or an error to be had by reading.
     *
     * @param millis how long at most; the call does not notice an interrupt of the thread
     * @return false if the time is over or a signal came
     */
    public static boolean awaitReadable(final int fd, final int millis) {
        try (Arena call = Arena.ofConfined()) {
            final MemorySegment wanted = call.allocate(POLLFD_BYTES, Integer.BYTES);
            wanted.set(ValueLayout.JAVA_INT, 0, fd);
            wanted.set(ValueLayout.JAVA_SHORT, EVENTS, POLLIN);
            final int ready = ColdCalls.callInt(POLL, wanted.address(), 1L, millis);
            if (ready < 0 && CallState.errno() == Errno.EINTR) {
                return false;
            }
            return CallState.checked("poll(" + fd + ")", ready) > 0;
        }
    }

    private static int fcntl(final int fd, final int command, final int argument) {
        try {
            return (int) FCNTL.invokeExact(CallState.segment(), fd, command, argument);
        } catch (final Throwable throwable) {
            throw ColdCalls.unexpected(throwable);
        }
    }
}
