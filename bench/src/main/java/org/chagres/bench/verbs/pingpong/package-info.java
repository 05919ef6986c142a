/** The {@code pingpong} command: either end of {@code ibv_rc_pingpong}. */
package org.chagres.bench.verbs.pingpong;
