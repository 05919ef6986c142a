package org.chagres.verbs;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Where requests end. Owned by a context; the queue pairs that use it are closed before it. */
public interface CompletionQueue extends VerbsObject {
    /** The context that it belongs to. */
    Context context();

    /** The channel on which it tells of completions; empty if it is only polled. */
    Optional<CompletionChannel> channel();

    /** How many completions it holds, at least what was asked for. */
    int entries();

    /** The oldest completion, if there is one; does not wait. */
    default Optional<Completion> poll() {
        final List<Completion> one = poll(1);
        return one.isEmpty() ? Optional.empty() : Optional.of(one.getFirst());
    }

    /**
     * The oldest completions, at most {@code max}; does not wait.
     *
     * @throws VerbsException if the queue is broken, as after an overrun
     */
    List<Completion> poll(int max);

    /**
     * Waits for a completion: asleep if the queue has a channel that no other queue uses, else polling.
     *
     * @return empty if the time is over
     * @throws InterruptedException if the thread is interrupted
     */
    Optional<Completion> await(Duration timeout) throws InterruptedException;

    /**
     * Asks the queue to tell its channel, once, when the next request completes. What completed before is not told: poll once more after this.
     *
     * @param solicitedOnly whether only failures and receives of messages sent with {@link SendFlag#SOLICITED} count
     * @throws IllegalStateException if the queue has no channel
     */
    void requestNotification(boolean solicitedOnly);

    /**
     * Changes how many completions it holds.
     *
     * @throws VerbsException if the device cannot, or more are in it now
     */
    void resize(int entries);

    /**
     * Makes room for completions that {@link #poll(CompletionBatch)} fills without allocating.
     *
     * @param capacity how many
     * @return closed with this queue
     */
    CompletionBatch prepareBatch(int capacity);

    /**
     * Takes completions off the queue; the hot path. Allocates nothing and does not wait.
     *
     * @param batch of this queue; what it held is overwritten
     * @return how many it now holds; negative if the queue is broken, as after an overrun
     */
    int poll(CompletionBatch batch);
}
