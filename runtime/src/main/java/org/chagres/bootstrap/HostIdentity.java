package org.chagres.bootstrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What ranks compare to see whether they can share memory: the running kernel and the PID namespace. */
final class HostIdentity {
    private HostIdentity() {
    }

    static String name() {
        try {
            final String boot = Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
            final Path namespace = Files.readSymbolicLink(Path.of("/proc/self/ns/pid"));
            return boot + " " + namespace;
        } catch (final IOException e) {
            throw new IllegalStateException(
                    "cannot tell this host from others: " + e.getMessage() + "; Chagres needs /proc", e);
        }
    }
}
