package org.chagres.bench.perf;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.chagres.collectives.Buffer;
import org.chagres.collectives.Communicator;
import org.chagres.collectives.DataType;
import org.chagres.collectives.ReduceOp;

/** What the ranks of a benchmark must agree on, through the very collectives it measures. Every rank calls each method in the same order. */
final class Agreement implements AutoCloseable {
    private final Communicator comm;
    private final Buffer buffer;
    private final MemorySegment number;

    Agreement(final Communicator comm) {
        this.comm = comm;
        this.buffer = comm.allocate(DataType.FLOAT64, 1);
        this.number = buffer.segment();
    }

    /** Rank 0's {@code value}, below 2^53. */
    long fromRoot(final long value) {
        return (long) fromRoot((double) value);
    }

    double fromRoot(final double value) {
        number.set(ValueLayout.JAVA_DOUBLE, 0, value);
        comm.broadcast(number, number, 1, DataType.FLOAT64, 0);
        return number.get(ValueLayout.JAVA_DOUBLE, 0);
    }

    double over(final double value, final ReduceOp op) {
        number.set(ValueLayout.JAVA_DOUBLE, 0, value);
        comm.allReduce(number, number, 1, DataType.FLOAT64, op);
        return number.get(ValueLayout.JAVA_DOUBLE, 0);
    }

    /** The ranks' times as {@code -a} asks. */
    double report(final double value, final Average average) {
        return switch (average) {
            case RANK_0 -> fromRoot(value);
            case AVERAGE -> over(value, ReduceOp.SUM) / comm.size();
            case MINIMUM -> over(value, ReduceOp.MIN);
            case MAXIMUM -> over(value, ReduceOp.MAX);
        };
    }

    @Override
    public void close() {
        buffer.close();
    }
}
