package org.chagres.net;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.agrona.collections.Int2ObjectHashMap;
import org.chagres.bindings.CallState;
import org.chagres.bindings.Epoll;
import org.chagres.bindings.ErrnoException;
import org.chagres.bindings.EventFd;
import org.chagres.bindings.SocketIo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One daemon thread that runs all control connections of a process: it calls the handler of each descriptor that is ready, tasks that other threads give
 * it, and timers. Only {@link #execute} and {@link #close} may be called from any thread; everything else belongs to the loop's thread.
 */
public final class EventLoop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EventLoop.class);
    private static final int BUFFER_BYTES = 64 << 10;
    private static final long WAKEUP = -1;
    private static final long CLOSE_TIMEOUT_MS = 2_000;

    private final Epoll epoll = Epoll.open();
    private final EventFd wakeup = EventFd.open();
    private final Arena arena = Arena.ofShared();
    private final MemorySegment buffer = arena.allocate(BUFFER_BYTES, Long.BYTES);
    private final ByteBuffer scratch = ByteBuffer.allocate(BUFFER_BYTES);
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final PriorityQueue<Timer> timers = new PriorityQueue<>();
    private final Int2ObjectHashMap<Registration> registrations = new Int2ObjectHashMap<>();
    private final Object wakeLock = new Object();
    private final Thread thread;
    private MemorySegment callState;
    private int registered;
    /** Guarded by wakeLock: the descriptor of the wake-up must not be used once it may be another's. */
    private boolean closed;
    private volatile boolean closing;

    private EventLoop(final String name) {
        this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this::run);
    }

    /** Called when a descriptor is ready. */
    public interface Handler {
        /** It is ready for {@code events}, {@link Epoll}'s. */
        void ready(int events);

        /** {@link #ready} has thrown. The handler must close its descriptor. */
        void failed(RuntimeException why);

        /** The loop ends. The handler must close its descriptor. */
        void ended();
    }

    /** The generation tells an event of a descriptor that was closed in the same batch from one of its successor with the same number. */
    private record Registration(int generation, Handler handler) {}

    /** Something to do later. */
    public static final class Timer implements Comparable<Timer> {
        private final long due;
        private final Runnable action;

        private Timer(final long due, final Runnable action) {
            this.due = due;
            this.action = action;
        }

        @Override
        public int compareTo(final Timer other) {
            return Long.signum(due - other.due);
        }

        @Override
        public boolean equals(final Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(this);
        }
    }

    /** Starts a loop. */
    public static EventLoop start(final String threadName) {
        final EventLoop loop = new EventLoop(threadName);
        loop.epoll.add(loop.wakeup.fd(), Epoll.IN, WAKEUP);
        loop.thread.start();
        return loop;
    }

    /** Runs {@code task} on the loop's thread, after those given before; false if the loop has been closed. */
    public boolean execute(final Runnable task) {
        synchronized (wakeLock) {
            if (closed) {
                return false;
            }
            final boolean idle = tasks.isEmpty();
            tasks.add(task);
            if (idle) {
                wakeup.signal();
            }
            return true;
        }
    }

    /** Calls {@code handler} whenever {@code fd} is ready for {@code interest}. */
    public void add(final int fd, final int interest, final Handler handler) {
        final Registration registration = new Registration(++registered & Integer.MAX_VALUE, handler);
        epoll.add(fd, interest, data(fd, registration));
        registrations.put(fd, registration);
    }

    /** Changes what {@code fd}'s handler is called for. */
    public void interest(final int fd, final int interest) {
        epoll.modify(fd, interest, data(fd, registrations.get(fd)));
    }

    /** No longer watches {@code fd}, which stays open. */
    public void remove(final int fd) {
        if (registrations.remove(fd) != null) {
            epoll.remove(fd);
        }
    }

    private static long data(final int fd, final Registration registration) {
        return (long) registration.generation() << Integer.SIZE | fd;
    }

    /** Does something once, later. */
    public Timer after(final Duration delay, final Runnable action) {
        final Timer timer = new Timer(System.nanoTime() + delay.toNanos(), action);
        timers.add(timer);
        return timer;
    }

    /** Forgets a timer, whether or not it has fired. */
    public void cancel(final Timer timer) {
        timers.remove(timer);
    }

    /** A buffer for what is read and dealt with before the next descriptor's turn: one for all, so that a connection costs no memory. */
    ByteBuffer scratch() {
        return scratch;
    }

    /**
     * Reads what has come into an array-backed buffer.
     *
     * @return the number of bytes, 0 if there are none now, -1 at the end of the stream
     * @throws ErrnoException if the connection is broken
     */
    int read(final int fd, final ByteBuffer into) {
        final long got = SocketIo.recv(callState, fd, buffer.address(), Math.min(into.remaining(), BUFFER_BYTES));
        if (got < 0 && got != SocketIo.AGAIN) {
            throw new ErrnoException("recv", (int) -got);
        }
        if (got > 0) {
            MemorySegment.ofBuffer(into).asSlice(0, got).copyFrom(buffer.asSlice(0, got));
            into.position(into.position() + (int) got);
        }
        return got == 0 ? -1 : (int) Math.max(got, 0);
    }

    /**
     * Writes what the socket takes now.
     *
     * @return whether that was all of {@code from}
     * @throws ErrnoException if the connection is broken
     */
    boolean write(final int fd, final ByteBuffer from) {
        while (from.hasRemaining()) {
            final int piece = Math.min(from.remaining(), BUFFER_BYTES);
            buffer.asSlice(0, piece).copyFrom(MemorySegment.ofBuffer(from).asSlice(0, piece));
            final long sent = SocketIo.send(callState, fd, buffer.address(), piece);
            if (sent == SocketIo.AGAIN) {
                return false;
            }
            if (sent < 0) {
                throw new ErrnoException("send", (int) -sent);
            }
            from.position(from.position() + (int) sent);
        }
        return true;
    }

    private void run() {
        callState = CallState.segment();
        try {
            while (!closing) {
                final int count = epoll.await(timeout());
                for (int i = 0; i < count; i++) {
                    dispatch(epoll.data(i), epoll.events(i));
                }
                runTasks();
                runTimers();
            }
        } catch (final RuntimeException | Error e) {
            LOG.error("{} ends: {}", thread.getName(), e.toString(), e);
        } finally {
            end();
        }
    }

    private int timeout() {
        final Timer next = timers.peek();
        if (next == null) {
            return -1;
        }
        return Math.clamp((next.due - System.nanoTime() + 999_999) / 1_000_000, 0, Integer.MAX_VALUE);
    }

    private void dispatch(final long data, final int events) {
        if (data == WAKEUP) {
            wakeup.clear();
            return;
        }
        final Registration registration = registrations.get((int) data);
        if (registration == null || data((int) data, registration) != data) {
            return;
        }
        try {
            registration.handler().ready(events);
        } catch (final RuntimeException e) {
            registration.handler().failed(e);
        }
    }

    private void runTasks() {
        // Bounded, so that tasks that beget tasks do not starve the connections.
        for (int left = tasks.size(); left > 0; left--) {
            guarded(tasks.poll());
        }
        if (!tasks.isEmpty()) {
            wakeup.signal();
        }
    }

    private void runTimers() {
        while (!timers.isEmpty() && timers.peek().due - System.nanoTime() <= 0) {
            guarded(timers.poll().action);
        }
    }

    private void guarded(final Runnable task) {
        try {
            task.run();
        } catch (final RuntimeException e) {
            LOG.error("{}: a task failed: {}", thread.getName(), e.toString(), e);
        }
    }

    private void end() {
        synchronized (wakeLock) {
            closed = true;
        }
        tasks.forEach(this::guarded);
        for (final Registration registration : new ArrayList<>(registrations.values())) {
            guarded(registration.handler()::ended);
        }
        epoll.close();
        wakeup.close();
        arena.close();
    }

    /** Ends the thread and waits for it; handlers whose descriptors are still watched are told. */
    @Override
    public void close() {
        closing = true;
        execute(() -> {
        });
        try {
            if (Thread.currentThread() != thread && !thread.join(Duration.ofMillis(CLOSE_TIMEOUT_MS))) {
                LOG.warn("{} has not ended within {} ms", thread.getName(), CLOSE_TIMEOUT_MS);
            }
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
