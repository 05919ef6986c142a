package org.chagres.transport.verbs;

import java.util.List;
import org.chagres.verbs.AsyncEvent;
import org.chagres.verbs.AsyncEventType;
import org.chagres.verbs.Context;
import org.chagres.verbs.GidEntry;
import org.chagres.verbs.PortAttributes;
import org.chagres.verbs.VerbsException;

/**
 * What an asynchronous event of a device means for a communicator that uses one of its ports.
 *
 * @param concerns whether it is about something that the communicator uses
 * @param ends whether the communicator cannot go on
 * @param words for people: what happened, and what to do
 */
public record EventVerdict(boolean concerns, boolean ends, String words) {
    /**
     * Judges an event; asks the device only for what the event may have changed.
     *
     * @param event of the device, the port, or one of the communicator's own queue pairs and completion queues
     * @param ours the port that the communicator uses, as it was when it connected
     * @param context of its device
     */
    public static EventVerdict of(final AsyncEvent event, final UsablePort ours, final Context context,
            final VerbsSettings settings) {
        final int port = ours.name().port();
        try {
            final boolean portChanged = event.type() == AsyncEventType.PORT_ERR
                    || event.type() == AsyncEventType.LID_CHANGE;
            final PortAttributes now = portChanged ? context.port(port) : ours.attributes();
            final List<GidEntry> gids = event.type() == AsyncEventType.GID_CHANGE ? context.gids(port) : List.of();
            return new EventJudge(event, ours, now, gids, settings).verdict();
        } catch (final VerbsException e) {
            return new EventVerdict(true, true,
                    ours.name() + ": after an event (" + event.type().meaning() + ") it cannot be asked for its state: "
                            + e.getMessage());
        }
    }
}
