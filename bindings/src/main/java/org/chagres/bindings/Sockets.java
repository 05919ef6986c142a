package org.chagres.bindings;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;

/**
 * TCP sockets of the C library, by descriptor: setting them up and taking them down. Java's own channels keep their descriptor to themselves and want
 * a buffer object for every transfer; {@link SocketIo} moves bytes between sockets and plain addresses. Failures throw {@link ErrnoException}.
 *
 * <p>All methods may be called from any thread. Constants are those of Linux.
 */
public final class Sockets {
    public static final int IPPROTO_TCP = 6;
    public static final int SOL_SOCKET = 1;
    public static final int SO_REUSEADDR = 2;
    public static final int SO_ERROR = 4;
    public static final int SO_SNDBUF = 7;
    public static final int SO_RCVBUF = 8;
    public static final int TCP_NODELAY = 1;
    public static final int TCP_KEEPIDLE = 4;
    public static final int TCP_QUICKACK = 12;
    /** Milliseconds for which sent data may stay unacknowledged before the connection breaks. */
    public static final int TCP_USER_TIMEOUT = 18;
    public static final int IPPROTO_IPV6 = 41;
    /** Whether a socket bound to all IPv6 addresses leaves IPv4 to others. */
    public static final int IPV6_V6ONLY = 26;
    public static final int SHUT_WR = 1;
    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;
    private static final int SOCK_STREAM = 1;
    private static final int SOCK_NONBLOCK = 0x800;
    private static final int SOCK_CLOEXEC = 0x80000;
    /** {@code struct sockaddr_in6}, the longer of the two. */
    private static final int ADDRESS_BYTES = 28;
    private static final int ADDRESS_BYTES_4 = 16;
    private static final long SIOCOUTQ = 0x5411;
    private static final ValueLayout.OfShort NETWORK_SHORT = ValueLayout.JAVA_SHORT_UNALIGNED
            .withOrder(ByteOrder.BIG_ENDIAN);

    private static final MemorySegment SOCKET = LibC.symbol("socket");
    private static final MemorySegment BIND = LibC.symbol("bind");
    private static final MemorySegment LISTEN = LibC.symbol("listen");
    private static final MemorySegment ACCEPT4 = LibC.symbol("accept4");
    private static final MemorySegment CONNECT = LibC.symbol("connect");
    private static final MemorySegment GETSOCKNAME = LibC.symbol("getsockname");
    private static final MemorySegment GETPEERNAME = LibC.symbol("getpeername");
    private static final MemorySegment SETSOCKOPT = LibC.symbol("setsockopt");
    private static final MemorySegment GETSOCKOPT = LibC.symbol("getsockopt");
    private static final MemorySegment SHUTDOWN = LibC.symbol("shutdown");
    private static final MemorySegment IOCTL = LibC.symbol("ioctl");

    private Sockets() {
    }

    /** A non-blocking socket of {@code address}'s family that programs started later do not inherit. */
    public static int open(final InetAddress address) {
        final int family = address instanceof Inet6Address ? AF_INET6 : AF_INET;
        return CallState.checked("socket",
                ColdCalls.callInt(SOCKET, family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    }

    public static void bind(final int fd, final InetSocketAddress address) {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment at = encode(address, arena);
            CallState.checked("bind to " + address, ColdCalls.callInt(BIND, fd, at.address(), at.byteSize()));
        }
    }

    /**
     * Lets peers connect.
     *
     * @param backlog connections that may wait to be accepted
     */
    public static void listen(final int fd, final int backlog) {
        CallState.checked("listen", ColdCalls.callInt(LISTEN, fd, backlog));
    }

    /** Accepts a connection as a non-blocking socket; -1 if none is waiting, or the one that was is gone again. */
    public static int accept(final int fd) {
        final int accepted = ColdCalls.callInt(ACCEPT4, fd, 0L, 0L, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (accepted < 0) {
            final int errno = CallState.errno();
            if (errno == Errno.EAGAIN || errno == Errno.ECONNABORTED || errno == Errno.EINTR) {
                return -1;
            }
        }
        return CallState.checked("accept", accepted);
    }

    /** Begins to connect; returns whether it is done already. {@link #error} tells how it ended once the socket is writable. */
    public static boolean connect(final int fd, final InetSocketAddress address) {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment at = encode(address, arena);
            final int result = ColdCalls.callInt(CONNECT, fd, at.address(), at.byteSize());
            if (result < 0 && CallState.errno() == Errno.EINPROGRESS) {
                return false;
            }
            CallState.checked("connect to " + address, result);
            return true;
        }
    }

    /** The address of this end. */
    public static InetSocketAddress localAddress(final int fd) {
        return name("getsockname", GETSOCKNAME, fd);
    }

    /** The address of the other end. */
    public static InetSocketAddress remoteAddress(final int fd) {
        return name("getpeername", GETPEERNAME, fd);
    }

    public static void option(final int fd, final int level, final int option, final int value) {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment at = arena.allocateFrom(ValueLayout.JAVA_INT, value);
            CallState.checked("setsockopt(" + level + ", " + option + ", " + value + ")",
                    ColdCalls.callInt(SETSOCKOPT, fd, level, option, at.address(), Integer.BYTES));
        }
    }

