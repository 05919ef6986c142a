package org.chagres.bench.verbs.perf;

import java.util.Arrays;
import org.chagres.verbs.CompletionBatch;
import org.chagres.verbs.CompletionQueue;

/** Keeps as many operations in flight as allowed, on all queue pairs in turn, as perftest's {@code run_iter_bw}. */
final class Bandwidth implements Part.Measured {
    private final PerfEnd end;
    private final Idle idle;
    private final int queuePairs;
    private final int txDepth;
    private final int postList;
    private final int[] sent;
    private final int[] completed;
    private int size;
    private int iterations;
    private int moderation;
    private long[] postedAt = new long[0];
    private long[] completedAt = new long[0];
    private int allSent;
    private int allCompleted;

    Bandwidth(final PerfEnd end, final Idle idle) {
        this.end = end;
        this.idle = idle;
        queuePairs = end.settings().queuePairs();
        txDepth = end.settings().txDepth();
        postList = end.settings().postList();
        sent = new int[queuePairs];
        completed = new int[queuePairs];
    }

    @Override
    public void prepare(final int bytes, final int operations) {
        size = bytes;
        iterations = operations;
        moderation = end.settings().moderation(bytes);
        if (postedAt.length < operations * queuePairs) {
            postedAt = new long[operations * queuePairs];
            completedAt = new long[operations * queuePairs];
        }
        Arrays.fill(completedAt, 0);
        Arrays.fill(sent, 0);
        Arrays.fill(completed, 0);
        allSent = 0;
        allCompleted = 0;
        for (int q = 0; q < queuePairs; q++) {
            for (int slot = 0; slot < end.sends(q).slots(); slot++) {
                end.fill(q, slot, Ring.id(q, moderation), bytes, Ring.signalled(slot, moderation));
            }
        }
    }

    @Override
    public void run() {
        final CompletionQueue queue = end.sendQueue();
        final CompletionBatch batch = end.sendBatch();
        final int all = iterations * queuePairs;
        while (allCompleted < all) {
            for (int q = 0; q < queuePairs; q++) {
                fillWindow(q);
            }
            final int count = queue.poll(batch);
            if (count == 0) {
                idle.idle(allCompleted);
            } else {
                take(batch, count);
            }
        }
    }

    private void fillWindow(final int q) {
        int count = next(q);
        while (count > 0) {
            post(q, count);
            count = next(q);
        }
    }

    /** How many operations can be posted in one call. */
    private int next(final int q) {
        return Math.min(postList, Math.min(iterations - sent[q], txDepth - sent[q] + completed[q]));
    }

    private void post(final int q, final int count) {
        final int slots = end.sends(q).slots();
        final int first = sent[q] % slots;
        if (sent[q] + count == iterations && iterations % moderation != 0) {
            // The last operation must make a completion, for those since the last that did.
            end.fill(q, (iterations - 1) % slots, Ring.id(q, iterations % moderation), size, true);
        }
        final long now = System.nanoTime();
        for (int i = 0; i < count; i++) {
            postedAt[allSent + i] = now;
        }
        PerfEnd.checkPosted(end.sends(q).post(first, count));
        sent[q] += count;
        allSent += count;
    }

    private void take(final CompletionBatch batch, final int count) {
        PerfEnd.check(batch, count);
        final long now = System.nanoTime();
        for (int i = 0; i < count; i++) {
            final long id = batch.id(i);
            completed[Ring.queuePair(id)] += Ring.operations(id);
            allCompleted += Ring.operations(id);
            completedAt[allCompleted - 1] = now;
        }
    }

    @Override
    public PerfResult result() {
        return BandwidthResult.of(size, postedAt, completedAt, iterations * queuePairs);
    }
}
