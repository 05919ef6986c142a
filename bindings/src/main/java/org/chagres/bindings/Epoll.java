package org.chagres.bindings;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * An epoll instance of Linux: tells which of many descriptors are ready. Level-triggered. Failures throw {@link ErrnoException}.
 *
 * <p>One thread waits, looks at the events and closes; descriptors may be added, changed and removed from any thread.
 */
public final class Epoll implements AutoCloseable {
    /** Something can be read, a connection accepted, or the stream has ended. */
    public static final int IN = 1;
    /** Something can be written, or an attempt to connect has ended. */
    public static final int OUT = 4;
    private static final int ADD = 1;
    private static final int REMOVE = 2;
    private static final int MODIFY = 3;
    private static final long CLOSE_ON_EXEC = 0x80000;
    private static final int BATCH = 256;
    private static final ValueLayout.OfLong UNALIGNED_LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final ValueLayout.OfInt UNALIGNED_INT = ValueLayout.JAVA_INT_UNALIGNED;
    /** {@code struct epoll_event} is packed on x86-64, and nowhere else. */
    private static final boolean PACKED = "amd64".equals(System.getProperty("os.arch"));
    private static final long DATA_OFFSET = PACKED ? 4 : 8;
    private static final long EVENT_BYTES = DATA_OFFSET + Long.BYTES;

    private static final MemorySegment CREATE = Linker.nativeLinker().defaultLookup().findOrThrow("epoll_create1");
    private static final MemorySegment CONTROL = Linker.nativeLinker().defaultLookup().findOrThrow("epoll_ctl");
    private static final MemorySegment WAIT = Linker.nativeLinker().defaultLookup().findOrThrow("epoll_wait");

    private final int fd;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment events = arena.allocate(BATCH * EVENT_BYTES, Long.BYTES);

    private Epoll(final int fd) {
        this.fd = fd;
    }

    /** A new instance that programs started later do not inherit. */
    public static Epoll open() {
        return new Epoll(CallState.checked("epoll_create1", ColdCalls.callInt(CREATE, CLOSE_ON_EXEC)));
    }

    /**
     * Watches a descriptor.
     *
     * @param interest {@link #IN}, {@link #OUT}, both or none; errors and the end of both directions are always reported
     * @param data what {@link #data} returns for its events
     */
    public void add(final int watched, final int interest, final long data) {
        control("add", ADD, watched, interest, data);
    }

    /** Changes what is watched for. */
    public void modify(final int watched, final int interest, final long data) {
        control("modify", MODIFY, watched, interest, data);
    }

    /** No longer watches a descriptor, which must still be open. */
    public void remove(final int watched) {
        control("remove", REMOVE, watched, 0, 0);
    }

    private void control(final String name, final int operation, final int watched, final int interest,
            final long data) {
        try (Arena call = Arena.ofConfined()) {
            final MemorySegment event = call.allocate(EVENT_BYTES, Long.BYTES);
            event.set(UNALIGNED_INT, 0, interest);
            event.set(UNALIGNED_LONG, DATA_OFFSET, data);
            CallState.checked("epoll_ctl(" + name + ", " + watched + ")",
                    ColdCalls.callInt(CONTROL, fd, operation, watched, event.address()));
        }
    }

    /**
     * Waits for events.
     *
     * @param timeoutMillis how long at most; 0 does not wait, -1 waits for ever
     * @return how many there are; 0 if the time is over or a signal came
     */
    public int await(final int timeoutMillis) {
        final int count = ColdCalls.callInt(WAIT, fd, events.address(), BATCH, timeoutMillis);
        if (count < 0 && CallState.errno() == Errno.EINTR) {
            return 0;
        }
        return CallState.checked("epoll_wait", count);
    }

    /** What was given with the descriptor of event {@code index} of the last {@link #await}. */
    public long data(final int index) {
        return events.get(UNALIGNED_LONG, index * EVENT_BYTES + DATA_OFFSET);
    }

    /** What event {@code index} of the last {@link #await} says. */
    public int events(final int index) {
        return events.get(UNALIGNED_INT, index * EVENT_BYTES);
    }

    @Override
    public void close() {
        if (arena.scope().isAlive()) {
            arena.close();
            LibC.close(fd);
        }
    }
}
