package org.chagres.bench.compare;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.concurrent.Callable;
import org.chagres.bench.ExitCode;
import org.chagres.bench.Machine;
import org.chagres.bench.UsageException;
import org.chagres.bench.Version;
import org.chagres.bench.perf.Sizes;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The {@code compare} command. */
@Command(name = "compare", sortOptions = false, description = {"Set all_reduce beside MPI and plain C.",
        "Builds small C programs against Open MPI and MPICH (over TCP: Open MPI and Gloo), where installed, runs them and Chagres in turns, and prints medians and ratios." })
public final class CompareCommand implements Callable<Integer> {
    @Option(names = "--ranks", paramLabel = "N", defaultValue = "2", description = "Ranks, each a process (default: ${DEFAULT-VALUE}).")
    private int ranks;

    @Option(names = "--transport", paramLabel = "shm|tcp", defaultValue = "shm", description = "What moves the data: shared memory, or TCP on loopback (default: ${DEFAULT-VALUE}).")
    private Transport transport;

    @Option(names = {"-b",
            "--minbytes" }, paramLabel = "SIZE", defaultValue = "8", converter = Sizes.Converter.class, description = "First size (default: ${DEFAULT-VALUE}).")
    private long minBytes;

    @Option(names = {"-e",
            "--maxbytes" }, paramLabel = "SIZE", defaultValue = "64M", converter = Sizes.Converter.class, description = "Last size (default: ${DEFAULT-VALUE}).")
    private long maxBytes;

    @Option(names = {"-f",
            "--stepfactor" }, paramLabel = "N", defaultValue = "2", description = "Factor from one size to the next (default: ${DEFAULT-VALUE}).")
    private int stepFactor;

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "5", description = "Rounds, whose median counts (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(names = "--markdown", description = "Print Markdown tables, as in README.")
    private boolean markdown;

    @Option(names = "--json", paramLabel = "FILE", description = "Write all contenders' medians as JSON too.")
    private Path json;

    @CommandLine.Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        if (ranks < 2 || rounds < 1) {
            throw new UsageException(
                    "--ranks " + ranks + " --rounds " + rounds + ": compare 2 ranks or more, in 1 round or more");
        }
        final Sweep sweep = new Sweep(minBytes, maxBytes, stepFactor);
        final String date = LocalDate.now(ZoneOffset.UTC).toString();
        try (Workshop workshop = new Workshop(CompareCommand::log)) {
            final Comparison comparison = new Comparison(workshop, transport, ranks, sweep);
            for (int round = 1; round <= rounds; round++) {
                final String position = "# round " + round + " of " + rounds + ": ";
                comparison.round(name -> log(position + name));
            }
            print(comparison, date);
            if (json != null) {
                ComparisonJson.write(json, comparison, rounds, date);
            }
        }
        return ExitCode.OK;
    }

    private static void log(final String line) {
        System.err.println(line);
    }

    private void print(final Comparison comparison, final String date) {
        final PrintWriter out = spec.commandLine().getOut();
        final String comment = markdown ? "" : "# ";
        out.printf("%sall_reduce, float32 sum, out of place, %d processes over %s, medians of %d rounds, %s.%n",
                comment,
                ranks, transport.title(), rounds, date);
        out.printf("%sCPU: %s. JVM: %s. Chagres %s.%n", comment, Machine.cpu(), Machine.jvm(), Version.current());
        out.print(new ComparisonTable(markdown).format(comparison));
        out.flush();
    }
}
