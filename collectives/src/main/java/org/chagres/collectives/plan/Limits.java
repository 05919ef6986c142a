package org.chagres.collectives.plan;

/**
 * What the communicator offers to every plan, equal on all ranks.
 *
 * @param chunkBytes the preferred piece for pipelining, so that what is in flight stays in the caches
 * @param scratchBytes bytes of {@link Space#SCRATCH} of one rank
 * @param inboxBytes the largest message that an {@link Scratch#INBOX} slot takes
 * @param channels independent channels, at least 1
 * @param topology which ranks share a host
 */
public record Limits(long chunkBytes, long scratchBytes, long inboxBytes, int channels, Topology topology) {
    /** Signals that one channel may raise at one peer within one plan. */
    public static final int MAX_SIGNALS = 1 << 20;
    /** Operands of one {@link Step.Reduce}: combined in one pass with one rounding, which is no faster for more. */
    public static final int MAX_OPERANDS = 32;

    public Limits {
        if (chunkBytes < 64 || scratchBytes < chunkBytes || inboxBytes < 0 || channels < 1) {
            throw new IllegalArgumentException(
                    "limits make no sense: chunk " + chunkBytes + " B (at least 64), scratch " + scratchBytes
                            + " B (at least a chunk), inbox " + inboxBytes + " B (at least 0), channels " + channels
                            + " (at least 1)");
        }
    }

    /** Limits of ranks that all share one host. */
    public Limits(final long chunkBytes, final long scratchBytes, final long inboxBytes, final int channels) {
        this(chunkBytes, scratchBytes, inboxBytes, channels, Topology.ONE_HOST);
    }

    /** The same for ranks placed otherwise. */
    public Limits on(final Topology other) {
        return new Limits(chunkBytes, scratchBytes, inboxBytes, channels, other);
    }
}
