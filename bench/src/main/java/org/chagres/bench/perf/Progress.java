package org.chagres.bench.perf;

import java.io.PrintStream;
import java.util.concurrent.TimeUnit;

/** Tells on stderr how far a long run is; a run of less than two seconds stays silent. Not thread-safe. */
final class Progress {
    private static final long PERIOD = TimeUnit.SECONDS.toNanos(2);

    private final PrintStream out;
    private final long total;
    private final long start = System.nanoTime();
    private long done;
    private long last = start;

    Progress(final PrintStream out, final long total) {
        this.out = out;
        this.total = total;
    }

    /** Another of the {@code total} parts is done. */
    void step() {
        done++;
        final long now = System.nanoTime();
        if (now - last >= PERIOD && done < total) {
            last = now;
            out.println("# progress: " + done + " of " + total + " rows, " + (now - start) / 1_000_000_000 + " s");
        }
    }
}
