package org.chagres.verbs;

import java.util.Optional;

/**
 * A send queue and a receive queue: what requests are posted to. Owned by a protection domain; uses completion queues, and perhaps a shared receive
 * queue, which are closed after it.
 *
 * <p>Made in the state RESET; {@link #connect} makes a connected one usable, {@link #activate} one for datagrams, {@link #modify} does every step.
 */
public interface QueuePair extends VerbsObject {
    /** The domain that it belongs to. */
    ProtectionDomain protectionDomain();

    /** Its number on its device, 24 bits. */
    int number();

    /** The transport service. */
    QueuePairType type();

    /** Where its send requests complete. */
    CompletionQueue sendQueue();

    /** Where its receive requests complete. */
    CompletionQueue receiveQueue();

    /** Where it takes receive requests from, if not from a queue of its own. */
    Optional<SharedReceiveQueue> sharedReceiveQueue();

    /** What the device granted. */
    QueuePairCapacities capacities();

    /** The state as last known here: the device may have moved it to ERR or SQE since, which {@link #query} tells. */
    QueuePairState state();

    /** All attributes, as the device has them now; also brings {@link #state} up to date. */
    QueuePairAttributes query();

    /**
     * Sets attributes, usually with a transition to another state.
     *
     * @throws IllegalTransitionException if the transition does not exist from the present state, or lacks attributes, or does not take some
     * @throws VerbsException if the device refuses: the message ranks the causes, such as a wrong GID index
     */
    void modify(QueuePairAttributes attributes);

    /** This end of a connection to be, with a random packet sequence number: for the peer, and for {@link #connect}. */
    default Endpoint endpoint(final ConnectionOptions options) {
        return Connecting.endpoint(this, options);
    }

    /** From RESET to INIT: binds it to a port, and lets the peer do what the options say. Receives can be posted then. */
    default void initialize(final ConnectionOptions options) {
        Connecting.initialize(this, options);
    }

    /** From INIT to RTR: tells it its peer. */
    default void readyToReceive(final Endpoint remote, final ConnectionOptions options) {
        Connecting.readyToReceive(this, remote, options);
    }

    /**
     * From RTR to RTS.
     *
     * @param packetSequenceNumber that of the own {@link #endpoint}
     */
    default void readyToSend(final int packetSequenceNumber, final ConnectionOptions options) {
        Connecting.readyToSend(this, packetSequenceNumber, options);
    }

    /**
     * All the way to RTS; from RESET, or from INIT if receives had to be posted before the peer may send.
     *
     * @param local this end, as the peer got it
     * @param remote the peer's end
     */
    default void connect(final Endpoint local, final Endpoint remote, final ConnectionOptions options) {
        if (state() == QueuePairState.RESET) {
            initialize(options);
        }
        readyToReceive(remote, options);
        readyToSend(local.packetSequenceNumber(), options);
    }

    /** Connects it to itself: what it writes, it writes into its own process's memory. For trying things out. */
    default void connectLoopback() {
        final ConnectionOptions options = ConnectionOptions.defaults();
        final Endpoint end = endpoint(options);
        connect(end, end, options);
    }

    /**
     * Makes a UD queue pair ready to send and receive, from RESET to RTS.
     *
     * @param port the port to use
     * @param qkey what datagrams to it must carry
     */
    default void activate(final int port, final int qkey) {
        Connecting.activateDatagrams(this, port, qkey);
    }

    /** To RESET: what was posted vanishes without completions. */
    default void reset() {
        modify(QueuePairAttributes.to(QueuePairState.RESET));
    }

    /** To ERR: what was posted completes with WR_FLUSH_ERR. */
    default void error() {
        modify(QueuePairAttributes.to(QueuePairState.ERR));
    }

    /**
     * Posts send requests, in this order, in one call.
     *
     * @throws IllegalStateException if the state does not allow it, or the memory of a slice was freed or is no longer registered
     * @throws IllegalArgumentException if a request does not fit the queue pair: its type, its entries, its inline size; nothing was posted
     * @throws VerbsException if the device refuses one, as when the queue is full; the message says which: those before it are posted
     */
    void post(SendRequest... requests);

    /**
     * Posts receive requests, in this order, in one call. Legal from INIT on.
     *
     * @throws IllegalStateException if the state does not allow it, or the queue pair has a shared receive queue
     * @throws IllegalArgumentException if a request does not fit the queue pair; nothing was posted
     * @throws VerbsException if the device refuses one; those before it are posted
     */
    void postReceive(ReceiveRequest... requests);

    /**
     * Lays send requests out for the hot path.
     *
     * @param slots how many
     * @param gatherEntries local entries of each
     * @return closed with this queue pair
     */
    PreparedSends prepareSends(int slots, int gatherEntries);

    /**
     * Lays receive requests out for the hot path.
     *
     * @param slots how many
     * @param scatterEntries local entries of each; 0 if they only take immediate values
     * @return closed with this queue pair
     */
    PreparedReceives prepareReceives(int slots, int scatterEntries);
}
