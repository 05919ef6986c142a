package org.chagres.collectives.plan;

/**
 * What the communicator offers to every plan, equal on all ranks.
 *
 * @param chunkBytes the preferred piece for pipelining, so that what is in flight stays in the caches
 * @param scratchBytes bytes of {@link Space#SCRATCH} of one rank
 * @param inboxBytes the largest message that an {@link Scratch#INBOX} slot takes
 * @param channels independent channels, at least 1
 */
public record Limits(long chunkBytes, long scratchBytes, long inboxBytes, int channels) {
    /** Signals that one channel may raise at one peer within one plan. */
    public static final int MAX_SIGNALS = 1 << 20;

    public Limits {
        if (chunkBytes < 64 || scratchBytes < chunkBytes || inboxBytes < 0 || channels < 1) {
            throw new IllegalArgumentException(
                    "limits make no sense: chunk " + chunkBytes + " B (at least 64), scratch " + scratchBytes
                            + " B (at least a chunk), inbox " + inboxBytes + " B (at least 0), channels " + channels
                            + " (at least 1)");
        }
    }
}
