package org.chagres.bench.perf;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * How long this JVM's compilers have worked. The JVM itself counts a compilation only when it has ended, and a long one beside ranks that keep every core
 * busy looks like quiet until then; the kernel counts as it goes ({@code schedstat} of each thread, see proc(5)).
 */
final class Compilers {
    private static final Path THREADS = Path.of("/proc/self/task");
    private static final double NANOS_PER_MILLI = 1e6;

    private Compilers() {
    }

    /** Milliseconds of processor time of the compilers' threads so far; where the kernel does not tell, of ended compilations. */
    static double millis() {
        double nanos = 0;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(THREADS)) {
            for (final Path thread : threads) {
                nanos += compiling(thread);
            }
        } catch (final IOException e) {
            return ended();
        }
        return nanos > 0 ? nanos / NANOS_PER_MILLI : ended();
    }

    private static double compiling(final Path thread) {
        try {
            final String name = Files.readString(thread.resolve("comm"));
            if (!name.startsWith("C1 Comp") && !name.startsWith("C2 Comp")) {
                return 0;
            }
            final String running = Files.readString(thread.resolve("schedstat"));
            return Double.parseDouble(running.substring(0, running.indexOf(' ')));
        } catch (final IOException e) {
            // Ended meanwhile: the JVM keeps no more compiler threads than it has work for.
            return 0;
        }
    }

    private static double ended() {
        return ManagementFactory.getCompilationMXBean().getTotalCompilationTime();
    }
}
