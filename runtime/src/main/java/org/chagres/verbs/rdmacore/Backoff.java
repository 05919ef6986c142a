package org.chagres.verbs.rdmacore;

import java.util.concurrent.locks.LockSupport;

/** What to do between polls that found nothing: first spin, then yield the core for a while that grows. */
final class Backoff {
    private static final int SPINS = 200;
    private static final long FIRST_NANOS = 10_000;
    private static final int DOUBLINGS = 7;

    private Backoff() {
    }

    /** Pauses after {@code fruitless} polls, at most 1.3 ms. */
    static void pause(final int fruitless) throws InterruptedException {
        if (fruitless < SPINS) {
            Thread.onSpinWait();
            return;
        }
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        LockSupport.parkNanos(FIRST_NANOS << Math.min(DOUBLINGS, (fruitless - SPINS) / 16));
    }
}
