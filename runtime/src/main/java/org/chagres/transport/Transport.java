package org.chagres.transport;

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

    /** Brings to the peers what they were given, as long as that moves on, then cuts the connections. */
    @Override
    void close();
}
