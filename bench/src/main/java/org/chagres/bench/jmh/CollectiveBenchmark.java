package org.chagres.bench.jmh;

import java.util.concurrent.TimeUnit;
import org.chagres.bench.perf.Case;
import org.chagres.bench.perf.Operation;
import org.chagres.collectives.Communicator;
import org.chagres.collectives.DataType;
import org.chagres.collectives.ReduceOp;
import org.chagres.collectives.plan.Collective;
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

/** Every blocking collective, small and large, over a world of threads; with {@code -prof gc} each shows that it allocates nothing. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class CollectiveBenchmark {
    /** Enough that waking the ranks for a batch hardly shows. */
    private static final int BATCH = 1000;

    @Param({"all_reduce", "broadcast", "reduce", "all_gather", "reduce_scatter", "all_to_all", "gather", "scatter",
            "barrier", "send_recv" })
    public String collective;

    /** Bytes of the whole tensor. */
    @Param({"8", "65536" })
    public long bytes;

    @Param("2")
    public int ranks;

    private RankThreads threads;

    @Setup
    public void start() {
        threads = new RankThreads(ranks, this::bind);
    }

    private Runnable bind(final Communicator comm) {
        final Case row = Case.of(Collective.parse(collective), DataType.FLOAT32, ReduceOp.SUM, 0, ranks, bytes);
        final Operation operation = Operation.of(comm, row, comm.allocate(DataType.UINT8, bytes).segment(),
                comm.allocate(DataType.UINT8, bytes).segment());
        return operation::run;
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
