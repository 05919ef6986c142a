package org.chagres.bootstrap;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * What ranks compare to see whether they can share memory: the running kernel, the PID namespace and the network namespace; or what
 * {@code CHAGRES_HOSTID} or {@code NCCL_HOSTID} says instead.
 */
public final class HostIdentity {
    static final int MAX_BYTES = 512;

    private HostIdentity() {
    }

    /**
     * The identity of this host.
     *
     * @throws IllegalArgumentException if the environment sets one that is too long
     */
    static String of(final Map<String, String> environment) {
        for (final String variable : new String[]{"CHAGRES_HOSTID", "NCCL_HOSTID" }) {
            final String set = environment.get(variable);
            if (set != null && !set.isBlank()) {
                final int bytes = set.strip().getBytes(StandardCharsets.UTF_8).length;
                if (bytes > MAX_BYTES) {
                    throw new IllegalArgumentException(
                            variable + " has " + bytes + " bytes: at most " + MAX_BYTES + " are allowed");
                }
                return set.strip();
            }
        }
        return name();
    }

    private static String name() {
        try {
            final String boot = Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
            final Path processes = Files.readSymbolicLink(Path.of("/proc/self/ns/pid"));
            final Path network = Files.readSymbolicLink(Path.of("/proc/self/ns/net"));
            return boot + " " + processes + " " + network;
        } catch (final IOException e) {
            throw new IllegalStateException(
                    "cannot tell this host from others: " + e.getMessage() + "; Chagres needs /proc", e);
        }
    }

    /**
     * The name that this host gives itself, for people.
     *
     * @throws IllegalStateException if it cannot be read
     */
    public static String hostName() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
        } catch (final IOException e) {
            throw new IllegalStateException("cannot read this host's name: " + e.getMessage() + "; Chagres needs /proc",
                    e);
        }
    }
}
