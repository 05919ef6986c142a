package org.chagres.memory;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * How much memory can be had. The kernel does not say no to a file in memory that is larger than the machine: it hands out page after page until it has
 * to kill a process, so a request must be held against this first.
 */
final class AvailableMemory {
    /** A request below this is not worth the look. */
    static final long WORTH_A_LOOK = 16 << 20;
    /** One part in so many stays free, for everybody else's next allocation. */
    private static final int RESERVE = 32;

    private AvailableMemory() {
    }

    /** Bytes that a new file in memory may take: what the kernel calls available, and no more than the limit of this container. */
    static long bytes() {
        final long available = available();
        final var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return Math.min(available - available / RESERVE, system.getTotalMemorySize());
    }

    private static long available() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/meminfo"))) {
            return lines.filter(line -> line.startsWith("MemAvailable:") || line.startsWith("SwapFree:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
                    .sum();
        } catch (final IOException e) {
            throw new UncheckedIOException("cannot tell how much memory is available: Chagres needs /proc", e);
        }
    }
}
