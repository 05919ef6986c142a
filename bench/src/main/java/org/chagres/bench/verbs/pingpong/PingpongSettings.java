package org.chagres.bench.verbs.pingpong;

import org.chagres.bench.UsageException;
import org.chagres.verbs.Mtu;

/**
 * What {@code ibv_rc_pingpong} lets its user choose; both ends should choose the same.
 *
 * @param size bytes of a message
 * @param mtu of the path; both ends must use the same
 * @param rxDepth receives that are posted at a time
 * @param iterations exchanges
 * @param serviceLevel 0 to 15
 * @param events whether to sleep until a completion comes, instead of polling
 * @param pattern whether to send what {@code -c} checks at the server
 */
record PingpongSettings(int size, Mtu mtu, int rxDepth, int iterations, int serviceLevel, boolean events,
        boolean pattern) {
    private static final int MAX_SERVICE_LEVEL = 15;

    PingpongSettings {
        refuseBelowOne("-s", size);
        refuseBelowOne("-r", rxDepth);
        refuseBelowOne("-n", iterations);
        if (serviceLevel < 0 || serviceLevel > MAX_SERVICE_LEVEL) {
            throw new UsageException("-l " + serviceLevel + ": service levels are 0 to " + MAX_SERVICE_LEVEL);
        }
    }

    private static void refuseBelowOne(final String option, final int value) {
        if (value < 1) {
            throw new UsageException(option + " " + value + ": use 1 or more");
        }
    }

    /** @throws UsageException if no path has an MTU of so many bytes */
    static Mtu mtu(final int bytes) {
        try {
            return Mtu.ofBytes(bytes);
        } catch (final IllegalArgumentException e) {
            throw new UsageException("-m " + e.getMessage(), e);
        }
    }
}
