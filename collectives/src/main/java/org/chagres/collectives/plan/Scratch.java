package org.chagres.collectives.plan;

/** How the scratch of a plan lies in memory. */
public enum Scratch {
    /** One array of elements, laid out as the planner likes. */
    HEAP,
    /**
     * One slot of {@code count} elements for each source rank (slot r starts at {@code r * count}), each filled by a single signalled put of
     * that rank, so that data and signal can travel in the same cache line, packet or work request. Every put of such a plan goes to a slot,
     * each rank sends at most one message to each peer, and a {@link Step.Signal} is a message without data. There is one channel.
     */
    INBOX
}
