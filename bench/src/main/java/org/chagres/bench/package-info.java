/**
 * The command-line tool behind {@code ./chagres}: {@code perf} measures and checks the collectives, {@code compare} sets them beside MPI and
 * plain C, {@code launch} starts the ranks of any program, {@code explain} prints a rank's plan.
 */
package org.chagres.bench;
