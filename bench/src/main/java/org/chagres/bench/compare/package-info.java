/**
 * {@code compare}: builds the C programs under {@code bench/src/main/c} with what is installed, runs them and Chagres in turns, and prints
 * medians and ratios beside the targets.
 */
package org.chagres.bench.compare;
