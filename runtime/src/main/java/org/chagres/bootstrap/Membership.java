package org.chagres.bootstrap;

/** One rank's place in a world, and the slow, reliable exchange by which ranks set up everything fast. */
public interface Membership extends AutoCloseable {
    int rank();

    int size();

    /** Ranks on this host, this one included. */
    int localSize();

    /**
     * Gives {@code mine} to all ranks and returns everyone's, by rank. All ranks must call it, in the same order.
     *
     * @throws JoinException if a rank does not take part in time, or the world has failed
     */
    byte[][] allGather(byte[] mine);

    /** The first failure of a rank of this world that has become known, or null. Cheap enough to poll. */
    PeerFailure failure();

    /** Whether {@code rank} is known to have left in good order: whoever waits for it waits in vain. Cheap enough to poll. */
    boolean hasLeft(int rank);

    /** Leaves the world; peers see it as an orderly end, not a failure. */
    @Override
    void close();
}
