package org.chagres.bench;

import java.io.PrintWriter;
import org.chagres.bench.chaos.ChaosCommand;
import org.chagres.bench.compare.CompareCommand;
import org.chagres.bench.compare.CompareVerbsCommand;
import org.chagres.bench.launch.LaunchCommand;
import org.chagres.bench.perf.ExplainCommand;
import org.chagres.bench.perf.PerfCommand;
import org.chagres.bench.status.StatusCommand;
import org.chagres.bench.verbs.DevicesCommand;
import org.chagres.bench.verbs.perf.PerfVerbsCommand;
import org.chagres.bench.verbs.pingpong.PingpongCommand;
import org.chagres.bench.verbs.rping.RpingCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** The entry of {@code ./chagres}. Errors are one line on stderr and an {@link ExitCode}; {@code --trace} adds the stack trace. */
@Command(name = "chagres", description = "RDMA verbs and tensor collectives for the JVM: measure, compare, explain.", sortOptions = false, subcommands = {
        PerfCommand.class, LaunchCommand.class, CompareCommand.class, CompareVerbsCommand.class, ExplainCommand.class,
        StatusCommand.class,
        DevicesCommand.class, PingpongCommand.class, PerfVerbsCommand.class, RpingCommand.class, ChaosCommand.class,
        VersionCommand.class }, footer = {
                "  jshell   Start a jshell with everything imported and world(n) at hand.",
                "  jmh      Run the JMH benchmarks: chagres jmh [PATTERN] [JMH OPTIONS]." })
public final class Main implements Runnable {
    @Option(names = "--trace", description = "Print the stack trace of an error.", scope = CommandLine.ScopeType.INHERIT)
    private boolean trace;

    @Option(names = {"-h",
            "--help" }, usageHelp = true, description = "Show this help.", scope = CommandLine.ScopeType.INHERIT)
    @SuppressWarnings("unused") // picocli acts on it
    private boolean help;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    private Main() {
    }

    public static void main(final String[] args) {
        System.exit(run(args));
    }

    /** Runs one command line and returns its {@link ExitCode}. */
    public static int run(final String... args) {
        return commandLine().execute(args);
    }

    static CommandLine commandLine() {
        final Main main = new Main();
        final CommandLine commandLine = new CommandLine(main).setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(Main::refuse)
                .setExecutionExceptionHandler(main::fail);
        // Behind the name of the program that is launched, all options are its own.
        commandLine.getSubcommands().get("launch").setStopAtPositional(true);
        return commandLine;
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(),
                "no command given: use perf, launch, compare, explain, status, devices, pingpong, perf-verbs, jshell, jmh, version or help");
    }

    private static int refuse(final ParameterException e, final String[] args) {
        final String name = e.getCommandLine().getCommandSpec().qualifiedName();
        print(e.getCommandLine(), e.getMessage() + " (see: " + name + " --help)");
        return ExitCode.USAGE;
    }

    private int fail(final Exception e, final CommandLine commandLine, final ParseResult result) {
        print(commandLine, e.getMessage() == null ? e.toString() : e.getMessage());
        if (trace) {
            e.printStackTrace(commandLine.getErr());
        }
        return isUsage(e) ? ExitCode.USAGE : ExitCode.FAILED;
    }

    private static boolean isUsage(final Exception e) {
        return e instanceof UsageException || e instanceof IllegalArgumentException;
    }

    private static void print(final CommandLine commandLine, final String message) {
        final PrintWriter err = commandLine.getErr();
        err.println("chagres: " + message.strip().replaceAll("\\s*\\R\\s*", " "));
        err.flush();
    }
}
