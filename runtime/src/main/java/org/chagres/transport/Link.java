package org.chagres.transport;

/**
 * The connection from this rank to one peer within one communicator. Everything is one-sided and nothing blocks: a put places bytes into the
 * peer's memory, a signal is a 64-bit counter of the peer that this rank alone raises, and raising it publishes every earlier put.
 *
 * <p>Values of signals only grow. Both ends number their operations alike ({@code sequence}); its parity selects one of two generations of
 * every landing place, so that a rank one operation ahead does not disturb one that has not finished. A rank may write to a generation only
 * when {@link #completed} shows that the peer has finished the operation that used it last; see {@link #GENERATIONS}.
 *
 * <p>A link may take its time to read what it was given: the bytes at {@code from} must stay unchanged until {@link #flushed}, and no more may be given
 * while it is not {@link #writable}. A link that is driven by its {@link Transport} moves only while that is polled.
 *
 * <p>A link is used by one thread at a time. The methods of the hot path allocate nothing and throw only when the peer broke the protocol.
 */
public interface Link {
    /** Landing places alternate between this many generations; operation s may write once the peer has completed s - GENERATIONS. */
    int GENERATIONS = 2;

    /** The peer's rank in the communicator. */
    int peer();

    /** {@code shm}, {@code tcp}, {@code verbs}, ... */
    String transport();

    /**
     * Tells the peer, ahead of the first signal of an operation, what this rank is about to do and where its output lies.
     *
     * @param token the region that holds the output, 0 if there is none
     * @param offset where the output starts in that region, in bytes
     */
    void announce(long sequence, long fingerprint, long token, long offset);

    /** The operation that the peer last announced in the generation of {@code sequence}; 0 if none. */
    long announcedSequence(long sequence);

    /** The fingerprint that the peer announced for operation {@code sequence}. */
    long announcedFingerprint(long sequence);

    /** The token of the region that holds the peer's output; 0 if it has none. */
    long announcedToken(long sequence);

    /** Where the peer's output starts in that region, in bytes. */
    long announcedOffset(long sequence);

    /**
     * Whether this link takes another put, signal, announcement or message now. A false turns true after {@link Transport#poll}, as fast as the peer
     * and the wire take what was given before.
     */
    boolean writable();

    /** Whether all that was given has been read, so that its sources may change. */
    boolean flushed();

    /** The size in bytes in which puts that are computed piece by piece travel best. */
    long pieceBytes();

    /**
     * Writes {@code bytes} bytes at {@code from} to {@code offset} of the peer's region {@code token}.
     *
     * @throws org.chagres.memory.StaleTokenException if the region is gone or the range outside it; nothing was written
     */
    void put(long from, long token, long offset, long bytes);

    /** Where in the peer's memory its scratch lies: the token of the region. */
    long scratchToken();

    /** Where the scratch generation of operation {@code sequence} starts in the region {@link #scratchToken}, in bytes. */
    long scratchOffset(long sequence);

    /** Raises signal {@code channel} at the peer to {@code value}, for operation {@code sequence}, which must have been announced. */
    void signal(long sequence, int channel, long value);

    /** The value to which the peer has raised this rank's signal {@code channel} in the generation of operation {@code sequence}. */
    long raised(long sequence, int channel);

    /** Sends the one inbox message of operation {@code sequence}, at most {@link #inboxBytes} bytes at {@code from}. */
    void deliver(long sequence, long from, long bytes, long fingerprint);

    /** Whether the peer's inbox message of operation {@code sequence} lies here whole. Once it does, the next three may be asked. */
    boolean delivered(long sequence);

    /** The fingerprint of the message; 0 while nothing of operation {@code sequence} has come. */
    long deliveredFingerprint(long sequence);

    /** Where the message lies, until this rank completes the operation. */
    long deliveredAddress(long sequence);

    /** The length of the message. */
    long deliveredBytes(long sequence);

    /** The largest message that an inbox takes. */
    long inboxBytes();

    /**
     * Tells the peer that this rank has finished operation {@code sequence}, so that its generation may be written again.
     *
     * @param now whether the peer may need to know soon; else the news may wait for the next thing that travels
     */
    void complete(long sequence, boolean now);

    /** The last operation that the peer is known to have completed. */
    long completed();
}
