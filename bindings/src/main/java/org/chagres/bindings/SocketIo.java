package org.chagres.bindings;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Moves bytes between sockets and plain addresses, without waiting and without allocating. Results are those of the system calls with errno folded in: a
 * count, {@link #AGAIN} if nothing could be moved now, or another negative errno.
 *
 * <p>All methods may be called from any thread; the capture segment is that thread's {@link CallState#segment()}, which hot loops keep.
 */
public final class SocketIo {
    /** Nothing could be moved without waiting. */
    public static final long AGAIN = -Errno.EAGAIN;
    private static final int MSG_DONTWAIT = 0x40;
    private static final int MSG_NOSIGNAL = 0x4000;

    private static final MethodHandle SEND = link("send",
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
    private static final MethodHandle RECV = link("recv",
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
    private static final MethodHandle SENDMSG = link("sendmsg",
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT));
    private static final MethodHandle RECVMSG = link("recvmsg",
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT));

    private SocketIo() {
    }

    /** Sends up to {@code bytes} bytes at {@code from}. */
    public static long send(final MemorySegment state, final int fd, final long from, final long bytes) {
        try {
            final long sent = (long) SEND.invokeExact(state, fd, from, bytes, MSG_DONTWAIT | MSG_NOSIGNAL);
            return sent >= 0 ? sent : -CallState.errno(state);
        } catch (final Throwable throwable) {
            throw ColdCalls.unexpected(throwable);
        }
    }

    /** Receives up to {@code bytes} bytes to {@code to}; 0 at the end of the stream. */
    public static long recv(final MemorySegment state, final int fd, final long to, final long bytes) {
        try {
            final long got = (long) RECV.invokeExact(state, fd, to, bytes, MSG_DONTWAIT);
            return got >= 0 ? got : -CallState.errno(state);
        } catch (final Throwable throwable) {
            throw ColdCalls.unexpected(throwable);
        }
    }

    /** Sends what the {@code struct msghdr} at {@code message} gathers. */
    public static long sendmsg(final MemorySegment state, final int fd, final long message) {
        try {
            final long sent = (long) SENDMSG.invokeExact(state, fd, message, MSG_DONTWAIT | MSG_NOSIGNAL);
            return sent >= 0 ? sent : -CallState.errno(state);
        } catch (final Throwable throwable) {
            throw ColdCalls.unexpected(throwable);
        }
    }

    /** Receives to where the {@code struct msghdr} at {@code message} scatters; 0 at the end of the stream. */
    public static long recvmsg(final MemorySegment state, final int fd, final long message) {
        try {
            final long got = (long) RECVMSG.invokeExact(state, fd, message, MSG_DONTWAIT);
            return got >= 0 ? got : -CallState.errno(state);
        } catch (final Throwable throwable) {
            throw ColdCalls.unexpected(throwable);
        }
    }

    private static MethodHandle link(final String name, final FunctionDescriptor descriptor) {
        return Linker.nativeLinker().downcallHandle(LibC.symbol(name), descriptor, CallState.CAPTURE_ERRNO);
    }
}
