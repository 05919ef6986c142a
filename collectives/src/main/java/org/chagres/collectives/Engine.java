package org.chagres.collectives;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.YieldingIdleStrategy;
import org.chagres.bootstrap.Membership;
import org.chagres.bootstrap.PeerFailure;
import org.chagres.collectives.exec.CollectiveMismatch;
import org.chagres.collectives.exec.Fingerprint;
import org.chagres.collectives.exec.Lane;
import org.chagres.collectives.exec.Run;
import org.chagres.collectives.plan.Planner;
import org.chagres.collectives.planner.Planners;
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
    private static final int YIELDS_PER_LOOK = 1 << 8;
    /** and where it may sleep for a millisecond. */
    private static final int PARKS_PER_LOOK = 1 << 6;
    /** How long the news of a peer's end may take. */
    private static final long NEWS_NS = 1_000_000_000;
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
    private final long timeoutNanos;
    private final Waiting waiting;
    private final int watchMask;
    private final boolean threaded;
    private final IdleStrategy idle;
    private final Lane lane;
    /** What must be polled for links to move; null if they move by themselves. */
    private final Transport transport;
    private final FlightRecorder recorder;
    private final long id;
    private final String transports;
    private final StagingPool staging;
    private final Run run = new Run();
    private final Binding binding;
    private final ArrayDeque<Work> queue = new ArrayDeque<>();
    private final List<String> algorithms = Planners.ALL.stream().map(Planner::name).toList();
    private volatile int queued;
    @SuppressWarnings("unused") // through LOCK
    private volatile int lock;
    private RuntimeException broken;
    private boolean closed;
    private int fruitless;

    Engine(final Membership membership, final MemoryDomain domain, final Settings settings, final Waiting waiting,
            final Fabric fabric, final long id) {
        this.membership = membership;
        this.domain = domain;
        this.timeoutNanos = settings.timeout().toNanos();
        this.waiting = waiting;
        this.watchMask = switch (waiting) {
            case SPIN -> SPINS_PER_LOOK - 1;
            case YIELD -> YIELDS_PER_LOOK - 1;
            case BACKOFF -> PARKS_PER_LOOK - 1;
        };
        this.threaded = settings.progress() == Settings.Progress.THREAD;
        this.staging = new StagingPool(domain);
        this.idle = waiting.strategy();
        this.lane = fabric.collectives();
        this.id = id;
        this.transports = fabric.describeTransports();
        this.recorder = new FlightRecorder(id, membership.rank(), membership.size());
        this.transport = fabric.transport();
        this.binding = binding();
        domain.addUser(this);
    }

    /** A new binding, of buffers to one operation at a time. */
    Binding binding() {
        return new Binding(domain, staging);
    }

    Duration timeout() {
        return Duration.ofNanos(timeoutNanos);
    }

    /** Takes the lock; every use of the communicator's state happens under it. */
    void enter() {
        lock();
        if (closed || broken != null) {
            exit();
            throw unusable();
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

    private IllegalStateException unusable() {
        return closed
                ? new IllegalStateException("the communicator is closed")
                : new IllegalStateException(
                        "the communicator cannot be used after an operation failed: " + broken.getMessage(), broken);
    }

    /** Carries out an operation and returns when it is done. Called under the lock. Allocates nothing if the buffers are registered. */
    void execute(final Prepared prepared, final MemorySegment send, final MemorySegment recv) {
        execute(prepared, lane, send, recv);
    }

    /** {@link #execute(Prepared, MemorySegment, MemorySegment)} on a lane of messages. */
    void execute(final Prepared prepared, final Lane on, final MemorySegment send, final MemorySegment recv) {
        binding.bind(prepared, send, recv);
        if (queued > 0) {
            drain();
        }
        run.start(prepared.program(), on, binding.send, binding.recv, binding.token, binding.offset);
        recorder.begin(run.fingerprint(), prepared.sendBytes() + prepared.recvBytes());
        if (CollectiveEvent.wanted()) {
            completeObserved(prepared);
        } else {
            complete(run);
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
    Work submit(final Prepared prepared, final MemorySegment send, final MemorySegment recv) {
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
        final Work work = new Work(this, prepared, own);
        queue.add(work);
        queued = queue.size();
        progressQueue();
        return work;
    }

    /** Drives {@code run} to its end. Called under the lock. */
    void complete(final Run run) {
        try {
            if (!run.advance()) {
                await(run);
            }
        } catch (final RuntimeException e) {
            throw breakWith(e);
        }
    }

    private void completeObserved(final Prepared prepared) {
        final Observation observation = observe(prepared, run);
        try {
            final long start = System.nanoTime();
            int polls = 0;
            idle.reset();
            while (!observation.advance(run, transport)) {
                idle.idle();
                if ((++polls & watchMask) == 0) {
                    watch(run, start, timeoutNanos);
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

    private void await(final Run run) {
        final long start = System.nanoTime();
        int polls = 0;
        idle.reset();
        recorder.waits(start);
        while (!run.advance()) {
            idle();
            if ((++polls & watchMask) == 0) {
                watch(run, start, timeoutNanos);
            }
        }
    }

    /** Lets the links move; gives the core away if they have nothing to do. */
    private void idle() {
        if (transport == null) {
            idle.idle();
        } else {
            idle.idle(transport.poll() ? 1 : 0);
        }
    }

    /** Drives a group of messages to its end. Called under the lock. */
    void complete(final Group group) {
        try {
            if (queued > 0) {
                drain();
            }
            final long start = System.nanoTime();
            int polls = 0;
            idle.reset();
            while (!group.advance()) {
                idle();
                if ((++polls & watchMask) == 0 && group.pending() != null) {
                    watch(group.pending(), start, timeoutNanos);
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

    /** The slow side of waiting: has a peer failed, do the ranks disagree, is the deadline over? */
    void watch(final Run run, final long start, final long timeout) {
        recorder.stillWaits();
        final long waited = System.nanoTime() - start;
        if (waited > WORTH_WORDS_NS) {
            recorder.waitsFor(run.describe());
        }
        final PeerFailure failure = membership.failure();
        if (failure != null) {
            throw new PeerFailedException(failure.rank(),
                    "rank " + failure.rank() + " failed: " + failure.reason() + "; rank "
                            + membership.rank() + " was in " + run.describe());
        }
        run.checkForMismatch();
        checkForLeavers(run);
        if (waited > timeout) {
            throw new CollectiveTimeoutException(
                    "rank " + membership.rank() + " waited " + timeout / 1_000_000 + " ms in " + run.describe()
                            + "; is that peer still running, and did it call the same operation? " + Settings.TIMEOUT
                            + " sets the deadline");
        }
    }

    /** A rank that closed its communicator in good order sends nothing any more. */
    private void checkForLeavers(final Run run) {
        for (int p = 0; p < membership.size(); p++) {
            if (membership.hasLeft(p) && run.waitsFor(p)) {
                throw new PeerFailedException(p, "rank " + p + " has closed its communicator, but rank "
                        + membership.rank() + " still waits for it in " + run.describe()
                        + "; all ranks must call the same operations before they close, or did that rank fail?");
            }
        }
    }

    /** Ends the communicator's usefulness: half-done operations leave ranks at different places. */
    RuntimeException breakWith(final RuntimeException e) {
        if (broken == null) {
            broken = explained(e);
            recorder.broken(broken.getMessage());
        }
        for (Work work = queue.poll(); work != null; work = queue.poll()) {
            work.fail(broken);
        }
        queued = 0;
        return broken;
    }

    private RuntimeException explained(final RuntimeException e) {
        return switch (e) {
            case final CollectiveMismatch mismatch -> new CollectiveMismatchException(explained(mismatch)
                    + "; all ranks must call the same operations in the same order, with the same settings", e);
            case final PeerFailedException known -> known;
            case final CollectiveTimeoutException known -> known;
            default -> explainedByPeer(e);
        };
    }

    /** Memory of a peer that cannot be reached is most likely that of a peer that is gone, of which the news may take a moment. */
    private RuntimeException explainedByPeer(final RuntimeException e) {
        final long start = System.nanoTime();
        while (System.nanoTime() - start < NEWS_NS) {
            final PeerFailure failure = membership.failure();
            if (failure != null) {
                final RuntimeException failed = new PeerFailedException(failure.rank(), "rank " + failure.rank()
                        + " failed: " + failure.reason() + "; rank " + membership.rank() + " saw: " + e.getMessage());
                failed.initCause(e);
                return failed;
            }
            for (int p = 0; p < membership.size(); p++) {
                if (membership.hasLeft(p)) {
                    final RuntimeException left = new PeerFailedException(p, "rank " + p
                            + " has closed its communicator; rank " + membership.rank() + " saw: " + e.getMessage());
                    left.initCause(e);
                    return left;
                }
            }
            LockSupport.parkNanos(NEWS_NS / 100);
        }
        return e;
    }

    private String explained(final CollectiveMismatch m) {
        final String mine = "rank " + membership.rank() + " called " + Fingerprint.describe(m.mine(), algorithms);
        final String theirs = Fingerprint.describe(m.theirs(), algorithms);
        if (m.ahead()) {
            return "operation " + m.sequence() + " differs between ranks: " + mine + " and waits for rank " + m.peer()
                    + ", which called something else, is done with it, and went on to " + theirs;
        }
        if (Fingerprint.sameOperation(m.mine(), m.theirs())) {
            return "an operation before number " + m.sequence() + " differed between ranks " + membership.rank()
                    + " and " + m.peer() + ", which both ended it without hearing of the other: now " + mine;
        }
        return "operation " + m.sequence() + " differs between ranks: " + mine + "; rank " + m.peer() + " called "
                + theirs;
    }

    private void drain() {
        final long start = System.nanoTime();
        int polls = 0;
        while (!queue.isEmpty()) {
            progressQueue();
            if (broken != null) {
                throw unusable();
            }
            idle();
            if ((++polls & watchMask) == 0 && !queue.isEmpty() && queue.peek().started()) {
                try {
                    watch(queue.peek().run(), start, timeoutNanos);
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

    void await(final Work work, final Duration timeout) {
        final IdleStrategy own = waiting.strategy();
        final long start = System.nanoTime();
        int polls = 0;
        while (!work.poll()) {
            own.idle();
            if ((++polls & watchMask) == 0) {
                watch(work, start, timeout.toNanos());
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
                throw new CollectiveTimeoutException(
                        "rank " + membership.rank() + " waited " + timeout / 1_000_000 + " ms for " + work.describe());
            }
        } finally {
            exit();
        }
    }

    private void watchHead(final Run head) {
        try {
            watch(head, System.nanoTime(), Long.MAX_VALUE);
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

    /** Ends everything; operations that are still queued fail. */
    void close() {
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
    }
}
