/**
 * The {@code perf-verbs} command: perftest's measurements of single verbs, from Java. {@code PerfClient} measures, {@code PerfServer} is its peer; a
 * {@code Part} is what one end does in one test.
 */
package org.chagres.bench.verbs.perf;
