package org.chagres.bench.verbs.perf;

import org.chagres.verbs.CompletionBatch;
import org.chagres.verbs.CompletionQueue;
import org.chagres.verbs.PreparedSends;

/** The time until an RDMA read or an atomic, which the peer's device answers by itself, has completed. */
final class ResponseLatency implements Part.Measured {
    private final PerfEnd end;
    private final Idle idle;
    private int size;
    private int iterations;
    private long[] posted = new long[0];

    ResponseLatency(final PerfEnd end, final Idle idle) {
        this.end = end;
        this.idle = idle;
    }

    @Override
    public void prepare(final int bytes, final int rounds) {
        size = bytes;
        iterations = rounds;
        posted = posted.length < rounds ? new long[rounds] : posted;
        end.fill(0, 0, 0, bytes, true);
    }

    @Override
    public void run() {
        final PreparedSends requests = end.sends(0);
        final CompletionQueue queue = end.sendQueue();
        final CompletionBatch batch = end.sendBatch();
        for (int round = 0; round < iterations; round++) {
            posted[round] = System.nanoTime();
            PerfEnd.checkPosted(requests.post(0, 1));
            int count = queue.poll(batch);
            while (count == 0) {
                idle.idle(round);
                count = queue.poll(batch);
            }
            PerfEnd.check(batch, count);
        }
    }

    @Override
    public PerfResult result() {
        return LatencyResult.of(size, posted, iterations, end.settings().verb().ways());
    }
}
