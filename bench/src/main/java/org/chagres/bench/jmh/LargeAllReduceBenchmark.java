package org.chagres.bench.jmh;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.chagres.collectives.Communicator;
import org.chagres.collectives.DataType;
import org.chagres.collectives.ReduceOp;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** A large float32 all_reduce over two threads, where memory is the limit. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class LargeAllReduceBenchmark {
    private static final int RANKS = 2;
    /** Enough that waking the ranks for a batch hardly shows. */
    private static final int BATCH = 20;

    /** Elements. */
    @Param({"262144", "4194304" })
    public long count;

    private RankThreads threads;

    @Setup
    public void start() {
        threads = new RankThreads(RANKS, this::bind);
    }

    private Runnable bind(final Communicator comm) {
        final MemorySegment send = comm.allocate(DataType.FLOAT32, count).segment();
        final MemorySegment recv = comm.allocate(DataType.FLOAT32, count).segment();
        return () -> comm.allReduce(send, recv, count, DataType.FLOAT32, ReduceOp.SUM);
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public void run() {
        threads.run(BATCH);
    }

    @TearDown
    public void stop() {
        threads.close();
    }
}
