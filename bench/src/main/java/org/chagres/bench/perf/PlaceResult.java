package org.chagres.bench.perf;

/**
 * What was measured out of place or in place. Times are microseconds, bandwidths 10^9 bytes a second.
 *
 * @param wrong wrong elements and out-of-bounds bytes of all ranks, or -1 if nothing was checked
 */
record PlaceResult(double time, double p50, double p99, double algorithmBandwidth, double busBandwidth, long wrong) {}
