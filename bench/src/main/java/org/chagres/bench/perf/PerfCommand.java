package org.chagres.bench.perf;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.chagres.bench.ExitCode;
import org.chagres.bench.Machine;
import org.chagres.bench.UsageException;
import org.chagres.bootstrap.WorldInfo;
import org.chagres.collectives.Chagres;
import org.chagres.collectives.Communicator;
import org.chagres.collectives.DataType;
import org.chagres.collectives.ReduceOp;
import org.chagres.collectives.World;
import org.chagres.collectives.plan.Collective;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code perf} command: reads the options, then launches the ranks, or is one. */
@Command(name = "perf", sortOptions = false, description = {"Time and check a collective.",
        "Options and columns are those of nccl-tests. Under a launcher of several ranks (torchrun, srun, mpirun, chagres launch) this is one rank of that world; else a JVM is started for each rank." })
public final class PerfCommand implements Callable<Integer> {
    private static final String ALL = "all";
    /** nccl-tests' own default. */
    private static final long DEFAULT_SIZE = 32 << 20;

    @Parameters(index = "0", paramLabel = "COLLECTIVE", description = "all_reduce, broadcast, reduce, all_gather, reduce_scatter, all_to_all, gather, scatter, barrier or send_recv (a ring).")
    private String collective;

    @Option(names = "--ranks", paramLabel = "N", description = "Ranks of the world (default: the launcher's, or 2).")
    private Integer ranks;

    @Option(names = "--threads", description = "Ranks are threads of one JVM instead of processes.")
    private boolean threads;

    @Option(names = {"-t",
            "--transport" }, paramLabel = "NAME", description = "What connects the ranks: auto, shm, tcp or verbs (default: CHAGRES_TRANSPORT, or auto).")
    private String transport;

    @Option(names = "--join", description = "Be one rank of the launcher's world, even if it is the only one; an error without a launcher.")
    private boolean join;

    @Option(names = {"-b",
            "--minbytes" }, paramLabel = "SIZE", converter = Sizes.Converter.class, description = "First size; K, M and G are powers of 1024 (default: 32M, or -e if that is less).")
    private Long minBytes;

    @Option(names = {"-e",
            "--maxbytes" }, paramLabel = "SIZE", converter = Sizes.Converter.class, description = "Last size (default: 32M, or -b if that is more).")
    private Long maxBytes;

    @Option(names = {"-i",
            "--stepbytes" }, paramLabel = "SIZE", defaultValue = "1M", converter = Sizes.Converter.class, description = "Increment, where -f is 1 (default: ${DEFAULT-VALUE}).")
    private long stepBytes;

    @Option(names = {"-f",
            "--stepfactor" }, paramLabel = "N", defaultValue = "1", description = "Factor from one size to the next (default: ${DEFAULT-VALUE}, step by -i).")
    private int stepFactor;

    @Option(names = {"-n",
            "--iters" }, paramLabel = "N", description = "Timed operations a row (default: as many as fit into 0.1 s).")
    private Long iterations;

    @Option(names = {"-w",
            "--warmup_iters" }, paramLabel = "N", description = "Operations before them (default: by time).")
    private Long warmUp;

    @Option(names = {"-c",
            "--check" }, paramLabel = "N", defaultValue = "1", description = "Checked operations a row; 0 checks nothing (default: ${DEFAULT-VALUE}).")
    private int checks;

    @Option(names = {"-o",
            "--op" }, paramLabel = "OP", defaultValue = "sum", description = "sum, prod, min, max, avg, mulsum or all (default: ${DEFAULT-VALUE}).")
    private String op;

    @Option(names = {"-d",
            "--datatype" }, paramLabel = "TYPE", defaultValue = "float", description = "int8, uint8, int32, uint32, int64, uint64, half, bfloat16, float, double, f8e4m3, f8e5m2 or all (default: ${DEFAULT-VALUE}).")
    private String dataType;

    @Option(names = {"-r",
            "--root" }, paramLabel = "RANK", defaultValue = "0", description = "Root, or all or -1 (default: ${DEFAULT-VALUE}).")
    private String root;

    @Option(names = {"-a",
            "--average" }, paramLabel = "N", defaultValue = "1", description = "Time reported: 0 rank 0's, 1 average, 2 fastest, 3 slowest rank's (default: ${DEFAULT-VALUE}; --fresh: always 3).")
    private int average;

    @Option(names = "--fresh", description = "Each rank rewrites its input before each operation; the time of rewriting alone is subtracted.")
    private boolean fresh;

    @Option(names = "--percentiles", description = "Add columns: the 50th and 99th percentile of single operations, slowest rank.")
    private boolean percentiles;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the results as JSON too.")
    private Path json;

    @Option(names = "--quiet", description = "Print no table and no progress; for use with --json.")
    private boolean quiet;

    @Option(names = "--child", hidden = true, description = "Started by the launcher: end when it does.")
    private boolean child;

