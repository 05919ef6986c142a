package org.chagres.verbs;

/** Queue pairs of one process that talk to each other. */
public final class QueuePairs {
    private QueuePairs() {
    }

    /** Connects two queue pairs of the same type, on one device or two; both go to RTS. */
    public static void connect(final QueuePair a, final QueuePair b, final ConnectionOptions options) {
        final Endpoint endOfA = a.endpoint(options);
        final Endpoint endOfB = b.endpoint(options);
        a.connect(endOfA, endOfB, options);
        b.connect(endOfB, endOfA, options);
    }

    /** Connects two queue pairs with {@link ConnectionOptions#defaults}. */
    public static void connect(final QueuePair a, final QueuePair b) {
        connect(a, b, ConnectionOptions.defaults());
    }
}
