package org.chagres.verbs;

/**
 * Something that happened to a device, a port or an object outside of any request ({@code ibv_async_event}).
 *
 * @param type what happened
 * @param code the number of {@code ibv_event_type}; tells more where the type is UNKNOWN
 * @param source what it happened to: a {@link QueuePair}, {@link CompletionQueue} or {@link SharedReceiveQueue}, or else the {@link Context}
 * @param port the port that it happened to; 0 if it is not about a port
 */
public record AsyncEvent(AsyncEventType type, int code, VerbsObject source, int port) {
    /** One line for a person. */
    @Override
    public String toString() {
        return type + (type == AsyncEventType.UNKNOWN ? " (" + code + ")" : "") + " of " + source
                + (port == 0 ? "" : " port " + port) + ": "
                + type.meaning();
    }
}
