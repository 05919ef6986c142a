package org.chagres.bindings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;

/** gcc, as the checker of what the headers say. Tests that need it are skipped, with the reason, where it is absent. */
final class CCompiler {
    private static final Path OUTPUT = Path.of("target", "test-c");
    private static final Path SOURCES = Path.of("src", "test", "c");

    private CCompiler() {
    }

    /** Skips the running test unless gcc finds these headers. */
    static void assumeHeaders(final String... headers) throws IOException, InterruptedException {
        for (final String header : headers) {
            final var source = write("probe.c", "#include <" + header + ">\n");
            final int status;
            try {
                status = Child.run(Map.of(), gcc("-fsyntax-only", source.toString())).status();
            } catch (final IOException absent) {
                skip("no gcc: " + absent.getMessage());
                return;
            }
            if (status != 0) {
                skip("gcc finds no <" + header + ">");
            }
        }
    }

    private static void skip(final String reason) {
        System.out.println("skipped: " + reason);
        Assumptions.abort(reason);
    }

    /** Compiles a C text and returns what the program prints. */
    static List<String> runProgram(final String name, final String text) throws IOException, InterruptedException {
        final var source = write(name + ".c", text);
        final var program = OUTPUT.resolve(name).toAbsolutePath();
        compile(gcc("-o", program.toString(), source.toString()));
        final var result = Child.run(Map.of(), List.of(program.toString()));
        if (result.status() != 0) {
            throw new IOException(name + " ended with " + result.status());
        }
        return result.output().lines().toList();
    }

    /** Compiles one of the C files of the tests to a shared object. */
    static Path sharedObject(final String source, final String target) throws IOException, InterruptedException {
        final var object = OUTPUT.resolve(target).toAbsolutePath();
        Files.createDirectories(object.getParent());
        // Renamed into place: another JVM may have the old file mapped.
        final var fresh = Files.createTempFile(object.getParent(), target.replace('/', '-'), ".new");
        compile(gcc("-shared", "-fPIC", "-O2", "-o", fresh.toString(), SOURCES.resolve(source).toString()));
        return Files.move(fresh, object, StandardCopyOption.ATOMIC_MOVE);
    }

    private static void compile(final List<String> command) throws IOException, InterruptedException {
        final var result = Child.run(Map.of(), command);
        if (result.status() != 0) {
            throw new IOException(String.join(" ", command) + "\n" + result.output());
        }
    }

    private static List<String> gcc(final String... arguments) {
        final var command = new ArrayList<>(List.of("gcc", "-Wall", "-Werror"));
        final var cuda = Path.of(System.getenv().getOrDefault("CUDA_HOME", "/usr/local/cuda"), "include");
        command.addAll(List.of("-isystem", cuda.toString()));
        command.addAll(List.of(arguments));
        return command;
    }

    private static Path write(final String name, final String text) throws IOException {
        Files.createDirectories(OUTPUT);
        return Files.writeString(OUTPUT.resolve(name), text);
    }
}
