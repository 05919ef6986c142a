package org.chagres.verbs;

/**
 * Send requests laid out once, patched and posted without allocating: the hot path. Owned by a queue pair; used by one thread at a time.
 *
 * <p>Slots are numbered from 0 on and linked in a ring. A setter fills a whole slot with a request of one local entry; {@link #entry} adds more;
 * {@link #post} posts slots that follow each other. A slot may be filled again as soon as it was posted. Neither addresses nor lengths nor flags are
 * checked here: the device refuses what is wrong, with an error number or a failed completion. A slot that does not exist is an
 * {@link IndexOutOfBoundsException}, use after close an {@link IllegalStateException}.
 *
 * <p>{@code flags} are bits of {@link #FENCE}, {@link #SIGNALED}, {@link #SOLICITED} and {@link #INLINE}. Immediate values are in host byte order.
 * Lengths are unsigned: up to 4 GiB - 1, or what the port takes.
 */
public interface PreparedSends extends VerbsObject {
    /** The bit of {@link SendFlag#FENCE}. */
    int FENCE = 1;
    /** The bit of {@link SendFlag#SIGNALED}. */
    int SIGNALED = 1 << 1;
    /** The bit of {@link SendFlag#SOLICITED}. */
    int SOLICITED = 1 << 2;
    /** The bit of {@link SendFlag#INLINE}. */
    int INLINE = 1 << 3;

    /** The queue pair that it posts to. */
    QueuePair queuePair();

    /** How many slots there are. */
    int slots();

    /** Local entries that a slot has room for. */
    int gatherEntries();

    /** Fills a slot with a send. */
    void send(int slot, long id, long localAddress, int localKey, int length, int flags);

    /** Fills a slot with a send with immediate. */
    void sendWithImmediate(int slot, long id, long localAddress, int localKey, int length, int immediate, int flags);

    /** Fills a slot with an RDMA write. */
    void write(int slot, long id, long localAddress, int localKey, int length, long remoteAddress, int remoteKey,
            int flags);

    /** Fills a slot with an RDMA write with immediate. */
    void writeWithImmediate(int slot, long id, long localAddress, int localKey, int length, long remoteAddress,
            int remoteKey, int immediate, int flags);

    /** Fills a slot with an RDMA write of no data with an immediate value: a mere signal. */
    void signal(int slot, long id, int immediate, int flags);

    /** Fills a slot with an RDMA read. */
    void read(int slot, long id, long localAddress, int localKey, int length, long remoteAddress, int remoteKey,
            int flags);

    /** Fills a slot with an atomic addition to 8 bytes. */
    void fetchAndAdd(int slot, long id, long localAddress, int localKey, long remoteAddress, int remoteKey, long add,
            int flags);

    /** Fills a slot with an atomic compare-and-swap of 8 bytes. */
    void compareAndSwap(int slot, long id, long localAddress, int localKey, long remoteAddress, int remoteKey,
            long compare, long swap, int flags);

    /**
     * Sets local entry {@code entry} of a slot that is filled already; the request then has {@code entry + 1}.
     *
     * @param entry from 1 on, one after the other
     */
    void entry(int slot, int entry, long localAddress, int localKey, int length);

    /** Sets where a datagram goes, for a slot that is filled already with a send. */
    void destination(int slot, AddressHandle address, int queuePairNumber, int qkey);

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
