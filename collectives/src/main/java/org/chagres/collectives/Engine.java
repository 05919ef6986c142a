package org.chagres.collectives;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.YieldingIdleStrategy;
import org.chagres.bootstrap.Membership;
import org.chagres.collectives.exec.Lane;
import org.chagres.collectives.exec.Run;
import org.chagres.collectives.record.CollectiveEvent;
import org.chagres.collectives.record.FlightRecorder;
import org.chagres.memory.MemoryDomain;
import org.chagres.memory.Region;
import org.chagres.memory.RegionUser;
import org.chagres.progress.Waiting;
import org.chagres.transport.Transport;

/**
 * The ordered queue of a communicator and the one place where it waits. Whoever drives it holds a spin lock, so that calls from several threads are
 * carried out one after another; a blocking operation first finishes what is queued.
 */
final class Engine implements RegionUser {
    /** How many fruitless polls pass between looks at the clock and at the peers where a poll takes nanoseconds; */
    private static final int SPINS_PER_LOOK = 1 << 12;
    /** where it gives the core away, for as long as others may have use for it; */
    private static final int YIELDS_PER_LOOK = 1 << 6;
    /** and where it may sleep for a millisecond. */
    private static final int PARKS_PER_LOOK = 1 << 6;
    /** Waits from this on are described in the flight recorder. */
    private static final long WORTH_WORDS_NS = 500_000_000;
    private static final VarHandle LOCK;

