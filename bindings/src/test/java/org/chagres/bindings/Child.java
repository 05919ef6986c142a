package org.chagres.bindings;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Other processes: gcc, and JVMs that find other libraries or run with other flags than this one. */
final class Child {
    private Child() {
    }

    /** How a command ended and what it printed, both streams together. */
    record Result(int status, String output) {}

    static Result run(final Map<String, String> environment, final List<String> command)
            throws IOException, InterruptedException {
        final var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        final var process = builder.start();
        process.getOutputStream().close();
        final var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Result(process.waitFor(), output);
    }

    /** Runs the main method of a test class in a JVM whose dynamic linker looks into a folder first. */
    static Result java(final Path libraries, final Class<?> main, final String... flags)
            throws IOException, InterruptedException {
        final var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(flags));
        command.addAll(List.of("-Xshare:auto", "-XX:TieredStopAtLevel=1", "-cp", "target/classes:target/test-classes",
                main.getName()));
        return run(Map.of("LD_LIBRARY_PATH", libraries.toString()), command);
    }
}
