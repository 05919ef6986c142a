/** JMH benchmarks; {@code ./chagres jmh [PATTERN] [JMH OPTIONS]} runs them, {@code -prof gc} shows that the steady state allocates nothing. */
package org.chagres.bench.jmh;
