package org.chagres.verbs;

import java.time.Duration;
import java.util.Optional;

/**
 * Where completion queues tell that something has completed, for threads that wait without polling. Owned by a context; its queues are closed before
 * it.
 *
 * <p>A queue tells once after each {@link CompletionQueue#requestNotification}. The order that loses nothing: request, poll until empty, wait, and so on.
 */
public interface CompletionChannel extends VerbsObject {
    /** The context that it belongs to. */
    Context context();

    /** A queue that has told, if there is one; does not wait. */
    Optional<CompletionQueue> pollEvent();

    /**
     * Waits until a queue tells.
     *
     * @return empty if the time is over
     * @throws InterruptedException if the thread is interrupted
     */
    Optional<CompletionQueue> awaitEvent(Duration timeout) throws InterruptedException;
}
