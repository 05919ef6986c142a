package org.chagres.bench.perf;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.chagres.bench.ExitCode;
import org.chagres.bench.UsageException;

/**
 * Starts the JVMs of a run on this host and watches over them: the first that fails ends them all, and they end by themselves if this process
 * does ({@link ParentWatch}).
 */
public final class Launcher {
    /** How long the other ranks may take to end by themselves after one failed: their library notices, and their errors may say more. */
    private static final long GRACE_MILLIS = 300;

    private final List<RankProcess> ranks = new ArrayList<>();
    private final BlockingQueue<RankProcess> ended = new LinkedBlockingQueue<>();

    private Launcher() {
    }

    /**
     * Runs {@code arguments} in {@code processes} JVMs, rank 0's output on stdout, and returns the {@link ExitCode} of the whole. A failure has
     * been told on stderr.
     *
     * @param ranked whether each process is to be a rank of one world; else its environment is this process's
     */
    public static int run(final int processes, final boolean ranked, final List<String> arguments) {
        return run(processes, ranked, arguments, Map.of());
    }

    /** The same with more variables in every process's environment. */
    public static int run(final int processes, final boolean ranked, final List<String> arguments,
            final Map<String, String> variables) {
        final Launcher launcher = new Launcher();
        final Thread hook = new Thread(launcher::kill, "kill-ranks");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            launcher.start(processes, ranked, arguments, variables);
            return launcher.await();
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.FAILED;
        } finally {
            launcher.kill();
            Runtime.getRuntime().removeShutdownHook(hook);
        }
    }

    private void start(final int processes, final boolean ranked, final List<String> arguments,
            final Map<String, String> variables) {
        final int port = MasterPort.pick();
        for (int rank = 0; rank < processes; rank++) {
            final ProcessBuilder builder = new ProcessBuilder(RankJvm.command(arguments))
                    .redirectOutput(rank == 0 ? ProcessBuilder.Redirect.INHERIT : ProcessBuilder.Redirect.DISCARD);
            builder.environment().putAll(variables);
            if (ranked) {
                builder.environment().putAll(environment(rank, processes, port));
            }
            start(ranked ? "rank " + rank : "the JVM", builder);
        }
    }

    private synchronized void start(final String name, final ProcessBuilder builder) {
        try {
            final RankProcess process = new RankProcess(name, builder.start());
            ranks.add(process);
            process.watch(System.err::println, ended::add);
        } catch (final IOException e) {
            throw new UsageException("cannot start a JVM for " + name + ": " + e.getMessage()
                    + " (too many processes or too little memory? use fewer --ranks, or --threads)", e);
        }
    }

    private static Map<String, String> environment(final int rank, final int size, final int port) {
        final String number = Integer.toString(rank);
        final String world = Integer.toString(size);
        return Map.of("RANK", number, "LOCAL_RANK", number, "WORLD_SIZE", world, "LOCAL_WORLD_SIZE", world,
                "MASTER_ADDR", "127.0.0.1", "MASTER_PORT", Integer.toString(port));
    }

    private int await() throws InterruptedException {
        int result = ExitCode.OK;
        for (int i = 0; i < ranks.size(); i++) {
            final RankProcess process = ended.take();
            final int code = process.process().waitFor();
            if (code != ExitCode.OK && code != ExitCode.WRONG_DATA) {
                return fail(process, code);
            }
            result = Math.max(result, code);
        }
        return result;
    }

    private int fail(final RankProcess first, final int code) throws InterruptedException {
        System.err.println(first.failure(code));
        final long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(GRACE_MILLIS);
        for (final RankProcess process : ranks) {
            process.process().waitFor(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        }
        kill();
        return code == ExitCode.USAGE ? ExitCode.USAGE : ExitCode.FAILED;
    }

    private synchronized void kill() {
        for (final RankProcess process : ranks) {
            process.process().destroyForcibly();
        }
    }
}
