package org.chagres.bench.compare;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs other programs. */
final class Tool {
    private static final long LIMIT_SECONDS = 300;
    private static final String PATH_SEPARATOR = System.getProperty("path.separator");

    private Tool() {
    }

    /** Whether {@code name} is on the PATH. */
    static boolean exists(final String name) {
        final String path = System.getenv("PATH");
        return path != null
                && Stream.of(path.split(PATH_SEPARATOR, -1))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, name)));
    }

    /** Runs a program to its end and returns the lines of its standard output. */
    static List<String> run(final List<String> command) {
        final Process process = start(command);
        final Thread killer = new Thread(process::destroyForcibly, "kill-" + command.getFirst());
        Runtime.getRuntime().addShutdownHook(killer);
        try {
            return await(command, process);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ContenderException("interrupted");
        } finally {
            process.destroyForcibly();
            Runtime.getRuntime().removeShutdownHook(killer);
        }
    }

    private static Process start(final List<String> command) {
        try {
            return new ProcessBuilder(command)
                    .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .start();
        } catch (final IOException e) {
            throw new ContenderException("cannot run " + command.getFirst() + ": " + e.getMessage());
        }
    }

    private static List<String> await(final List<String> command, final Process process) throws InterruptedException {
        final Output errors = Output.of(process.errorReader());
        final Output output = Output.of(process.inputReader());
        if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            throw new ContenderException(command.getFirst() + " took more than " + LIMIT_SECONDS + " s");
        }
        if (process.exitValue() != 0) {
            final List<String> said = errors.lines();
            throw new ContenderException(command.getFirst() + " exited with " + process.exitValue()
                    + (said.isEmpty() ? "" : ": " + said.getLast().strip()));
        }
        return output.lines();
    }

    /** Reads a stream beside the program, so that it never blocks on a full pipe. */
    private record Output(Thread reader, List<String> read) {
        static Output of(final BufferedReader from) {
            final List<String> lines = new java.util.concurrent.CopyOnWriteArrayList<>();
            return new Output(
                    Thread.ofPlatform()
                            .daemon()
                            .start(() -> readAll(from, lines)),
                    lines);
        }

        private static void readAll(final BufferedReader from, final List<String> lines) {
            try {
                from.lines().filter(line -> !line.isBlank()).forEach(lines::add);
            } catch (final UncheckedIOException e) {
                // The program has been given up, which closes its streams; who did that says why.
                lines.add("(cut off: " + e.getCause().getMessage() + ")");
            }
        }

        List<String> lines() throws InterruptedException {
            reader.join();
            return read;
        }
    }
}
