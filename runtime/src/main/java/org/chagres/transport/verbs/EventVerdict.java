package org.chagres.transport.verbs;

import java.util.List;
import org.chagres.verbs.AsyncEvent;
import org.chagres.verbs.GidEntry;
import org.chagres.verbs.PortAttributes;

/**
 * What an asynchronous event of a device means for a communicator that uses one of its ports.
 *
 * @param concerns whether it is about something that the communicator uses
 * @param ends whether the communicator cannot go on
 * @param words for people: what happened, and what to do
 */
public record EventVerdict(boolean concerns, boolean ends, String words) {
    /**
     * Judges an event.
     *
     * @param ours the port that the communicator uses, as it was when it connected
     * @param now the same port now
     * @param gids the rows of its GID table now
     */
    public static EventVerdict of(final AsyncEvent event, final UsablePort ours, final PortAttributes now,
            final List<GidEntry> gids,
            final VerbsSettings settings) {
        return new EventJudge(event, ours, now, gids, settings).verdict();
    }
}
