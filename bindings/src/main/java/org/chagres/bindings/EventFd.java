package org.chagres.bindings;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** An eventfd of Linux: wakes the thread that waits for it with {@link Epoll}. Any thread may {@link #signal} until it is closed. */
public final class EventFd implements AutoCloseable {
    private static final long NON_BLOCKING_CLOSE_ON_EXEC = 0x80800;
    private static final MemorySegment EVENTFD = Linker.nativeLinker().defaultLookup().findOrThrow("eventfd");
    private static final MemorySegment READ = Linker.nativeLinker().defaultLookup().findOrThrow("read");
    private static final MemorySegment WRITE = Linker.nativeLinker().defaultLookup().findOrThrow("write");

    private final int fd;

    private EventFd(final int fd) {
        this.fd = fd;
    }

    /** A new one, not signalled. */
    public static EventFd open() {
        final int fd = ColdCalls.callInt(EVENTFD, 0L, NON_BLOCKING_CLOSE_ON_EXEC);
        if (fd < 0) {
            throw new ErrnoException("eventfd", CallState.errno());
        }
        return new EventFd(fd);
    }

    /** The descriptor; readable while signalled. */
    public int fd() {
        return fd;
    }

    /** Makes it readable. */
    public void signal() {
        transfer("write", WRITE, 1);
    }

    /** Makes it unreadable until the next {@link #signal}. */
    public void clear() {
        transfer("read", READ, 0);
    }

    private void transfer(final String name, final MemorySegment call, final long value) {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment at = arena.allocateFrom(ValueLayout.JAVA_LONG, value);
            // A full counter is signalled and an empty one clear already: both are what was asked for.
            if (ColdCalls.callLong(call, fd, at.address(), Long.BYTES) < 0 && CallState.errno() != Errno.EAGAIN) {
                throw new ErrnoException(name + " of an eventfd", CallState.errno());
            }
        }
    }

    @Override
    public void close() {
        LibC.close(fd);
    }
}
