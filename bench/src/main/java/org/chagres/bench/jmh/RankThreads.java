package org.chagres.bench.jmh;

import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.chagres.collectives.Communicator;
import org.chagres.collectives.World;

/**
 * A world of threads that runs one operation in batches, on demand of a benchmark's thread. Nothing is allocated from one batch to the next,
 * so what {@code -prof gc} shows is the collective's own.
 */
final class RankThreads implements AutoCloseable {
    private static final long STOP = -1;

    private final World world;
    private final Thread runner;
    private final Thread benchmark = Thread.currentThread();
    private volatile long requested;
    private volatile long completed;
    private volatile Throwable failure;
    private volatile boolean ended;

    /** @param bind makes a rank's operation; called on the rank's thread */
    RankThreads(final int ranks, final Function<Communicator, Runnable> bind) {
        world = World.threads(ranks);
        runner = Thread.ofPlatform().name("world").start(() -> {
            try {
                world.run(comm -> serve(comm, bind.apply(comm)));
            } catch (final RuntimeException e) {
                failure = e;
            } finally {
                ended = true;
                LockSupport.unpark(benchmark);
            }
        });
    }

    private void serve(final Communicator comm, final Runnable operation) {
        long done = 0;
        while (true) {
            final long target = awaitRequest(done);
            if (target == STOP) {
                return;
            }
            for (; done < target; done++) {
                operation.run();
            }
            if (comm.rank() == 0) {
                completed = done;
                LockSupport.unpark(benchmark);
            }
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // the benchmark's thread may need this very core
    private long awaitRequest(final long done) {
        long target = requested;
        while (target == done) {
            Thread.yield();
            target = requested;
        }
        return target;
    }

    /** Has every rank run its operation {@code n} times; called on the thread that made this object. */
    void run(final long n) {
        final long target = completed + n;
        requested = target;
        while (completed != target) {
            LockSupport.park(this);
            if (ended) {
                throw new IllegalStateException("the world ended during the benchmark", failure);
            }
        }
    }

    @Override
    public void close() {
        requested = STOP;
        try {
            runner.join();
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        world.close();
    }
}
