package org.chagres.collectives;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.chagres.collectives.exec.Lane;
import org.chagres.collectives.exec.Run;
import org.chagres.collectives.record.CollectiveEvent;
import org.chagres.memory.Region;
import org.chagres.transport.Transport;

/**
 * An asynchronous operation. The operations of a communicator run one after another, in the order in which they were called. May be used from any
 * thread; the buffers belong to the operation until it is done.
 */
public final class Work {
    private final Engine engine;
    private final Prepared prepared;
    private final Binding binding;
    private final Run run = new Run();
    private final CompletableFuture<Void> future = new CompletableFuture<>();
    private final long timeout;
    private boolean started;
    /** Null unless somebody records. */
    private Observation observation;

    Work(final Engine engine, final Prepared prepared, final Binding binding, final long timeout) {
        this.engine = engine;
        this.prepared = prepared;
        this.binding = binding;
        this.timeout = timeout;
    }

    /** Makes progress if nobody else does, and returns whether the operation is done, be it by failure. */
    public boolean poll() {
        if (!future.isDone()) {
            engine.progress();
        }
        return future.isDone();
    }

    /**
     * Waits for the operation, by the deadline of the communicator or of the {@link Communicator#within view} on which it was called.
     *
     * @throws CollectiveTimeoutException if it does not complete in time; also the other exceptions of the operation
     */
    public void await() {
        engine.await(this, timeout);
    }

    /**
     * Waits for the operation. A wait that times out does not end the operation, which goes on; await it again, or close the communicator.
     *
     * @throws CollectiveTimeoutException if it does not complete within {@code timeout}; the message says which step waits for whom
     */
    public void await(final Duration timeout) {
        engine.await(this, Settings.nanos(timeout));
    }

    /** Completes when the operation is done, in the thread that drove it there: with caller-driven progress somebody must poll or await. */
    public CompletionStage<Void> stage() {
        return future.minimalCompletionStage();
    }

    boolean isDone() {
        return future.isDone();
    }

    /** Throws what the operation threw, if it failed. */
    void result() {
        if (future.isCompletedExceptionally() && future.exceptionNow() instanceof final RuntimeException e) {
            throw e;
        }
    }

    /** Does what can be done now; returns whether the operation is over. */
    boolean advance(final Lane lane, final Transport transport) {
        if (!started) {
            run.start(prepared.program(), lane, binding.send, binding.recv, binding.token, binding.offset);
            started = true;
            engine.recordBegin(prepared, run);
            observation = CollectiveEvent.wanted() ? engine.observe(prepared, run) : null;
        }
        if (!go(transport)) {
            return false;
        }
        engine.recordEnd();
        if (observation != null) {
            observation.end();
        }
        binding.deliver();
        return true;
    }

    private boolean go(final Transport transport) {
        if (observation != null) {
            return observation.advance(run, transport);
        }
        if (transport != null) {
            transport.poll();
        }
        return run.advance();
    }

    Run run() {
        return run;
    }

    boolean started() {
        return started;
    }

    boolean uses(final Region region) {
        return binding.uses(region);
    }

    void complete() {
        binding.release();
        future.complete(null);
    }

    void fail(final RuntimeException why) {
        binding.release();
        future.completeExceptionally(why);
    }

    String describe() {
        return started ? run.describe() : prepared.shape().collective().label() + ", queued behind earlier operations";
    }
}
