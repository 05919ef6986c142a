package org.chagres.verbs.rdmacore;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What the kernel tells in files. A file that is absent or cannot be read is an empty answer. */
final class Sysfs {
    private static final Path ROOT = Path.of("/sys/class");

    private Sysfs() {
    }

    /** The text of an attribute of an RDMA device, without the end of the line. */
    static Optional<String> attribute(final String device, final String name) {
        return read(deviceFolder(device).resolve(name));
    }

    /** The entries of a folder of an RDMA device, sorted. */
    static List<String> entries(final String device, final String folder) {
        return list(deviceFolder(device).resolve(folder));
    }

    /** The file that gives a device's verbs to programs, such as {@code /dev/infiniband/uverbs0}. */
    static Optional<Path> uverbsFile(final String device) {
        for (final String name : list(ROOT.resolve("infiniband_verbs"))) {
            if (read(ROOT.resolve("infiniband_verbs").resolve(name).resolve("ibdev")).filter(device::equals)
                    .isPresent()) {
                return Optional.of(Path.of("/dev/infiniband", name));
            }
        }
        return Optional.empty();
    }

    static Optional<String> read(final Path file) {
        try {
            return Optional.of(Files.readString(file).strip()).filter(text -> !text.isEmpty());
        } catch (final IOException absent) {
            // Rows of the kernel's tables that are empty fail with EINVAL; the rest differs from version to version.
            return Optional.empty();
        }
    }

    private static List<String> list(final Path folder) {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.map(e -> e.getFileName().toString()).sorted().toList();
        } catch (final IOException absent) {
            return List.of();
        }
    }

    private static Path deviceFolder(final String device) {
        return ROOT.resolve("infiniband").resolve(device);
    }
}
