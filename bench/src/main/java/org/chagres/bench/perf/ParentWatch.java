package org.chagres.bench.perf;

import java.io.IOException;
import org.chagres.bench.ExitCode;

/**
 * Ends a rank whose launcher is gone. The launcher holds the other end of the rank's standard input and never writes: the end of the input
 * means that the launcher died, however it died.
 */
final class ParentWatch {
    private ParentWatch() {
    }

    static void start() {
        Thread.ofPlatform().daemon().name("parent-watch").start(() -> {
            waitForEndOfInput();
            Runtime.getRuntime().halt(ExitCode.FAILED);
        });
    }

    private static void waitForEndOfInput() {
        try {
            while (System.in.read() >= 0) {
                // The launcher has nothing to say.
            }
        } catch (final IOException e) {
            // As good as the end of the input.
        }
    }
}
