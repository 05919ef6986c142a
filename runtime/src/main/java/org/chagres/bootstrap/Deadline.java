package org.chagres.bootstrap;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The end of a time that was granted, and how long that was, for messages. */
record Deadline(Duration granted, long end) {
    static Deadline in(final Duration time) {
        return new Deadline(time, System.nanoTime() + time.toNanos());
    }

    /** What is left; never negative. */
    Duration left() {
        return Duration.ofNanos(Math.max(0, end - System.nanoTime()));
    }

    boolean over() {
        return end - System.nanoTime() <= 0;
    }

    /**
     * Waits until one of both is complete, or the time is over.
     *
     * @return whether one is
     * @throws JoinException if the thread is interrupted
     */
    boolean await(final CompletableFuture<?> one, final CompletableFuture<?> other) {
        try {
            CompletableFuture.anyOf(one, other).get(left().toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (final TimeoutException e) {
            return one.isDone() || other.isDone();
        } catch (final ExecutionException e) {
            throw new IllegalStateException("nothing completes these with an exception", e);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new JoinException("interrupted while joining", e);
        }
    }
}
