package org.chagres.transport;

import java.util.function.LongConsumer;

/**
 * What drives the links of one communicator over one kind of wire. Used by one thread at a time, the one that uses the links.
 */
public interface Transport extends AutoCloseable {
    /**
     * Moves what can be moved without waiting, in both directions; returns whether anything moved.
     *
     * @throws LinkException if a connection broke, or a peer broke the protocol
     */
    boolean poll();

    /**
     * A new way to wait without polling until something may have moved, but not longer than the nanoseconds that it is given. Each waiting thread needs
     * its own.
     */
    LongConsumer sleeper();

    /** Brings to the peers what they were given, as long as that moves on, then cuts the connections. */
    @Override
    void close();
}
