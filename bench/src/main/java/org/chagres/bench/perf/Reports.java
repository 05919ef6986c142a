package org.chagres.bench.perf;

import java.util.List;

/** Several reports as one. */
record Reports(List<Report> reports) implements Report {
    @Override
    public void start(final PerfOptions options, final String transport) {
        reports.forEach(report -> report.start(options, transport));
    }

    @Override
    public void row(final RowResult result) {
        reports.forEach(report -> report.row(result));
    }

    @Override
    public void finish() {
        reports.forEach(Report::finish);
    }
}
