package org.chagres.bench.perf;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * One rank's JVM as its launcher sees it. What the rank says on stderr is passed on at once, except errors (lines that start with
 * {@link #ERROR}): these are kept, for the launcher tells one error of a run, not one of each rank.
 */
final class RankProcess {
    static final String ERROR = "chagres: ";
    /** What the JVM says about the Vector API's module; it cannot be told not to. */
    private static final String NOISE = "WARNING: Using incubator modules: jdk.incubator.vector";
    private static final int SIGNALLED = 128;

    private final String name;
    private final Process process;
    private final List<String> errors = new ArrayList<>();

    RankProcess(final String name, final Process process) {
        this.name = name;
        this.process = process;
    }

    /** Starts reading what the rank says; {@code ended} hears of its end after all it said was read. */
    void watch(final Consumer<String> stderr, final Consumer<RankProcess> ended) {
        Thread.ofPlatform().daemon().name("stderr of " + name).start(() -> {
            read(stderr);
            ended.accept(this);
        });
    }

    private void read(final Consumer<String> stderr) {
        try (BufferedReader lines = process.errorReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(ERROR)) {
                    keep(line);
                } else if (!line.equals(NOISE)) {
                    stderr.accept(line);
                }
            }
        } catch (final IOException e) {
            // The rank is gone, and its last words with it.
        }
    }

    private synchronized void keep(final String error) {
        errors.add(error);
    }

    Process process() {
        return process;
    }

    /** Why the rank failed, as one line. */
    synchronized String failure(final int exitCode) {
        if (!errors.isEmpty()) {
            return errors.getFirst();
        }
        return ERROR + name + " (pid " + process.pid() + ") "
                + (exitCode > SIGNALLED ? "was killed by signal " + (exitCode - SIGNALLED) : "exited with " + exitCode)
                + "; the other ranks were stopped";
    }
}
