package org.chagres.bootstrap;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** What became of the ranks of a world, as one rank knows it: the first news about each stands. Any thread may use it. */
final class Fates {
    private final AtomicIntegerArray left;
    private final AtomicReferenceArray<PeerFailure> failures;
    private final AtomicInteger failed = new AtomicInteger();
    private volatile PeerFailure first;

    Fates(final int size) {
        this.left = new AtomicIntegerArray(size);
        this.failures = new AtomicReferenceArray<>(size);
    }

    /** Notes a failure; false if the rank had failed or left before. */
    synchronized boolean fail(final PeerFailure failure) {
        if (gone(failure.rank())) {
            return false;
        }
        failures.set(failure.rank(), failure);
        if (first == null) {
            first = failure;
        }
        failed.incrementAndGet();
        return true;
    }

    /** Notes an orderly end; false if the rank had failed or left before. */
    synchronized boolean leave(final int rank) {
        return !gone(rank) && left.compareAndSet(rank, 0, 1);
    }

    boolean gone(final int rank) {
        return failures.get(rank) != null || left.get(rank) != 0;
    }

    int failures() {
        return failed.get();
    }

    PeerFailure first() {
        return first;
    }

    PeerFailure failureOf(final int rank) {
        return failures.get(rank);
    }

    boolean hasLeft(final int rank) {
        return left.get(rank) != 0;
    }
}
