package org.chagres.verbs;

/** Receive requests that several queue pairs take from. Owned by a protection domain; the queue pairs that use it are closed before it. */
public interface SharedReceiveQueue extends VerbsObject {
    /** The domain that it belongs to. */
    ProtectionDomain protectionDomain();

    /** How many requests it holds. */
    int maxWr();

    /** Scatter entries that a request may have. */
    int maxSge();

    /**
     * Posts receive requests; see {@link QueuePair#postReceive}.
     *
     * @throws VerbsException if one was refused; those before it are posted
     */
    void postReceive(ReceiveRequest... requests);

    /**
     * Lays receive requests out for the hot path.
     *
     * @param slots how many
     * @param scatterEntries for each; 0 if they only take immediate values
     * @return closed with this queue
     */
    PreparedReceives prepareReceives(int slots, int scatterEntries);

    /** Asks for one {@link AsyncEventType#SRQ_LIMIT_REACHED} when fewer than {@code limit} requests are left; 0 asks for none. */
    void armLimit(int limit);

    /** The limit that is armed; 0 once it was reached. */
    int limit();
}
