package org.chagres.verbs;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** An open device. Owns everything made from it. */
public interface Context extends VerbsObject {
    /** The device. */
    Device device();

    /** What the device can do. */
    DeviceAttributes attributes();

    /**
     * A port as it is now.
     *
     * @param port from 1 on
     * @throws IllegalArgumentException if the device has no such port
     */
    PortAttributes port(int port);

    /**
     * The rows in use of a port's GID table, by index.
     *
     * @param port from 1 on
     */
    List<GidEntry> gids(int port);

    /**
     * The row {@code index} of a port's GID table.
     *
     * @throws VerbsException if the row is empty or there is no such row: the message lists those in use
     */
    default GidEntry gid(final int port, final int index) {
        final List<GidEntry> gids = gids(port);
        return gids.stream()
                .filter(e -> e.index() == index)
                .findFirst()
                .orElseThrow(() -> new VerbsException("row " + index + " of the GID table of " + device().name()
                        + " port " + port
                        + " is empty: in use are "
                        + gids.stream().map(e -> e.index() + " (" + e.gid() + ", " + e.type().text() + ")").toList()));
    }

    /**
     * The rows of a port's partition key table; 0 is an empty row.
     *
     * @param port from 1 on
     */
    List<Integer> pkeys(int port);

    /** Makes a protection domain: what registered memory and queue pairs may be used together. */
    ProtectionDomain allocateProtectionDomain();

    /** Makes a channel on which completion queues tell that something has completed. */
    CompletionChannel createCompletionChannel();

    /**
     * Makes a completion queue that is polled.
     *
     * @param entries at least so many completions fit; more than that at a time break the queue and all its queue pairs
     */
    CompletionQueue createCompletionQueue(int entries);

    /**
     * Makes a completion queue that can also be waited for without polling.
     *
     * @param entries at least so many completions fit
     * @param channel where it tells of completions; of this context
     */
    CompletionQueue createCompletionQueue(int entries, CompletionChannel channel);

    /** An asynchronous event, if there is one; does not wait. Each event is given once. */
    Optional<AsyncEvent> pollEvent();

    /**
     * Waits for an asynchronous event.
     *
     * @return empty if the time is over
     * @throws InterruptedException if the thread is interrupted
     */
    Optional<AsyncEvent> awaitEvent(Duration timeout) throws InterruptedException;
}
