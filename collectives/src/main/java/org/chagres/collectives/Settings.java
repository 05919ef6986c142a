package org.chagres.collectives;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import org.chagres.memory.PageSize;

/**
 * What the environment says about communicators, read and checked in one place. The README has the table of variables.
 *
 * @param timeout the deadline of an operation, {@code CHAGRES_TIMEOUT} in seconds
 * @param progress who drives asynchronous operations, {@code CHAGRES_PROGRESS}
 * @param pages the pages of buffers, {@code CHAGRES_HUGE_PAGES}
 * @param environment everything else that layers below read
 */
record Settings(Duration timeout, Progress progress, PageSize pages, Map<String, String> environment) {
    static final String TIMEOUT = "CHAGRES_TIMEOUT";
    static final String PROGRESS = "CHAGRES_PROGRESS";
    static final String HUGE_PAGES = "CHAGRES_HUGE_PAGES";
    private static final long DEFAULT_TIMEOUT_S = 600;

    /** Who drives asynchronous operations. */
    enum Progress {
        /** Whoever polls or awaits a {@link Work}, or calls another operation. */
        CALLER,
        /** A dedicated thread of the communicator, which needs a core of its own. */
        THREAD
    }

    Settings {
        environment = Map.copyOf(environment);
    }

    static Settings of(final Map<String, String> environment) {
        return new Settings(timeout(environment), progress(environment), pages(environment), environment);
    }

    private static Duration timeout(final Map<String, String> environment) {
        final String set = environment.get(TIMEOUT);
        if (set == null || set.isBlank()) {
            return Duration.ofSeconds(DEFAULT_TIMEOUT_S);
        }
        try {
            final double seconds = Double.parseDouble(set.strip());
            if (seconds > 0 && seconds < 1e9) {
                return Duration.ofNanos((long) (seconds * 1e9));
            }
        } catch (final NumberFormatException e) {
            throw new IllegalArgumentException(TIMEOUT + "=" + set + " is not a number of seconds", e);
        }
        throw new IllegalArgumentException(
                TIMEOUT + "=" + set + " is out of range: it must be more than 0 and below 10^9 seconds");
    }

    /** As nanoseconds; what is longer than those can tell is as good as for ever. */
    static long nanos(final Duration timeout) {
        try {
            return timeout.toNanos();
        } catch (final ArithmeticException e) {
            return timeout.isNegative() ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
    }

    private static Progress progress(final Map<String, String> environment) {
        final String set = environment.getOrDefault(PROGRESS, "caller").strip().toLowerCase(Locale.ROOT);
        return switch (set) {
            case "", "caller" -> Progress.CALLER;
            case "thread" -> Progress.THREAD;
            default -> throw new IllegalArgumentException(PROGRESS + "=" + set + " is unknown: use caller or thread");
        };
    }

    private static PageSize pages(final Map<String, String> environment) {
        final String set = environment.getOrDefault(HUGE_PAGES, "0").strip();
        return switch (set) {
            case "", "0" -> PageSize.BASE;
            case "1" -> PageSize.HUGE;
            default -> throw new IllegalArgumentException(HUGE_PAGES + "=" + set + " is unknown: use 0 or 1");
        };
    }
}
