package org.chagres.bench.status;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import org.chagres.bench.UsageException;
import org.chagres.collectives.exec.Fingerprint;
import org.chagres.collectives.planner.Planners;
import org.chagres.collectives.record.ProcessStatus;
import org.chagres.collectives.record.ProcessStatus.CommunicatorStatus;
import org.chagres.collectives.record.ProcessStatus.OperationStatus;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints what every Chagres process of this user on this host is doing, without disturbing any. */
@Command(name = "status", sortOptions = false, description = {
        "Print what the ranks of this host are doing: who waits for whom, in which step.",
        "Reads memory that every process shares with its user; processes are not disturbed, and may hang." })
public final class StatusCommand implements Runnable {

    @Parameters(arity = "0..1", paramLabel = "PID", description = "Only this process.")
    private Long pid;

    @Option(names = {"-l",
            "--last" }, paramLabel = "N", defaultValue = "0", description = "Also the last N operations of each, at most 64 (default: ${DEFAULT-VALUE}).")
    private int last;

    @Option(names = "--json", description = "As JSON.")
    private boolean json;

    @CommandLine.Spec
    private CommandSpec spec;

    @Override
    public void run() {
        if (last < 0) {
            throw new UsageException("--last " + last + ": it must be 0 or more");
        }
        final List<ProcessStatus> all = read();
        final PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(asJson(all));
        } else if (all.isEmpty()) {
            out.println("no process of this user on this host has a communicator");
        } else {
            print(all, out);
        }
        out.flush();
    }

    private List<ProcessStatus> read() {
        try {
            final List<ProcessStatus> all = ProcessStatus.all()
                    .stream()
                    .filter(status -> !status.communicators().isEmpty() && (pid == null || status.pid() == pid))
                    .toList();
            if (pid != null && all.isEmpty()) {
                throw new UsageException(
                        "process " + pid + " has no communicator, is another user's, or does not exist");
            }
            return all;
        } catch (final IOException e) {
            throw new UsageException("cannot read /proc: " + e.getMessage(), e);
        }
    }

    private void print(final List<ProcessStatus> all, final PrintWriter out) {
        out.printf(Locale.ROOT, "%8s  %-16s %7s  %-16s %10s  %s%n", "process", "host", "rank", "communicator",
                "operations",
                "state");
        for (final ProcessStatus process : all) {
            for (final CommunicatorStatus c : process.communicators()) {
                out.printf(Locale.ROOT, "%8d  %-16s %7s  %-16x %10d  %s%n", process.pid(), process.hostName(),
                        c.rank() + "/" + c.size(), c.id(), c.finished(), state(c));
                c.last()
                        .subList(Math.max(0, c.last().size() - last), c.last().size())
                        .forEach(operation -> out.println("          " + describe(operation)));
            }
        }
    }

    /** What a communicator is doing, in one line. */
    static String state(final CommunicatorStatus c) {
        if (!c.broken().isEmpty()) {
            return "broken: " + c.broken();
        }
        if (c.begun() == c.finished()) {
            return "idle";
        }
        final String waiting = c.waitingNanos() == 0
                ? "running"
                : String.format(Locale.ROOT, "waiting %.1f s in", c.waitingNanos() / 1e9);
        if (!c.waitsFor().isEmpty()) {
            return waiting + " " + c.waitsFor();
        }
        return waiting + " " + (c.last().isEmpty() ? "" : describe(c.last().getLast()));
    }

    private static String describe(final OperationStatus operation) {
        final String what = operation.number() + ": " + Fingerprint.describe(operation.fingerprint(), Planners.NAMES);
        return operation.waitNanos() > 0
                ? what + String.format(Locale.ROOT, ", waited %.3f ms", operation.waitNanos() / 1e6)
                : what;
    }

    private static String asJson(final List<ProcessStatus> all) {
        try {
            return JSON.std.with(JSON.Feature.PRETTY_PRINT_OUTPUT).asString(all.stream().map(StatusJson::of).toList());
        } catch (final IOException e) {
            throw new IllegalStateException("a status cannot be written as JSON: " + e.getMessage(), e);
        }
    }
}
