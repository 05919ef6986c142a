package org.chagres.memory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * What the kernel says this process holds of shared memory: descriptors and mappings of files without a name. Counts of two moments are compared.
 *
 * @param descriptors open descriptors of such files
 * @param mappings mappings of such files
 */
record Holdings(long descriptors, long mappings) {
    private static final String ANONYMOUS = "memfd:chagres";
    private static final String UNNAMED = "(deleted)";

    static Holdings now() {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"));
                Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
            return new Holdings(open.filter(fd -> ours(target(fd))).count(), maps.filter(Holdings::ours).count());
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean ours(final String name) {
        return name.contains(ANONYMOUS) || name.contains(UNNAMED);
    }

    private static String target(final Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (final IOException e) {
            return "closed while listing";
        }
    }
}
