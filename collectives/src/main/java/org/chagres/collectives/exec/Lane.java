package org.chagres.collectives.exec;

import org.chagres.transport.ControlLayout;
import org.chagres.transport.Link;

/**
 * The links that one series of operations uses, by rank of the plan, and how far the series is. All ranks of a lane number its operations alike. Used
 * by one thread at a time.
 */
public final class Lane {
    /** Sequences are shifted by this to make signal values, so that values grow from operation to operation. */
    static final int SEQUENCE_SHIFT = 20;

    final int rank;
    final Link[] links;
    /** The last operation that each peer is known to have completed. */
    final long[] known;
    /** The last operation of which each peer's fingerprint was found equal. */
    final long[] verified;
    private final long control;
    private final ControlLayout layout;
    long sequence;
    /** Stands for all operations that this rank has finished, as {@link Fingerprint} describes. */
    long history;

    /**
     * @param rank this rank in the plans that run here
     * @param links by rank, null for this one; the lane does not own them
     * @param control the address of this rank's control region
     */
    public Lane(final int rank, final Link[] links, final long control, final ControlLayout layout) {
        this.rank = rank;
        this.links = links;
        this.known = new long[links.length];
        this.verified = new long[links.length];
        this.control = control;
        this.layout = layout;
    }

    /** The number of operations begun. */
    public long sequence() {
        return sequence;
    }

    long scratch(final long sequence) {
        return control + layout.scratch(sequence);
    }

    /**
     * Ends operation {@code sequence}.
     *
     * @param synchronizing whether every peer has begun it and hence completed the one before
     * @param fingerprint what it was
     */
    void complete(final long sequence, final boolean synchronizing, final long fingerprint) {
        history = Fingerprint.next(history, fingerprint);
        for (int p = 0; p < links.length; p++) {
            if (p != rank) {
                links[p].complete(sequence, !synchronizing);
                if (synchronizing && known[p] < sequence - 1) {
                    known[p] = sequence - 1;
                }
            }
        }
    }
}
