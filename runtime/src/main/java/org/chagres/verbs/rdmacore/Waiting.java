package org.chagres.verbs.rdmacore;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.chagres.bindings.Descriptors;

/** Waits for events of a descriptor with a limit, and never so long in native code that an interrupt or a close would go unnoticed. */
final class Waiting {
    private static final long SLICE_NANOS = 50_000_000;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private Waiting() {
    }

    /** When a wait of {@code timeout} from now on ends, by {@link System#nanoTime}. */
    static long deadline(final Duration timeout) {
        final Duration longest = Duration.ofNanos(Long.MAX_VALUE / 2);
        return System.nanoTime() + (timeout.compareTo(longest) < 0 ? timeout : longest).toNanos();
    }

    /**
     * Polls until there is something or the time is over.
     *
     * @param fd becomes readable when there may be something
     * @param poll does not wait; throws once its object is closed
     */
    static <T> Optional<T> await(final int fd, final Duration timeout, final Supplier<Optional<T>> poll)
            throws InterruptedException {
        final long deadline = deadline(timeout);
        while (true) {
            final Optional<T> found = poll.get();
            if (found.isPresent()) {
                return found;
            }
            final long left = deadline - System.nanoTime();
            if (left <= 0) {
                return found;
            }
            sleep(fd, left);
        }
    }

    /** Sleeps until the descriptor is readable, {@code nanos} have passed, or a moment is over. */
    static void sleep(final int fd, final long nanos) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        Descriptors.awaitReadable(fd, (int) Math.ceilDiv(Math.min(nanos, SLICE_NANOS), NANOS_PER_MILLI));
    }
}
