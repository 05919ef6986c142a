package org.chagres.transport.verbs;

import java.time.Duration;
import java.util.Locale;

/**
 * When a sender gives up a peer that does not acknowledge: InfiniBand Architecture Specification, volume 1, "Local Ack Timeout" and "Retry Count". A
 * device may take up to four times as long for each attempt.
 *
 * @param exponent an attempt waits 4.096 us * 2^exponent
 * @param retries attempts after the first
 */
public record AckTimeout(int exponent, int retries) {
    private static final long UNIT_NS = 4096;

    /** How long one attempt waits. */
    public Duration attempt() {
        return Duration.ofNanos(UNIT_NS << exponent);
    }

    /** How long all attempts wait together. */
    public Duration total() {
        return attempt().multipliedBy(retries + 1L);
    }

    /** For people: {@code 4.096 us * 2^16 * (7 + 1) = 2.15 s}. */
    @Override
    public String toString() {
        return "4.096 us * 2^" + exponent + " * (" + retries + " + 1) = " + text(total());
    }

    static String text(final Duration duration) {
        final double seconds = duration.toNanos() / 1e9;
        return seconds >= 1
                ? String.format(Locale.ROOT, "%.2f s", seconds)
                : seconds >= 1e-3
                        ? String.format(Locale.ROOT, "%.1f ms", seconds * 1e3)
                        : String.format(Locale.ROOT, "%.1f us", seconds * 1e6);
    }
}
