package org.chagres.bench.verbs.perf;

import java.util.Map;

/** What one size took. */
sealed interface PerfResult permits LatencyResult, BandwidthResult {
    /** A line under {@link LatencyResult#HEADER} or {@link BandwidthResult#HEADER}. */
    String line();

    /** The same for JSON. */
    Map<String, Object> json();
}
