package org.chagres.bench.verbs.perf;

import java.util.Arrays;
import org.chagres.verbs.CompletionBatch;
import org.chagres.verbs.CompletionQueue;

/** Receives what the peer's bandwidth test sends, with more receives posted than the peer has sends in flight. */
final class SendSink implements Part {
    private final PerfEnd end;
    private final Idle idle;
    private final int[] free;
    private long expected;

    SendSink(final PerfEnd end, final Idle idle) {
        this.end = end;
        this.idle = idle;
        free = new int[end.settings().queuePairs()];
        Arrays.fill(free, end.receives(0).slots());
    }

    @Override
    public void prepare(final int size, final int iterations) {
        expected = (long) iterations * free.length;
        end.fillReceives();
        for (int q = 0; q < free.length; q++) {
            repost(q);
        }
    }

    @Override
    public void run() {
        final CompletionQueue queue = end.receiveQueue();
        final CompletionBatch batch = end.receiveBatch();
        long received = 0;
        while (received < expected) {
            final int count = queue.poll(batch);
            if (count == 0) {
                idle.idle(received);
            } else {
                PerfEnd.check(batch, count);
                received += count;
                take(batch, count);
            }
        }
    }

    private void take(final CompletionBatch batch, final int count) {
        for (int i = 0; i < count; i++) {
            free[(int) batch.id(i)]++;
        }
        for (int i = 0; i < count; i++) {
            repost((int) batch.id(i));
        }
    }

    /** Posts what is free; all slots are alike. */
    private void repost(final int queuePair) {
        if (free[queuePair] > 0) {
            PerfEnd.checkPosted(end.receives(queuePair).post(0, free[queuePair]));
            free[queuePair] = 0;
        }
    }
}
