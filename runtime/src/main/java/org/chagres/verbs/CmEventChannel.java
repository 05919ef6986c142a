package org.chagres.verbs;

import java.time.Duration;
import java.util.Optional;

/** Connections by address: where their events arrive ({@code rdma_event_channel}). Owns its identifiers. */
public interface CmEventChannel extends VerbsObject {
    /** Makes an identifier: the connection manager's socket. */
    CmId createId(PortSpace space);

    /** An event, if there is one; does not wait. */
    Optional<CmEvent> pollEvent();

    /**
     * Waits for an event.
     *
     * @return empty if the time is over
     * @throws InterruptedException if the thread is interrupted
     */
    Optional<CmEvent> awaitEvent(Duration timeout) throws InterruptedException;

    /**
     * Waits for an event that must be of one type: for programs that do one thing after the other.
     *
     * @throws VerbsException if another event comes, or none in time: the message says which, and what causes it
     * @throws InterruptedException if the thread is interrupted
     */
    default CmEvent expect(final CmEventType type, final Duration timeout) throws InterruptedException {
        final CmEvent event = awaitEvent(timeout)
                .orElseThrow(() -> new VerbsException("no event came within " + timeout + ", where " + type + " ("
                        + type.meaning() + ") was expected"));
        if (event.type() != type) {
            throw new VerbsException("expected " + type + ", but " + event.describe());
        }
        return event;
    }
}
