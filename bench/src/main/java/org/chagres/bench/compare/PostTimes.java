package org.chagres.bench.compare;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.chagres.bench.jmh.VerbsPostBenchmark;
import org.chagres.bench.perf.RankJvm;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Times of {@link VerbsPostBenchmark}, medians over rounds.
 *
 * @param one a write by itself
 * @param batch writes posted together
 */
record PostTimes(Pair one, Pair batch) {
    private static final String ALLOCATED = "gc.alloc.rate.norm";

    /**
     * A benchmark in both languages.
     *
     * @param c nanoseconds of a write in C
     * @param java nanoseconds of a write in Java
     * @param bytes what a write in Java allocates
     */
    record Pair(double c, double java, double bytes) {}

    /** Runs everything {@code rounds} times, C and Java in turns; {@code progress} is told what happens, in one line each. */
    static PostTimes measure(final int rounds, final Consumer<String> progress) {
        final Map<String, List<Double>> samples = new HashMap<>();
        for (int round = 1; round <= rounds; round++) {
            progress.accept("# round " + round + " of " + rounds);
            for (final RunResult result : run()) {
                final String label = result.getPrimaryResult().getLabel();
                add(samples, label, result.getPrimaryResult());
                add(samples, label + ALLOCATED, result.getSecondaryResults().get(ALLOCATED));
            }
        }
        return new PostTimes(pair(samples, "one"), pair(samples, "batch"));
    }

    private static Collection<RunResult> run() {
        try {
            return new Runner(new OptionsBuilder().include("\\.VerbsPostBenchmark\\.")
                    .jvmArgs(RankJvm.flags().toArray(String[]::new))
                    .addProfiler(GCProfiler.class)
                    .shouldFailOnError(true)
                    .verbosity(VerboseMode.SILENT)
                    .build()).run();
        } catch (final RunnerException e) {
            throw new ContenderException("the benchmark failed: " + e.getMessage()
                    + "; ./chagres jmh VerbsPost tells more. Are gcc, libc6-dev and libibverbs-dev installed?");
        }
    }

    private static void add(final Map<String, List<Double>> samples, final String label, final Result<?> result) {
        samples.computeIfAbsent(label, name -> new ArrayList<>()).add(result.getScore());
    }

    private static Pair pair(final Map<String, List<Double>> samples, final String name) {
        return new Pair(Samples.median(samples.get(name + "InC")), Samples.median(samples.get(name)),
                Samples.median(samples.get(name + ALLOCATED)));
    }
}
