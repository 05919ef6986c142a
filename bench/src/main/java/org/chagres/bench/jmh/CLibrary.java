package org.chagres.bench.jmh;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** One of the C sources of {@code bench/src/main/c}, built by {@code cc} and loaded for the life of the JVM. */
final class CLibrary {
    private CLibrary() {
    }

    /**
     * Builds and loads a source; leaves no file behind.
     *
     * @param flags further arguments of {@code cc}
     * @throws IllegalStateException if there is no compiler or it fails; what it says is on stderr
     */
    static SymbolLookup load(final String source, final String... flags) {
        try {
            final Path folder = Files.createTempDirectory("chagres-c");
            final Path file = folder.resolve(source);
            final Path object = folder.resolve(source + ".so");
            try {
                compile(file, object, flags);
                return SymbolLookup.libraryLookup(object, Arena.global());
            } finally {
                // What is loaded stays loaded without its file.
                Files.deleteIfExists(object);
                Files.deleteIfExists(file);
                Files.delete(folder);
            }
        } catch (final IOException e) {
            throw new IllegalStateException("needs a C compiler named cc: apt-get install gcc libc6-dev", e);
        }
    }

    private static void compile(final Path source, final Path object, final String... flags) throws IOException {
        try (InputStream text = CLibrary.class.getResourceAsStream("/org/chagres/bench/c/" + source.getFileName())) {
            Files.copy(text, source);
        }
        final List<String> command = new ArrayList<>(List.of("cc", "-O2", "-shared", "-fPIC"));
        command.addAll(List.of(flags));
        command.addAll(List.of("-o", object.toString(), source.toString()));
        try {
            if (new ProcessBuilder(command).inheritIO().start().waitFor() != 0) {
                throw new IllegalStateException("cc could not build " + source.getFileName() + "; see above");
            }
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while building " + source.getFileName(), e);
        }
    }
}
