package org.chagres.bench.launch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.chagres.bench.ExitCode;
import org.chagres.bench.UsageException;

/** The ranks of a job while they run: they are started together, and the first that fails ends them all. */
final class Ranks {
    /** How long ranks may take to end after SIGTERM, and their connections after that. */
    private static final Duration TERMINATION = Duration.ofSeconds(2);
    /** sshd by default begins to refuse at ten connections that have not logged in yet. */
    private static final int CONNECTING_PER_HOST = 8;
    private static final long POLL_MILLIS = 50;
    /** What a shell gives for a program whose output nobody reads any more: 128 and SIGPIPE. */
    private static final int OUTPUT_CLOSED = 141;
    /** What this process has and a rank must not inherit: the job's own secret counts, and no other launcher's store is in the way. */
    private static final List<String> NOT_INHERITED = List.of(JobSecret.VARIABLE, JobSecret.FILE_VARIABLE,
            "TORCHELASTIC_USE_AGENT_STORE", "TORCHELASTIC_RUN_ID");

    private final Job job;
    private final LineSink out;
    private final LineSink err;
    private final boolean prefixed;
    private final Duration grace;
    private final List<LaunchedRank> ranks = new CopyOnWriteArrayList<>();
    private int ended;
    private LaunchedRank firstFailure;
    private volatile boolean stopping;
    private volatile boolean outputClosed;

    /**
     * @param prefixed whether each line begins with its rank
     * @param grace how long the others may go on after one failed
     */
    Ranks(final Job job, final LineSink out, final LineSink err, final boolean prefixed, final Duration grace) {
        this.job = job;
        this.out = out;
        this.err = err;
        this.prefixed = prefixed;
        this.grace = grace;
    }

    /** Runs the job and returns the status of the first rank that failed, or 0. That of a rank which was killed is 128 and the signal's number. */
    int run() {
        final Thread hook = new Thread(this::stop, "stop-ranks");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            start();
            final LaunchedRank failed = awaitAllOrFailure();
            return failed == null ? ExitCode.OK : fail(failed);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.FAILED;
        } finally {
            stop();
            remove(hook);
        }
    }

    private static void remove(final Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (final IllegalStateException e) {
            // A signal ends this process, and the hook is at work.
        }
    }

    private void start() throws InterruptedException {
        final Map<Host, Semaphore> connecting = new HashMap<>();
        for (final Placement placement : job.placements()) {
            final Semaphore permits = connecting.computeIfAbsent(placement.host(),
                    host -> new Semaphore(CONNECTING_PER_HOST));
            while (!placement.host().here() && !permits.tryAcquire(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                if (isOver()) {
                    return;
                }
            }
            if (isOver()) {
                return;
            }
            start(placement, permits);
        }
    }

    private synchronized boolean isOver() {
        return stopping || firstFailure != null;
    }

    private void start(final Placement placement, final Semaphore connecting) {
        final LaunchedRank rank = new LaunchedRank(placement, startProcess(placement));
        ranks.add(rank);
        rank.watch(prefixed ? "[" + placement.rank() + "] " : "", out, err, connecting::release, this::closeOutput,
                () -> end(rank));
        rank.send(RankShell.header(placement.host(), job.environment(placement)));
    }

    private Process startProcess(final Placement placement) {
        final ProcessBuilder builder = new ProcessBuilder(RankShell.command(placement.host(), job.command(),
                System.getProperty("user.dir"), job.ssh()));
        builder.environment().keySet().removeAll(NOT_INHERITED);
        try {
            return builder.start();
        } catch (final IOException e) {
            throw new UsageException("cannot start rank " + placement.rank() + ": " + e.getMessage()
                    + " (too many processes? launch needs setsid of util-linux, sh and, for other hosts, ssh)", e);
        }
    }

    private synchronized void end(final LaunchedRank rank) {
        ended++;
        if (firstFailure == null && rank.status() != ExitCode.OK) {
            firstFailure = rank;
        }
        notifyAll();
    }

    private synchronized LaunchedRank awaitAllOrFailure() throws InterruptedException {
        while (firstFailure == null && ended < ranks.size()) {
            wait();
        }
        return firstFailure;
    }

    private int fail(final LaunchedRank first) throws InterruptedException {
        if (outputClosed) {
            return OUTPUT_CLOSED;
        }
        if (!stopping) {
            say(first.failure());
            if (!awaitEnd(grace)) {
                say("still running " + grace.toMillis() / 1000.0 + " s later, and now killed: rank " + running());
            }
        }
        return first.status();
    }

    private String running() {
        return ranks.stream()
                .filter(rank -> !rank.hasEnded())
                .map(rank -> Integer.toString(rank.rank()))
                .collect(Collectors.joining(", "));
    }

    private void say(final String message) {
        try {
            final byte[] line = message.getBytes(StandardCharsets.UTF_8);
            err.write("chagres: ".getBytes(StandardCharsets.UTF_8), line, line.length);
        } catch (final IOException e) {
            closeOutput();
        }
    }

    /** Nobody reads what the ranks print: as for any program in a pipeline, that is the end. */
    private void closeOutput() {
        outputClosed = true;
        stop();
    }

    /** Ends whatever still runs: by SIGTERM, then by SIGKILL. */
    private void stop() {
        stopping = true;
        try {
            ranks.forEach(LaunchedRank::terminate);
            if (!awaitEnd(TERMINATION)) {
                ranks.forEach(LaunchedRank::kill);
            }
            if (!awaitEnd(TERMINATION)) {
                ranks.forEach(LaunchedRank::abandon);
            }
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            ranks.forEach(LaunchedRank::kill);
        }
    }

    private boolean awaitEnd(final Duration patience) throws InterruptedException {
        final long deadline = System.nanoTime() + patience.toNanos();
        for (final LaunchedRank rank : ranks) {
            if (!rank.awaitEnd(deadline)) {
                return false;
            }
        }
        return true;
    }
}
