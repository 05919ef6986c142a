/**
 * The hidden {@code rping} command: either end of librdmacm's {@code rping}, so that connections by address are tried against a C program.
 */
package org.chagres.bench.verbs.rping;
