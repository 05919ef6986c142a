package org.chagres.verbs.rdmacore;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.chagres.bindings.CallState;
import org.chagres.bindings.ContextOps;
import org.chagres.bindings.Errno;
import org.chagres.bindings.VerbsQueues;
import org.chagres.bindings.verbs.ibv_cq;
import org.chagres.verbs.Completion;
import org.chagres.verbs.CompletionBatch;
import org.chagres.verbs.CompletionChannel;
import org.chagres.verbs.CompletionQueue;
import org.chagres.verbs.VerbsException;

/** An {@code ibv_cq}. */
final class NativeCompletionQueue extends NativeObject implements CompletionQueue {
    /** Acknowledging takes a lock in the library, so it is done for many events at once. */
    private static final int EVENTS_UNTIL_ACKNOWLEDGED = 1024;
    private static final int COLD_BATCH = 16;

    private final NativeContext context;
    private final NativeCompletionChannel channel;
    private final long address;
    private final ContextOps ops;
    private final NativeCompletionBatch cold;
    /** Events taken and not acknowledged; guarded by the tree's lock. */
    private int unacknowledged;

    private NativeCompletionQueue(final NativeContext context, final NativeCompletionChannel channel,
            final long address,
            final NativeObject... owners) {
        super(owners);
        this.context = context;
        this.channel = channel;
        this.address = address;
        this.ops = context.ops();
        adopted();
        this.cold = NativeCompletionBatch.internal(this, COLD_BATCH);
        context.eventSource(address, this);
        if (channel != null) {
            channel.add(address, this);
        }
    }

    /** Makes a queue; {@code channel} may be null. */
    static NativeCompletionQueue create(final NativeContext context, final int entries,
            final NativeCompletionChannel channel) {
        checkEntries(context, entries);
        final long queue = VerbsQueues.createCq(context.address(), entries, 0, channel == null ? 0 : channel.address(),
                0);
        if (queue == 0) {
            throw Failures.of("a completion queue of " + entries + " entries of " + context.device().name(),
                    "ibv_create_cq", CallState.errno());
        }
        return channel == null
                ? new NativeCompletionQueue(context, null, queue, context)
                : new NativeCompletionQueue(context, channel, queue, context, channel);
    }

    private static void checkEntries(final NativeContext context, final int entries) {
        final int max = context.attributes().maxCqe();
        if (entries < 1 || entries > max) {
            throw new IllegalArgumentException(
                    "a completion queue of " + entries + " entries: " + context.device().name() + " has 1 to " + max);
        }
    }

    @Override
    public NativeContext context() {
        return context;
    }

    @Override
    public Optional<CompletionChannel> channel() {
        return Optional.ofNullable(channel);
    }

    @Override
    public synchronized int entries() {
        checkOpen();
        return ibv_cq.cqe(MemorySegment.ofAddress(address).reinterpret(ibv_cq.sizeof()));
    }

    @Override
    public synchronized List<Completion> poll(final int max) {
        checkOpen();
        final List<Completion> taken = new ArrayList<>();
        while (taken.size() < max) {
            final int wanted = Math.min(COLD_BATCH, max - taken.size());
            final int count = ops.pollCq(address, wanted, cold.address());
            if (count < 0) {
                throw broken(count);
            }
            for (int i = 0; i < count; i++) {
                taken.add(cold.completion(i));
            }
            if (count < wanted) {
                break;
            }
        }
        return taken;
    }

    private VerbsException broken(final int result) {
        return new VerbsException(
                this + " is broken: ibv_poll_cq returned " + result
                        + ". Most likely more completions came than it has entries: make it"
                        + " as long as all requests of its queue pairs together, and close it and them",
                "ibv_poll_cq", Errno.EIO);
    }

    @Override
    public int poll(final CompletionBatch batch) {
        // The batch closes before the queue does, and then refuses.
        return ((NativeCompletionBatch) batch).poll(this, ops, address);
    }

    @Override
    public Optional<Completion> await(final Duration timeout) throws InterruptedException {
        return channel != null && channel.servesOnly() ? awaitAsleep(timeout) : awaitPolling(timeout);
    }

    private Optional<Completion> awaitAsleep(final Duration timeout) throws InterruptedException {
        final long deadline = Waiting.deadline(timeout);
        Optional<Completion> completion = poll();
        while (completion.isEmpty()) {
            requestNotification(false);
            completion = poll();
            final long left = deadline - System.nanoTime();
            if (completion.isPresent() || left <= 0) {
                break;
            }
            channel.sleep(left);
            channel.pollEvent();
            completion = poll();
        }
        return completion;
    }

    private Optional<Completion> awaitPolling(final Duration timeout) throws InterruptedException {
        final long deadline = Waiting.deadline(timeout);
        int fruitless = 0;
        Optional<Completion> completion = poll();
        while (completion.isEmpty() && System.nanoTime() < deadline) {
            Backoff.pause(fruitless++);
            completion = poll();
        }
        return completion;
    }

    @Override
    public synchronized void requestNotification(final boolean solicitedOnly) {
        checkOpen();
        if (channel == null) {
            throw new IllegalStateException(this + " has no completion channel to tell: make it with one");
        }
        Failures.check(ops.reqNotifyCq(address, solicitedOnly), this + " cannot tell of completions",
                "ibv_req_notify_cq");
    }

    @Override
    public synchronized void resize(final int entries) {
        checkOpen();
        checkEntries(context, entries);
        Failures.check(VerbsQueues.resizeCq(address, entries), this + " cannot be made to hold " + entries,
                "ibv_resize_cq");
    }

    @Override
    public CompletionBatch prepareBatch(final int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("a batch of " + capacity + " completions: it takes at least 1");
        }
        return locked(() -> NativeCompletionBatch.prepared(this, capacity));
    }

    /** An event was taken off the channel; the caller holds the lock. */
    void countEvent() {
        unacknowledged++;
        if (unacknowledged == EVENTS_UNTIL_ACKNOWLEDGED) {
            acknowledge();
        }
    }

    private void acknowledge() {
        if (unacknowledged > 0) {
            VerbsQueues.ackCqEvents(address, unacknowledged);
            unacknowledged = 0;
        }
    }

    long address() {
        return address;
    }

    @Override
    void destroy() {
        // Destroying waits for acknowledgements, for ever.
        acknowledge();
        Failures.check(VerbsQueues.destroyCq(address), this + " cannot be closed", "ibv_destroy_cq");
        cold.close();
        context.noEventSource(address);
        if (channel != null) {
            channel.remove(address);
        }
    }

    @Override
    public String toString() {
        return "completion queue 0x" + Long.toHexString(address) + " of " + context.device().name();
    }
}
