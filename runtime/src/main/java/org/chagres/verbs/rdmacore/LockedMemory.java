package org.chagres.verbs.rdmacore;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** How much memory this process may lock, and has locked: nearly always why a device says ENOMEM. */
final class LockedMemory {
    private LockedMemory() {
    }

    /** A sentence with limit, use and remedy. */
    static String advice() {
        return advice(lines("/proc/self/limits"), lines("/proc/self/status"));
    }

    static String advice(final List<String> limits, final List<String> status) {
        final String soft = limits.stream()
                .filter(l -> l.startsWith("Max locked memory"))
                .map(l -> l.substring("Max locked memory".length()).strip().replaceFirst("\\s.*", ""))
                .findFirst()
                .orElse("unknown");
        final String pinned = "pinned for devices " + kibibytes(status, "VmPin:") + ", locked "
                + kibibytes(status, "VmLck:");
        if (soft.equals("unlimited")) {
            return "The limit of locked memory is unlimited (" + pinned
                    + "), so the machine, its container or the device itself is out of memory or"
                    + " of table space: register less, or look at the kernel's log and the container's memory limit.";
        }
        return "The limit of locked memory (ulimit -l) is " + soft + " bytes, of which this process has " + pinned
                + ". Raise it: 'ulimit -l unlimited' before the JVM starts, memlock in /etc/security/limits.conf, LimitMEMLOCK=infinity in a systemd unit,"
                + " 'docker run --ulimit memlock=-1'; or give the process CAP_IPC_LOCK.";
    }

    private static String kibibytes(final List<String> status, final String field) {
        return status.stream()
                .filter(l -> l.startsWith(field))
                .map(l -> l.substring(field.length()).strip().toLowerCase(Locale.ROOT).replace("kb", "KiB"))
                .findFirst()
                .orElse("unknown");
    }

    private static List<String> lines(final String file) {
        try {
            return Files.readAllLines(Path.of(file));
        } catch (final IOException absent) {
            return List.of();
        }
    }
}
