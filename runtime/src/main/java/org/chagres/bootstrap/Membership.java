package org.chagres.bootstrap;

import java.time.Duration;

/**
 * One rank's place in a world, and the slow, reliable control plane by which ranks set up everything fast, tell each other what went wrong, and find out
 * who is still there. Ranks are those of this membership. Any thread may call.
 */
public interface Membership extends AutoCloseable {
    int rank();

    int size();

    /** Ranks on this host, this one included. */
    int localSize();

    /** Who {@code rank} is. */
    Peer peer(int rank);

    /**
     * Sends a control message. Messages to one rank arrive in order, or that rank is seen to have failed or left. Never blocks; a message to a rank that is
     * gone goes nowhere.
     *
     * @param topic whose mailbox it goes to at the peer
     * @param body at most {@value #MAX_MESSAGE_BYTES} bytes
     */
    void send(int rank, long topic, byte[] body);

    /** The longest control message. */
    int MAX_MESSAGE_BYTES = 1 << 20;

    /** The mailbox of {@code topic}; it stays until {@link #forget}. Topics are 64-bit names that all ranks derive alike. */
    Mailbox mailbox(long topic);

    /** Drops the mailbox of {@code topic} with what is in it, and whatever comes for it later. */
    void forget(long topic);

    /** How data connections to the members are made. */
    DataConnections connections();

    /** How many ranks have failed. Cheap enough to poll. */
    int failures();

    /** The first failure of a rank of this membership that has become known, or null. Cheap enough to poll. */
    PeerFailure failure();

    /** How {@code rank} failed, or null if it is not known to have. */
    PeerFailure failureOf(int rank);

    /** Whether {@code rank} is known to have left in good order: whoever waits for it waits in vain. Cheap enough to poll. */
    boolean hasLeft(int rank);

    /** Counts {@code rank} as failed from now on and cuts it off; if it still runs, it learns that this rank failed for it, with {@code reason}. */
    void expel(int rank, String reason);

    /**
     * Whether the process of {@code rank} reacts within {@code patience}, whatever its ranks' threads are doing: a stopped process or an unreachable host does
     * not.
     */
    boolean responds(int rank, Duration patience);

    /** Leaves the world; peers see it as an orderly end, not a failure. */
    @Override
    void close();
}
