package org.chagres.verbs;

/**
 * Receive requests laid out once, patched and posted without allocating: the hot path. Owned by a queue pair or shared receive queue; used by one thread
 * at a time. Slots, checks and lengths are as in {@link PreparedSends}.
 */
public interface PreparedReceives extends VerbsObject {
    /** How many slots there are. */
    int slots();

    /** Local entries that a slot has room for. */
    int scatterEntries();

    /** Fills a slot with a request that has no memory: for immediate values that come with RDMA writes. */
    void receive(int slot, long id);

    /** Fills a slot with a request of one local entry. */
    void receive(int slot, long id, long localAddress, int localKey, int length);

    /**
     * Sets local entry {@code entry} of a slot that is filled already; the request then has {@code entry + 1}.
     *
     * @param entry from 1 on, one after the other
     */
    void entry(int slot, int entry, long localAddress, int localKey, int length);

    /**
     * Posts {@code count} slots from {@code first} on, past the last slot going on at slot 0, in one call.
     *
     * @param count from 1 to {@link #slots}
     * @return 0, or the error number of Linux: then only the first {@link #posted} were posted; ENOMEM (12) means that the queue is full
     */
    int post(int first, int count);

    /** How many slots the last {@link #post} posted, if it failed. */
    int posted();
}
