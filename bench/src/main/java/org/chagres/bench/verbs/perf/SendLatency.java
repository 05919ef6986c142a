package org.chagres.bench.verbs.perf;

import org.chagres.verbs.CompletionBatch;
import org.chagres.verbs.CompletionQueue;
import org.chagres.verbs.PreparedReceives;
import org.chagres.verbs.PreparedSends;

/** Ping-pong by sends and receives, as perftest's {@code run_iter_lat_send}. */
final class SendLatency implements Part.Measured {
    private final PerfEnd end;
    private final Idle idle;
    private final boolean first;
    private int size;
    private int iterations;
    private int receivesPosted;
    private long[] posted = new long[0];

    /** @param first whether this end begins */
    SendLatency(final PerfEnd end, final Idle idle, final boolean first) {
        this.end = end;
        this.idle = idle;
        this.first = first;
    }

    @Override
    public void prepare(final int bytes, final int rounds) {
        size = bytes;
        iterations = rounds;
        posted = posted.length < rounds ? new long[rounds] : posted;
        end.fill(0, 0, 0, bytes, true);
        end.fillReceives();
        final PreparedReceives receives = end.receives(0);
        PerfEnd.checkPosted(receives.post(0, receives.slots() - receivesPosted));
        receivesPosted = receives.slots();
    }

    @Override
    public void run() {
        final PreparedSends requests = end.sends(0);
        final CompletionQueue queue = end.sendQueue();
        final CompletionBatch batch = end.sendBatch();
        for (int round = 0; round < iterations; round++) {
            if (!first) {
                awaitMessage(round);
            }
            posted[round] = System.nanoTime();
            PerfEnd.checkPosted(requests.post(0, 1));
            awaitOne(queue, batch, round);
            if (first) {
                awaitMessage(round);
            }
        }
    }

    private void awaitMessage(final int round) {
        awaitOne(end.receiveQueue(), end.receiveBatch(), round);
        PerfEnd.checkPosted(end.receives(0).post(0, 1));
    }

    private void awaitOne(final CompletionQueue queue, final CompletionBatch batch, final int round) {
        int count = queue.poll(batch);
        while (count == 0) {
            idle.idle(round);
            count = queue.poll(batch);
        }
        PerfEnd.check(batch, count);
    }

    @Override
    public PerfResult result() {
        return LatencyResult.of(size, posted, iterations, end.settings().verb().ways());
    }
}
