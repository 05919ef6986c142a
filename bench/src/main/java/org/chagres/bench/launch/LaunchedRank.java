package org.chagres.bench.launch;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** One rank that was started, seen through its {@link RankShell}. */
final class LaunchedRank {
    private static final int SIGNALLED = 128;
    private static final int NOT_STARTED = 125;
    /** How long the output of a rank that ended may take to end too. */
    private static final Duration LAST_WORDS = Duration.ofSeconds(1);

    private final Placement placement;
    private final Process process;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean connected;

    LaunchedRank(final Placement placement, final Process process) {
        this.placement = placement;
        this.process = process;
        this.connected = placement.host().here();
    }

    int rank() {
        return placement.rank();
    }

    /** Sends what the shell reads first. */
    void send(final String header) {
        write(header);
    }

    /** Asks the rank and its children to end. */
    void terminate() {
        if (connected) {
            write("TERM\n");
        } else {
            abandon();
        }
    }

    private synchronized void write(final String text) {
        try {
            final OutputStream control = process.getOutputStream();
            control.write(text.getBytes(StandardCharsets.UTF_8));
            control.flush();
        } catch (final IOException e) {
            // The shell or the connection is gone; that the rank ended is seen elsewhere.
        }
    }

    /** Kills the rank and its children. */
    synchronized void kill() {
        try {
            process.getOutputStream().close();
        } catch (final IOException e) {
            // Already gone.
        }
    }

    /** Kills what stands for the rank here: its connection, if it is elsewhere. */
    void abandon() {
        process.destroyForcibly();
    }

    /**
     * Passes on the output.
     *
     * @param prefix what each line gets
     * @param onConnected called once, when the connection to the rank's host stands, or the rank ended without
     * @param onClosedSink called if a sink takes no more
     * @param onEnd called when the rank ended and all it said was passed on
     */
    void watch(final String prefix, final LineSink out, final LineSink err, final Runnable onConnected,
            final Runnable onClosedSink, final Runnable onEnd) {
        final Runnable ready = connected ? null : () -> connect(onConnected);
        final List<Thread> forwarders = List.of(
                forward(new LineForwarder(process.getInputStream(), out, prefix, ready), onClosedSink),
                forward(new LineForwarder(process.getErrorStream(), err, prefix, null), onClosedSink));
        daemon("end of rank " + rank(), () -> {
            awaitLastWords(forwarders);
            if (!connected) {
                onConnected.run();
            }
            ended.countDown();
            onEnd.run();
        });
    }

    private void connect(final Runnable onConnected) {
        connected = true;
        onConnected.run();
    }

    private void awaitLastWords(final List<Thread> forwarders) {
        try {
            process.waitFor();
            // Whatever the rank left running would hold its output open.
            kill();
            for (final Thread forwarder : forwarders) {
                forwarder.join(LAST_WORDS);
            }
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Thread forward(final LineForwarder forwarder, final Runnable onClosedSink) {
        return daemon("output of rank " + rank(), () -> {
            if (!forwarder.run()) {
                onClosedSink.run();
            }
        });
    }

    private static Thread daemon(final String name, final Runnable task) {
        return Thread.ofPlatform().daemon().name(name).start(task);
    }

    boolean hasEnded() {
        return ended.getCount() == 0;
    }

    /** Whether it ended before the deadline, in terms of {@link System#nanoTime}. */
    boolean awaitEnd(final long deadline) throws InterruptedException {
        return ended.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    /** The rank's exit status as a shell gives it. Only after its end. */
    int status() {
        return process.exitValue();
    }

    /** Why it failed, for people. */
    String failure() {
        final int status = status();
        final String where = placement.host().here() ? "" : " on " + placement.host().login();
        if (!connected) {
            return "rank " + rank() + " could not be started" + where + ": ssh exited with " + status
                    + "; it must log in there without asking (CHAGRES_SSH sets another command)";
        }
        return "rank " + rank() + where + cause(status);
    }

    private static String cause(final int status) {
        if (status == NOT_STARTED) {
            return " exited with 125: its shell could not enter the folder, or be a process group of its own";
        }
        if (status == RankShell.SSH_FAILED) {
            return " exited with 255, or its connection broke";
        }
        return status > SIGNALLED ? " was killed by signal " + (status - SIGNALLED) : " exited with " + status;
    }
}
