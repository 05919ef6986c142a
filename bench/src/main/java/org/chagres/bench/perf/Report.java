package org.chagres.bench.perf;

/** Receives the results of a run, on rank 0. */
interface Report {
    /** The run begins. */
    void start(PerfOptions options, String transport);

    /** A row was measured. */
    void row(RowResult result);

    /** The run is complete. */
    void finish();
}
