/** {@code chagres launch}: starts the ranks of any program on this host and on others, forwards what they print, and ends them together. */
package org.chagres.bench.launch;