    @CommandLine.Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        if (join && threads) {
            throw new UsageException(
                    "--join contradicts --threads: a launcher's ranks are processes; use one of the two");
        }
        final PerfOptions options = options();
        if (child) {
            ParentWatch.start();
            return threads ? runThreads(options) : runRank(options);
        }
        if (isRank() && !threads) {
            return launch(1, false);
        }
        refuseTooLittleMemory(options);
        return threads ? launch(1, false) : launch(options.ranks(), true);
    }

    private boolean isRank() {
        return launcherWorld().isPresent();
    }

    /**
     * The world of which this process is to be a rank. A launcher's world of one is none: whoever runs the tool as a job's only task wants it to start the
     * ranks. Who sets RANK means it.
     */
    private Optional<WorldInfo> launcherWorld() {
        final Map<String, String> environment = System.getenv();
        if (join) {
            return Optional.of(WorldInfo.fromEnvironment(environment));
        }
        return WorldInfo.find(environment).filter(world -> world.size() > 1 || environment.containsKey("RANK"));
    }

    private int launch(final int processes, final boolean ranked) {
        final List<String> arguments = new ArrayList<>(spec.commandLine().getParent().getParseResult().originalArgs());
        arguments.add("--child");
        return Launcher.run(processes, ranked, arguments,
                transport == null ? Map.of() : Map.of("CHAGRES_TRANSPORT", transport));
    }

    private static void refuseTooLittleMemory(final PerfOptions options) {
        final double needed = (double) options.bytesPerRank() * options.ranks();
        final long available = Machine.availableMemory();
        if (needed > available) {
            throw new UsageException(String.format(
                    "%d ranks with two buffers of %d bytes need %.1f GiB, but %.1f GiB are available: use a smaller -e or fewer --ranks",
                    options.ranks(), options.sizes().last(), needed / (1 << 30), available / (double) (1 << 30)));
        }
    }

    private static int runRank(final PerfOptions options) {
        try (Communicator comm = joined(Chagres::join)) {
            return exitCode(run(comm, options));
        }
    }

    private static int runThreads(final PerfOptions options) {
        final AtomicLong wrong = new AtomicLong();
        try (World world = joined(() -> World.threads(options.ranks()))) {
            world.run(comm -> {
                final long places = run(comm, options);
                wrong.accumulateAndGet(places, Math::max);
            });
        }
        return exitCode(wrong.get());
    }

    /** Whatever keeps a world from forming is for the user to put right: environment, settings, memory. */
    private static <T> T joined(final Supplier<T> world) {
        try {
            return world.get();
        } catch (final RuntimeException e) {
            throw new UsageException("cannot join the world: " + e.getMessage(), e);
        }
    }

    private static long run(final Communicator comm, final PerfOptions options) {
        final RankRun rank;
        try {
            rank = new RankRun(comm, options, report(options));
        } catch (final RuntimeException e) {
            throw new UsageException(e.getMessage(), e);
        }
        try (rank) {
            return rank.run();
        }
    }

    private static int exitCode(final long wrongPlaces) {
        return wrongPlaces == 0 ? ExitCode.OK : ExitCode.WRONG_DATA;
    }

    private static Report report(final PerfOptions options) {
        final List<Report> reports = new ArrayList<>();
        if (!options.quiet()) {
            reports.add(new TableReport(System.out));
            reports.add(new ProgressReport(System.err));
        }
        if (options.json() != null) {
            reports.add(new JsonReport(options.json()));
        }
        return new Reports(reports);
    }

    PerfOptions options() {
        final Collective parsed = Collective.parse(collective);
        final int size = ranks != null ? ranks : defaultRanks();
        final long first = minBytes != null
                ? minBytes
                : Math.min(DEFAULT_SIZE, maxBytes != null ? maxBytes : DEFAULT_SIZE);
        final long last = maxBytes != null ? maxBytes : Math.max(DEFAULT_SIZE, first);
        refuseUnwritable(json);
        return new PerfOptions(parsed, size, threads, new Sizes(first, last, stepBytes, stepFactor), types(parsed),
                ops(parsed), roots(parsed, size), optional(iterations), optional(warmUp), checks, Average.of(average),
                fresh, percentiles, quiet, json);
    }

    private int defaultRanks() {
        return launcherWorld().map(WorldInfo::size).orElse(2);
    }

    private List<DataType> types(final Collective parsed) {
        if (parsed == Collective.BARRIER) {
            return List.of(DataType.UINT8);
        }
        return dataType.equals(ALL) ? Arrays.asList(DataType.values()) : List.of(DataType.parse(dataType));
    }

    private List<ReduceOp> ops(final Collective parsed) {
        if (!parsed.reduces()) {
            return List.of(ReduceOp.SUM);
        }
        return (op.equals(ALL) ? Arrays.stream(ReduceOp.Kind.values()).map(ReduceOp.Kind::label).toList() : List.of(op))
                .stream()
                .map(PerfCommand::op)
                .toList();
    }

    private static ReduceOp op(final String name) {
        if (name.equals(ReduceOp.Kind.PREMULSUM.label())) {
            return ReduceOp.preMulSum(TestData.SCALAR);
        }
        if (name.startsWith(ReduceOp.Kind.PREMULSUM.label())) {
            throw new UsageException("-o " + name + ": perf checks results bit for bit, so mulsum has the scalar "
                    + TestData.SCALAR + "; use mulsum alone");
        }
        return ReduceOp.parse(name);
    }

    private List<Integer> roots(final Collective parsed, final int size) {
        if (!parsed.rooted()) {
            return List.of(0);
        }
        if (root.equals(ALL) || root.equals("-1")) {
            return IntStream.range(0, size).boxed().toList();
        }
        try {
            return List.of(Integer.parseInt(root));
        } catch (final NumberFormatException e) {
            throw new UsageException("-r " + root + " is no rank: use 0.." + (size - 1) + " or all", e);
        }
    }

    private static OptionalLong optional(final Long value) {
        return value == null ? OptionalLong.empty() : OptionalLong.of(value);
    }

    private static void refuseUnwritable(final Path file) {
        if (file == null) {
            return;
        }
        final Path folder = file.toAbsolutePath().getParent();
        final boolean writable = Files.exists(file)
                ? Files.isRegularFile(file) && Files.isWritable(file)
                : folder != null && Files.isDirectory(folder) && Files.isWritable(folder);
        if (!writable) {
            throw new UsageException(
                    "cannot write --json " + file + ": name a file in a folder that exists and is writable");
        }
    }
}
