package org.chagres.bench.verbs.perf;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.chagres.verbs.CompletionBatch;
import org.chagres.verbs.CompletionQueue;
import org.chagres.verbs.PreparedSends;

/**
 * Ping-pong by RDMA writes, by perftest's method ({@code run_iter_lat_write}): each end polls the last byte of its own memory for the number of the round.
 * That relies on the device to write the last byte last, which no standard promises; only a benchmark may do it.
 */
final class WriteLatency implements Part.Measured {
    private static final VarHandle BYTE = ValueLayout.JAVA_BYTE.varHandle();

    private final PerfEnd end;
    private final Idle idle;
    private final boolean first;
    private final MemorySegment memory;
    private long lastSent;
    private long lastReceived;
    private int size;
    private int iterations;
    private long[] posted = new long[0];

    /** @param first whether this end begins */
    WriteLatency(final PerfEnd end, final Idle idle, final boolean first) {
        this.end = end;
        this.idle = idle;
        this.first = first;
        this.memory = end.memory();
    }

    @Override
    public void prepare(final int bytes, final int rounds) {
        size = bytes;
        iterations = rounds;
        posted = posted.length < rounds ? new long[rounds] : posted;
        lastSent = end.settings().sendOffset(0) + bytes - 1;
        lastReceived = end.settings().receiveOffset(0) + bytes - 1;
        // Round 1 must not find what an earlier run left.
        memory.fill((byte) 0);
        end.fill(0, 0, 0, bytes, true);
    }

    @Override
    public void run() {
        final PreparedSends requests = end.sends(0);
        final CompletionQueue queue = end.sendQueue();
        final CompletionBatch batch = end.sendBatch();
        for (int round = 1; round <= iterations; round++) {
            if (!first) {
                awaitByte(round);
            }
            posted[round - 1] = System.nanoTime();
            memory.set(ValueLayout.JAVA_BYTE, lastSent, (byte) round);
            PerfEnd.checkPosted(requests.post(0, 1));
            awaitCompletion(queue, batch, round);
            if (first) {
                awaitByte(round);
            }
        }
    }

    private void awaitByte(final int round) {
        while ((byte) BYTE.getAcquire(memory, lastReceived) != (byte) round) {
            idle.idle(round);
        }
    }

    private void awaitCompletion(final CompletionQueue queue, final CompletionBatch batch, final int round) {
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
