package org.chagres.bench.compare;

import java.io.PrintWriter;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.chagres.bench.ExitCode;
import org.chagres.bench.Machine;
import org.chagres.bench.UsageException;
import org.chagres.bench.Version;
import org.chagres.bench.jmh.VerbsPostBenchmark;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The {@code compare-verbs} command. */
@Command(name = "compare-verbs", sortOptions = false, description = {"Set a posted RDMA write beside the same in C.",
        "Posts writes to a stub device and polls their completions, from Java and from C through the same function pointers, by JMH. Needs a C compiler and Debian's libibverbs-dev, but no device." })
public final class CompareVerbsCommand implements Callable<Integer> {
    /** What a write and its completion may cost more than in C, in nanoseconds. */
    private static final double TARGET_NANOS = 15;
    /** JMH's own bookkeeping, spread over all operations. */
    private static final double NOISE_BYTES = 0.1;

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "3", description = "Rounds, each in JVMs of its own, whose median counts (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(names = "--markdown", description = "Print a Markdown table, as in README.")
    private boolean markdown;

    @CommandLine.Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        if (rounds < 1) {
            throw new UsageException("--rounds " + rounds + ": compare in 1 round or more");
        }
        final PostTimes times = PostTimes.measure(rounds, System.err::println);
        final PrintWriter out = spec.commandLine().getOut();
        final String comment = markdown ? "" : "# ";
        out.printf(
                "%sAn RDMA write, filled, posted and its completion polled, on a stub device; medians of %d rounds, %s.%n",
                comment, rounds, LocalDate.now(ZoneOffset.UTC));
        out.printf("%sCPU: %s. JVM: %s. Chagres %s.%s%n", comment, Machine.cpu(), Machine.jvm(), Version.current(),
                markdown ? "\n" : "");
        row(out, "writes per call", "C ns/write", "Chagres ns/write", "more, ns", "target, ns", "bytes allocated");
        if (markdown) {
            out.println("|---|---:|---:|---:|---:|---:|");
        }
        final boolean one = row(out, 1, times.one());
        final boolean batch = row(out, VerbsPostBenchmark.BATCH, times.batch());
        out.flush();
        return one && batch ? ExitCode.OK : ExitCode.FAILED;
    }

    private boolean row(final PrintWriter out, final int writes, final PostTimes.Pair pair) {
        final double more = pair.java() - pair.c();
        final boolean slow = more > TARGET_NANOS;
        final boolean allocates = pair.bytes() > NOISE_BYTES;
        row(out, Integer.toString(writes), number(pair.c()), number(pair.java()),
                number(more) + (slow ? " (over)" : ""), number(TARGET_NANOS),
                number(allocates ? pair.bytes() : 0) + (allocates ? " (over)" : ""));
        return !slow && !allocates;
    }

    private void row(final PrintWriter out, final String... cells) {
        out.println(markdown
                ? "| " + String.join(" | ", cells) + " |"
                : String.join("", List.of(cells).stream().map(c -> String.format(Locale.ROOT, "%18s", c)).toList()));
    }

    private static String number(final double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
