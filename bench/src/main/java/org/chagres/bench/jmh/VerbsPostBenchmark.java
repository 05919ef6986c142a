package org.chagres.bench.jmh;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.TimeUnit;
import org.chagres.verbs.Access;
import org.chagres.verbs.CompletionBatch;
import org.chagres.verbs.CompletionQueue;
import org.chagres.verbs.Context;
import org.chagres.verbs.MemoryRegion;
import org.chagres.verbs.PreparedSends;
import org.chagres.verbs.ProtectionDomain;
import org.chagres.verbs.QueuePair;
import org.chagres.verbs.QueuePairOptions;
import org.chagres.verbs.Verbs;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a posted RDMA write and its completion cost the caller, from Java and from C, through the same function pointers: those of
 * {@code stub_verbs.c}, a libibverbs whose device does next to nothing. Time is per write.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(1)
public class VerbsPostBenchmark {
    /** Writes that are posted in one call. */
    public static final int BATCH = 16;

    private static final int POSTS_IN_C = 160_000;
    private static final int LENGTH = 64;

    /**
     * Loaded before the bindings ask the dynamic linker for a library of this soname, so that they get this one, whatever the machine has.
     */
    private static final SymbolLookup STUB = CLibrary.load("stub_verbs.c", "-Wl,-soname,libibverbs.so.1");
    private static final MethodHandle MEASURE = Linker.nativeLinker()
            .downcallHandle(STUB.findOrThrow("measure_posts"),
                    FunctionDescriptor.of(ValueLayout.JAVA_DOUBLE, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_INT));

    private Context context;
    private CompletionQueue queue;
    private CompletionBatch completions;
    private PreparedSends sends;
    private long address;
    private int localKey;
    private int remoteKey;
    private long posted;

    @Setup
    public void open() {
        context = Verbs.open("stub0");
        queue = context.createCompletionQueue(4 * BATCH);
        completions = queue.prepareBatch(4 * BATCH);
        final ProtectionDomain domain = context.allocateProtectionDomain();
        final MemorySegment memory = Arena.global().allocate(BATCH * LENGTH, LENGTH);
        final MemoryRegion region = domain.register(memory, Access.ALL);
        address = region.address();
        localKey = region.localKey();
        remoteKey = region.remoteKey();
        final QueuePair pair = domain.createQueuePair(QueuePairOptions.rc(queue));
        pair.connectLoopback();
        sends = pair.prepareSends(BATCH, 1);
    }

    @TearDown
    public void close() {
        context.close();
    }

    /** One write: filled, posted, polled. */
    @Benchmark
    public long one() {
        final long id = posted++;
        sends.write(0, id, address, localKey, LENGTH, address, remoteKey, PreparedSends.SIGNALED);
        return finish(1, id);
    }

    /** The same from C. */
    @Benchmark
    @OperationsPerInvocation(POSTS_IN_C)
    public double oneInC() throws Throwable {
        return measureInC(1);
    }

    /** {@value #BATCH} writes posted in one call, the last one signalled. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long batch() {
        final long id = posted;
        final int last = BATCH - 1;
        for (int i = 0; i < last; i++) {
            sends.write(i, id + i, address, localKey, LENGTH, address + (long) i * LENGTH, remoteKey, 0);
        }
        sends.write(last, id + last, address, localKey, LENGTH, address + (long) last * LENGTH, remoteKey,
                PreparedSends.SIGNALED);
        posted = id + BATCH;
        return finish(BATCH, id + last);
    }

    /** The same from C. */
    @Benchmark
    @OperationsPerInvocation(POSTS_IN_C)
    public double batchInC() throws Throwable {
        return measureInC(BATCH);
    }

    private long finish(final int count, final long lastId) {
        final int error = sends.post(0, count);
        if (error != 0) {
            throw new IllegalStateException("post failed with error " + error);
        }
        int polled;
        do {
            polled = queue.poll(completions);
        } while (polled == 0);
        final long id = completions.id(0);
        if (polled != 1 || completions.status(0) != 0 || id != lastId) {
            throw new IllegalStateException(polled + " completions, the first of request " + id + ", not " + lastId);
        }
        return id;
    }

    private double measureInC(final int batch) throws Throwable {
        final double nanos = (double) MEASURE.invokeExact((long) POSTS_IN_C, batch, address, localKey, address,
                remoteKey);
        if (nanos < 0) {
            throw new IllegalStateException("the C program got a wrong completion");
        }
        return nanos;
    }
}