    /** The value of an option. */
    public static int option(final int fd, final int level, final int option) {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment at = arena.allocate(ValueLayout.JAVA_INT);
            final MemorySegment length = arena.allocateFrom(ValueLayout.JAVA_INT, Integer.BYTES);
            CallState.checked("getsockopt(" + level + ", " + option + ")",
                    ColdCalls.callInt(GETSOCKOPT, fd, level, option, at.address(), length.address()));
            return at.get(ValueLayout.JAVA_INT, 0);
        }
    }

    /** The error that is pending on the socket, as errno, which it forgets; 0 if none. */
    public static int error(final int fd) {
        return option(fd, SOL_SOCKET, SO_ERROR);
    }

    public static void shutdown(final int fd, final int how) {
        CallState.checked("shutdown", ColdCalls.callInt(SHUTDOWN, fd, how));
    }

    /** Bytes that were given to the socket and that the peer's host has not acknowledged. */
    public static int unacknowledged(final int fd) {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment at = arena.allocate(ValueLayout.JAVA_INT);
            CallState.checked("ioctl(SIOCOUTQ)", ColdCalls.callInt(IOCTL, fd, SIOCOUTQ, at.address()));
            return at.get(ValueLayout.JAVA_INT, 0);
        }
    }

    private static InetSocketAddress name(final String call, final MemorySegment function, final int fd) {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment at = arena.allocate(ADDRESS_BYTES, Long.BYTES);
            final MemorySegment length = arena.allocateFrom(ValueLayout.JAVA_INT, ADDRESS_BYTES);
            CallState.checked(call, ColdCalls.callInt(function, fd, at.address(), length.address()));
            return decode(at);
        }
    }

    private static MemorySegment encode(final InetSocketAddress address, final Arena arena) {
        final byte[] bytes = address.getAddress().getAddress();
        final boolean six = address.getAddress() instanceof Inet6Address;
        final MemorySegment at = arena.allocate(six ? ADDRESS_BYTES : ADDRESS_BYTES_4, Long.BYTES);
        at.set(ValueLayout.JAVA_SHORT, 0, (short) (six ? AF_INET6 : AF_INET));
        at.set(NETWORK_SHORT, 2, (short) address.getPort());
        MemorySegment.copy(bytes, 0, at, ValueLayout.JAVA_BYTE, six ? 8 : 4, bytes.length);
        if (address.getAddress() instanceof final Inet6Address scoped) {
            at.set(ValueLayout.JAVA_INT, 24, scoped.getScopeId());
        }
        return at;
    }

    private static InetSocketAddress decode(final MemorySegment at) {
        final boolean six = at.get(ValueLayout.JAVA_SHORT, 0) == AF_INET6;
        final int port = Short.toUnsignedInt(at.get(NETWORK_SHORT, 2));
        final byte[] bytes = at.asSlice(six ? 8 : 4, six ? 16 : 4).toArray(ValueLayout.JAVA_BYTE);
        try {
            final int scope = six ? at.get(ValueLayout.JAVA_INT, 24) : 0;
            final InetAddress address = scope != 0
                    ? Inet6Address.getByAddress(null, bytes, scope)
                    : InetAddress.getByAddress(bytes);
            return new InetSocketAddress(address, port);
        } catch (final UnknownHostException e) {
            throw new IllegalStateException("an address of " + bytes.length + " bytes", e);
        }
    }
}
