package org.chagres.bench.perf;

import java.io.PrintStream;

/** The progress line. */
final class ProgressReport implements Report {
    private final PrintStream out;
    private Progress progress;

    ProgressReport(final PrintStream out) {
        this.out = out;
    }

    @Override
    public void start(final PerfOptions options, final String transport) {
        final long sweeps = (long) options.types().size() * options.ops().size() * options.roots().size();
        progress = new Progress(out, sweeps * options.sizesInBytes().length);
    }

    @Override
    public void row(final RowResult result) {
        progress.step();
    }

    @Override
    public void finish() {
        // Nothing is left to tell.
    }
}