    static {
        try {
            LOCK = MethodHandles.lookup().findVarHandle(Engine.class, "lock", int.class);
        } catch (final ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Membership membership;
    private final MemoryDomain domain;
    private final Alarm alarm;
    private final Watch watch;
    private final Waiting waiting;
    private final int watchMask;
    private final boolean threaded;
    private final IdleStrategy idle;
    private final Lane lane;
    /** What must be polled for links to move; null if they move by themselves. */
    private final Transport transport;
    private final String transports;
    private final long id;
    private final FlightRecorder recorder;
    private final StagingPool staging;
    private final Run run = new Run();
    private final Binding binding;
    private final ArrayDeque<Work> queue = new ArrayDeque<>();
    private volatile int queued;
    @SuppressWarnings("unused") // through LOCK
    private volatile int lock;
    private RuntimeException broken;
    private boolean closed;
    private int fruitless;

    Engine(final Membership membership, final MemoryDomain domain, final Settings settings, final Waiting waiting,
            final Fabric fabric, final Alarm alarm, final long id) {
        this.membership = membership;
        this.domain = domain;
        this.alarm = alarm;
        this.lane = fabric.collectives();
        this.transport = fabric.transport();
        this.transports = fabric.describeTransports();
        this.id = id;
        this.recorder = new FlightRecorder(id, membership.rank(), membership.size());
        this.watch = new Watch(membership, alarm, lane);
        this.waiting = waiting;
        this.watchMask = switch (waiting) {
            case SPIN -> SPINS_PER_LOOK - 1;
            case YIELD -> YIELDS_PER_LOOK - 1;
            case BACKOFF -> PARKS_PER_LOOK - 1;
        };
        this.threaded = settings.progress() == Settings.Progress.THREAD;
        this.staging = new StagingPool(domain);
        this.idle = strategy();
        this.binding = binding();
        domain.addUser(this);
    }

    private IdleStrategy strategy() {
        return transport == null ? waiting.strategy() : waiting.strategyForSockets(transport.sleeper());
    }

    /** A new binding, of buffers to one operation at a time. */
    Binding binding() {
        return new Binding(domain, staging);
    }

    /** Takes the lock; every use of the communicator's state happens under it. */
    void enter() {
        lock();
        if (closed || broken != null || !watch.quiet()) {
            try {
                requireUsable();
            } catch (final RuntimeException e) {
                exit();
                throw e;
            }
        }
    }

    private void requireUsable() {
        if (closed) {
            throw closed();
        }
        if (broken != null) {
            throw Breakdown.again(broken);
        }
        try {
            watch.look(null, 0, 0);
        } catch (final RuntimeException e) {
            throw breakWith(e);
        }
    }

    private void lock() {
        while (!LOCK.compareAndSet(this, 0, 1)) {
            YieldingIdleStrategy.INSTANCE.idle();
        }
    }

    void exit() {
        LOCK.setRelease(this, 0);
    }

    private static IllegalStateException closed() {
        return new IllegalStateException("the communicator is closed");
    }

    /**
     * Carries out an operation and returns when it is done. Called under the lock. Allocates nothing if the buffers are registered.
     *
     * @param timeout the deadline of this operation, and of each that is queued before it, in nanoseconds
     */
    void execute(final Prepared prepared, final MemorySegment send, final MemorySegment recv, final long timeout) {
        execute(prepared, lane, send, recv, timeout);
    }

    /** {@link #execute(Prepared, MemorySegment, MemorySegment, long)} on a lane of messages. */
    void execute(final Prepared prepared, final Lane on, final MemorySegment send, final MemorySegment recv,
            final long timeout) {
        binding.bind(prepared, send, recv);
        if (queued > 0) {
            drain(timeout);
        }
        run.start(prepared.program(), on, binding.send, binding.recv, binding.token, binding.offset);
        recorder.begin(run.fingerprint(), prepared.sendBytes() + prepared.recvBytes());
        if (CollectiveEvent.wanted()) {
            completeObserved(prepared, timeout);
        } else {
            complete(timeout);
        }
        recorder.end();
        binding.deliver();
    }

    /** An asynchronous operation begins. */
    void recordBegin(final Prepared prepared, final Run started) {
        recorder.begin(started.fingerprint(), prepared.sendBytes() + prepared.recvBytes());
    }

    /** An asynchronous operation is over. */
    void recordEnd() {
        recorder.end();
    }

    /** Appends an operation. Called under the lock. */
    Work submit(final Prepared prepared, final MemorySegment send, final MemorySegment recv, final long timeout) {
        final Binding own = binding();
        try {
            own.bind(prepared, send, recv);
            if (threaded) {
                own.requireShared(prepared);
            }
        } catch (final RuntimeException e) {
            own.release();
            throw e;
        }
        final Work work = new Work(this, prepared, own, timeout);
        queue.add(work);
        queued = queue.size();
        progressQueue();
        return work;
    }

    private void complete(final long timeout) {
        try {
            if (!run.advance()) {
                await(timeout);
            }
        } catch (final RuntimeException e) {
            throw breakWith(e);
        }
    }

    private void await(final long timeout) {
        final long start = System.nanoTime();
        int polls = 0;
        idle.reset();
        recorder.waits(start);
        while (!run.advance()) {
            idle();
            if ((++polls & watchMask) == 0) {
                look(run, start, timeout);
            }
        }
    }

    private void completeObserved(final Prepared prepared, final long timeout) {
        final Observation observation = observe(prepared, run);
        try {
            final long start = System.nanoTime();
            int polls = 0;
            idle.reset();
            while (!observation.advance(run, transport)) {
                idle.idle();
                if ((++polls & watchMask) == 0) {
                    look(run, start, timeout);
                }
            }
        } catch (final RuntimeException e) {
            throw breakWith(e);
        }
        observation.end();
    }

    /** For an operation that has been started, if anybody wants to know. */
    Observation observe(final Prepared prepared, final Run started) {
        return new Observation(prepared, started, id, membership.rank(), transports);
    }

    /** Lets the links move; gives the core away if they have nothing to do. */
    private void idle() {
        if (transport == null) {
            idle.idle();
        } else {
            idle.idle(transport.poll() ? 1 : 0);
        }
    }

    /** The slow side of waiting. */
    private void look(final Run waiting, final long start, final long timeout) {
        recorder.stillWaits();
        if (System.nanoTime() - start > WORTH_WORDS_NS) {
            recorder.waitsFor(waiting.describe());
        }
        watch.look(waiting, start, timeout);
    }

    /** Drives a group of messages to its end. Called under the lock. */
    void complete(final Group group, final long timeout) {
        try {
            if (queued > 0) {
                drain(timeout);
            }
            final long start = System.nanoTime();
            int polls = 0;
            idle.reset();
            while (!group.advance()) {
                idle();
                if ((++polls & watchMask) == 0 && group.pending() != null) {
                    watch.look(group.pending(), start, timeout);
                }
            }
        } catch (final RuntimeException e) {
            throw breakWith(e);
        }
    }

    /** Takes note of an error of the progress thread. */
    void fail(final Throwable cause) {
        lock();
        try {
            breakWith(cause instanceof final RuntimeException e
                    ? e
                    : new IllegalStateException("the progress thread failed: " + cause, cause));
        } finally {
            exit();
        }
    }

    /** Ends the communicator for all its ranks and returns at once; whoever is in an operation of it ends by the next look at the news. Any thread may call. */
    void abort(final String reason) {
        alarm.raise(new Breakdown(Breakdown.Kind.ABORTED, membership.rank(),
                "rank " + membership.rank() + " aborted the communicator: " + reason));
        if (LOCK.compareAndSet(this, 0, 1)) {
            try {
                breakWithNews();
            } finally {
                exit();
            }
        }
    }

    /**
     * {@link #abort}, and waits until no operation of this rank is under way.
     *
     * @return what the communicator broke by, be it this call or something before
     * @throws IllegalStateException if the communicator is closed
     */
    RuntimeException retire(final String reason) {
        abort(reason);
        lock();
        try {
            if (closed) {
                throw closed();
            }
            breakWithNews();
            return broken;
        } finally {
            exit();
        }
    }

    private void breakWithNews() {
        if (closed || broken != null) {
            return;
        }
        try {
            watch.look(null, 0, 0);
        } catch (final RuntimeException e) {
            breakWith(e);
        }
    }

    /** Ends the communicator's usefulness: half-done operations leave ranks at different places. All members hear of it. */
    private RuntimeException breakWith(final RuntimeException e) {
        if (broken == null) {
            broken = watch.explained(e);
            recorder.broken(broken.getMessage());
            alarm.raise(Breakdown.of(broken, membership.rank()));
        }
        for (Work work = queue.poll(); work != null; work = queue.poll()) {
            work.fail(broken);
        }
        queued = 0;
        return broken;
    }

    private void drain(final long timeout) {
        final long start = System.nanoTime();
        int polls = 0;
        while (!queue.isEmpty()) {
            progressQueue();
            if (broken != null) {
                throw Breakdown.again(broken);
            }
            idle();
            if ((++polls & watchMask) == 0 && !queue.isEmpty() && queue.peek().started()) {
                try {
                    look(queue.peek().run(), start, timeout);
                } catch (final RuntimeException e) {
                    throw breakWith(e);
                }
            }
        }
    }

    private void progressQueue() {
        for (Work work = queue.peek(); work != null; work = queue.peek()) {
            try {
                if (!work.advance(lane, transport)) {
                    return;
                }
            } catch (final RuntimeException e) {
                breakWith(e);
                return;
            }
            queue.poll();
            queued = queue.size();
            work.complete();
        }
    }

    /**
     * Advances queued operations if nobody else is at it, and looks now and then whether their peers still can; returns whether there is anything
     * queued.
     */
    boolean progress() {
        if (queued > 0 && LOCK.compareAndSet(this, 0, 1)) {
            try {
                progressQueue();
                if (queued > 0 && (++fruitless & YIELDS_PER_LOOK - 1) == 0) {
                    watchHead(queue.peek().run());
                }
            } finally {
                exit();
            }
        }
        return queued > 0;
    }

    void await(final Work work, final long timeout) {
        final IdleStrategy own = strategy();
        final long start = System.nanoTime();
        int polls = 0;
        while (!work.poll()) {
            own.idle();
            if ((++polls & watchMask) == 0) {
                watch(work, start, timeout);
            }
        }
        work.result();
    }

    private void watch(final Work work, final long start, final long timeout) {
        if (!LOCK.compareAndSet(this, 0, 1)) {
            return;
        }
        try {
            if (!work.isDone() && !queue.isEmpty() && queue.peek().started()) {
                watchHead(queue.peek().run());
            }
            if (!work.isDone() && System.nanoTime() - start > timeout) {
                final Work head = queue.peek();
                throw watch.late("for " + work.describe(), head != null && head.started() ? head.run() : null, timeout);
            }
        } finally {
            exit();
        }
    }

    private void watchHead(final Run head) {
        try {
            look(head, System.nanoTime(), Long.MAX_VALUE);
        } catch (final RuntimeException e) {
            breakWith(e);
        }
    }

    @Override
    public void quiesce(final Region region) {
        lock();
        try {
            for (final Work work : queue) {
                if (work.uses(region)) {
                    throw new IllegalStateException("an asynchronous operation still uses this region ("
                            + work.describe() + "): await it before closing the region");
                }
            }
        } finally {
            exit();
        }
    }

    /** Ends everything; operations that are still queued fail. Returns whether all went well until now, so that peers may still need what they were given. */
    boolean close() {
        lock();
        try {
            if (!closed) {
                for (Work work = queue.poll(); work != null; work = queue.poll()) {
                    work.fail(new IllegalStateException(
                            "the communicator was closed before " + work.describe() + " was done"));
                }
                queued = 0;
                closed = true;
            }
        } finally {
            exit();
        }
        recorder.close();
        domain.removeUser(this);
        binding.release();
        staging.close();
        return broken == null;
    }
}
