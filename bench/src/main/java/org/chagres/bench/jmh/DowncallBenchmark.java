package org.chagres.bench.jmh;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.TimeUnit;
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
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a call into native code costs from Java, ordinary and {@code critical}, beside the same call from C through a function pointer. The
 * function adds one; {@code cc} builds it when the benchmark starts.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class DowncallBenchmark {
    private static final int CALLS = 10_000;
    private static final FunctionDescriptor ADD_ONE = FunctionDescriptor.of(ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG);
    private static final SymbolLookup LIBRARY = CLibrary.load("downcall.c");
    private static final MethodHandle ORDINARY = handle("add_one", ADD_ONE);
    private static final MethodHandle CRITICAL = handle("add_one", ADD_ONE, Linker.Option.critical(false));
    private static final MethodHandle FROM_C = handle("add_repeatedly",
            ADD_ONE.appendArgumentLayouts(ValueLayout.JAVA_LONG));

    private long value;

    private static MethodHandle handle(final String name, final FunctionDescriptor descriptor,
            final Linker.Option... options) {
        return Linker.nativeLinker().downcallHandle(LIBRARY.findOrThrow(name), descriptor, options);
    }

    @Setup
    public void start() {
        value = 1;
    }

    /** A downcall with its thread state transition. */
    @Benchmark
    public long ordinary() throws Throwable {
        value = (long) ORDINARY.invokeExact(value);
        return value;
    }

    /** A downcall without it, as the library makes for short calls. */
    @Benchmark
    public long critical() throws Throwable {
        value = (long) CRITICAL.invokeExact(value);
        return value;
    }

    /** The call from C. */
    @Benchmark
    @OperationsPerInvocation(CALLS)
    public long fromC() throws Throwable {
        value = (long) FROM_C.invokeExact(value, (long) CALLS);
        return value;
    }
}
