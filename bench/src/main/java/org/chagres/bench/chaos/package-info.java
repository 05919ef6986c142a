/** One rank of the chaos test, {@code lab/chaos}. */
package org.chagres.bench.chaos;
