package org.chagres.verbs.rdmacore;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.chagres.bindings.Descriptors;
import org.chagres.bindings.Errno;
import org.chagres.bindings.VerbsQueues;
import org.chagres.bindings.verbs.ibv_comp_channel;
import org.chagres.verbs.CompletionChannel;
import org.chagres.verbs.CompletionQueue;

/** An {@code ibv_comp_channel}. */
final class NativeCompletionChannel extends NativeObject implements CompletionChannel {
    private final NativeContext context;
    private final long address;
    private final int fd;
    /** Its queues by native address; guarded by the tree's lock. */
    private final Map<Long, NativeCompletionQueue> queues = new HashMap<>();

    private NativeCompletionChannel(final NativeContext context, final long address) {
        super(context);
        this.context = context;
        this.address = address;
        this.fd = ibv_comp_channel.fd(MemorySegment.ofAddress(address).reinterpret(ibv_comp_channel.sizeof()));
        Descriptors.nonBlocking(fd);
        adopted();
    }

    static NativeCompletionChannel create(final NativeContext context) {
        return new NativeCompletionChannel(context, Failures.checked(VerbsQueues.createCompChannel(context.address()),
                "a completion channel of " + context, "ibv_create_comp_channel"));
    }

    @Override
    public NativeContext context() {
        return context;
    }

    @Override
    public Optional<CompletionQueue> pollEvent() {
        return locked(this::takeEvent);
    }

    @Override
    public Optional<CompletionQueue> awaitEvent(final Duration timeout) throws InterruptedException {
        return Waiting.await(fd, timeout, this::pollEvent);
    }

    /** The event is counted at its queue, which acknowledges it at the latest when it is destroyed: no other thread can come between. */
    private Optional<CompletionQueue> takeEvent() {
        try (Arena call = Arena.ofConfined()) {
            final MemorySegment out = call.allocate(ValueLayout.JAVA_LONG, 2);
            final int status = VerbsQueues.getCqEvent(address, out.address(), out.address() + Long.BYTES);
            if (status == Errno.EAGAIN || status == Errno.EINTR) {
                return Optional.empty();
            }
            Failures.check(status, "the next event of " + this, "ibv_get_cq_event");
            final NativeCompletionQueue queue = queues.get(out.get(ValueLayout.JAVA_LONG, 0));
            queue.countEvent();
            return Optional.of(queue);
        }
    }

    void add(final long queue, final NativeCompletionQueue object) {
        queues.put(queue, object);
    }

    void remove(final long queue) {
        queues.remove(queue);
    }

    /** Whether there is no other queue whose events a waiter would take away. */
    boolean servesOnly() {
        return locked(() -> queues.size() == 1);
    }

    /** Sleeps until there may be an event, at most a moment. */
    void sleep(final long nanos) throws InterruptedException {
        Waiting.sleep(fd, nanos);
    }

    long address() {
        return address;
    }

    @Override
    void destroy() {
        Failures.check(VerbsQueues.destroyCompChannel(address), this + " cannot be closed", "ibv_destroy_comp_channel");
    }

    @Override
    public String toString() {
        return "completion channel " + fd + " of " + context.device().name();
    }
}
