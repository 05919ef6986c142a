package org.chagres.bootstrap;

import java.time.Duration;
import java.util.Map;

/** Times that the environment sets, in seconds with a fraction. */
final class Seconds {
    private static final int MILLIS = 1000;
    private static final int MOST = Integer.MAX_VALUE / MILLIS;

    private Seconds() {
    }

    /**
     * The time that {@code name} sets, or {@code otherwise}.
     *
     * @throws IllegalArgumentException if it is no number, or out of range
     */
    static Duration of(final Map<String, String> environment, final String name, final Duration otherwise) {
        final String set = environment.get(name);
        if (set == null || set.isBlank()) {
            return otherwise;
        }
        try {
            final double seconds = Double.parseDouble(set.strip());
            if (seconds > 0 && seconds <= MOST) {
                return Duration.ofMillis(Math.max(1, (long) (seconds * MILLIS)));
            }
        } catch (final NumberFormatException e) {
            throw new IllegalArgumentException(name + "=" + set + " is not a number of seconds", e);
        }
        throw new IllegalArgumentException(name + "=" + set + " is out of range: it must be more than 0 and at most "
                + MOST + " seconds");
    }
}
