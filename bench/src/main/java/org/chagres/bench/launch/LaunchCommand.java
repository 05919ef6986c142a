package org.chagres.bench.launch;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import org.chagres.bench.Machine;
import org.chagres.bench.UsageException;
import org.chagres.bench.perf.MasterPort;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code launch} command: reads the options and runs the job. */
@Command(name = "launch", sortOptions = false, description = {"Start the ranks of a program, here or on several hosts.",
        "Every rank gets RANK, WORLD_SIZE, LOCAL_RANK, LOCAL_WORLD_SIZE, MASTER_ADDR, MASTER_PORT, CHAGRES_WORLD and CHAGRES_SECRET, and reads /dev/null. The exit status is that of the first rank that fails: 128 and the signal's number for one that was killed." })
public final class LaunchCommand implements Callable<Integer> {
    private static final String LOOPBACK = "127.0.0.1";

    @Option(names = {"-n",
            "--ranks" }, paramLabel = "N", required = true, description = "Ranks of the world, on all hosts together.")
    private int ranks;

    @Option(names = "--hosts", paramLabel = "HOST[:SLOTS],...", description = "Where they run, by blocks in this order: each host takes its slots, or all the same number. Other hosts by ssh, in the same folder, without a question asked; CHAGRES_SSH replaces ssh and its options (default: this host).")
    private String hosts;

    @Option(names = "--master-addr", paramLabel = "ADDRESS", description = "Where rank 0 is to the others (default: the first host).")
    private String masterAddress;

    @Option(names = "--master-port", paramLabel = "PORT", description = "Where rank 0 listens (default: a port that is free here).")
    private Integer masterPort;

    @Option(names = "--secret-file", paramLabel = "FILE", description = "A file that holds the job's secret, or none (default: CHAGRES_SECRET or CHAGRES_SECRET_FILE, else a new secret).")
    private String secret;

    @Option(names = "-x", paramLabel = "NAME[=VALUE]", description = "Set a variable for every rank, or give ranks elsewhere the one that is set here; they get CHAGRES_* and NCCL_* anyway. May be repeated.")
    private List<String> exports = List.of();

    @Option(names = "--grace", paramLabel = "SECONDS", defaultValue = "5", description = "How long the others may go on after one failed (default: ${DEFAULT-VALUE}).")
    private double grace;

    @Option(names = "--no-prefix", description = "Pass on lines as they are, without [RANK] before each.")
    private boolean plain;

    @Parameters(arity = "1..*", paramLabel = "COMMAND", description = "The program and its arguments; after -- if it could be taken for an option.")
    private List<String> command;

    @Override
    public Integer call() {
        final Object terminal = new Object();
        final LineSink out = new LineSink(new FileOutputStream(FileDescriptor.out), terminal);
        final LineSink err = new LineSink(new FileOutputStream(FileDescriptor.err), terminal);
        return new Ranks(job(System.getenv()), out, err, !plain, grace()).run();
    }

    private Duration grace() {
        if (!(grace >= 0 && grace <= Integer.MAX_VALUE)) {
            throw new UsageException("--grace " + grace + " is out of range: it must be 0 or more seconds");
        }
        return Duration.ofMillis((long) (grace * 1000));
    }

    /** @param environment this process's */
    Job job(final Map<String, String> environment) {
        if (ranks < 1) {
            throw new UsageException("-n " + ranks + ": a world has at least 1 rank");
        }
        final List<Placement> placements = Placement.blocks(ranks,
                hosts == null ? List.of(Host.HERE) : Host.list(hosts));
        return new Job(command, placements, masterAddress(placements), masterPort(), worldName(),
                JobSecret.of(secret, environment), RankShell.ssh(environment), Exports.named(exports, environment),
                allHere(placements) ? Map.of() : Exports.settings(environment));
    }

    private static boolean allHere(final List<Placement> placements) {
        return placements.stream().allMatch(placement -> placement.host().here());
    }

    private String masterAddress(final List<Placement> placements) {
        if (masterAddress != null) {
            return masterAddress;
        }
        if (allHere(placements)) {
            return LOOPBACK;
        }
        final Host first = placements.getFirst().host();
        if (first.isLoopback()) {
            throw new UsageException("--hosts: rank 0 on " + first.address()
                    + " cannot be reached from the other hosts: call this host by the name they know, or give --master-addr");
        }
        return first.address();
    }

    private int masterPort() {
        if (masterPort == null) {
            return MasterPort.pick();
        }
        if (masterPort < 1 || masterPort > 65535) {
            throw new UsageException("--master-port " + masterPort + " is out of range: it must be 1..65535");
        }
        return masterPort;
    }

    private static String worldName() {
        return String.format("launch-%s-%d-%08x", Machine.host(), ProcessHandle.current().pid(),
                ThreadLocalRandom.current().nextInt());
    }
}
