package org.chagres.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/** What a reader of a measurement must know about the machine. */
public final class Machine {
    private static final Pattern SEPARATOR = Pattern.compile("\\s*:\\s*");

    private Machine() {
    }

    /** The JVM's name and exact version. */
    public static String jvm() {
        return System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version") + " ("
                + System.getProperty("java.vendor") + ")";
    }

    /** The processor's model and the cores that this process may use. */
    public static String cpu() {
        return value("/proc/cpuinfo", "model name").orElseGet(() -> System.getProperty("os.arch")) + ", " + cores()
                + " cores";
    }

    /** Cores that this process may use, at least 1. */
    public static int cores() {
        return Runtime.getRuntime().availableProcessors();
    }

    /** Bytes that the kernel could give out now, or {@link Long#MAX_VALUE} where it does not say. */
    public static long availableMemory() {
        return value("/proc/meminfo", "MemAvailable").map(v -> Long.parseLong(v.replace(" kB", "")) << 10)
                .orElse(Long.MAX_VALUE);
    }

    /** This host's name. */
    public static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (final IOException e) {
            return "localhost";
        }
    }

    private static Optional<String> value(final String file, final String key) {
        try (var lines = Files.lines(Path.of(file))) {
            return lines.map(line -> SEPARATOR.split(line, 2))
                    .filter(pair -> pair.length == 2 && pair[0].strip().equals(key))
                    .map(pair -> pair[1].strip())
                    .findFirst();
        } catch (final IOException | java.io.UncheckedIOException e) {
            return Optional.empty();
        }
    }
}
