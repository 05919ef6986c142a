/**
 * {@code perf}: times and checks one collective over a sweep of sizes, with the options, columns and conventions of nccl-tests. The parent
 * process starts a JVM for each rank and watches over them; each rank runs {@link org.chagres.bench.perf.RankRun}; rank 0 reports.
 */
package org.chagres.bench.perf;
