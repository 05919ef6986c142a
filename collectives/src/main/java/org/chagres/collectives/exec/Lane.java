package org.chagres.collectives.exec;

import java.util.List;
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
    /** The last operation that each peer was shown while this rank waited, so that it is shown once. */
    final long[] shown;
    /** Whether operations that do not bring all ranks together by themselves end with a roll call. */
    boolean rollCalls;
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
        this.shown = new long[links.length];
        this.control = control;
        this.layout = layout;
    }

    /** The number of operations begun. */
    public long sequence() {
        return sequence;
    }

    /**
     * From now on every operation ends only when all ranks are seen to have begun the same one, also where a plan's own signals would not show it, such as
     * in a broadcast, whose root could be done before anyone else has called it. All ranks of the lane must choose alike, before the first operation.
     */
    public void callRoll() {
        rollCalls = true;
    }

    /** For error messages: how far peer {@code p} is known to be in this lane. */
    public String reached(final int p, final List<String> algorithms) {
        final Link link = links[p];
        final StringBuilder text = new StringBuilder(80).append("has completed number ").append(link.completed());
        for (long s = sequence + 1; s >= Math.max(1, sequence - 1); s--) {
            final long seen = seen(link, s);
            if (seen != 0) {
                return text.append(" and last told of number ")
                        .append(s)
                        .append(", ")
                        .append(Fingerprint.describe(seen, algorithms))
                        .toString();
            }
        }
        return text.toString();
    }

    /** The fingerprint by which a peer has made operation {@code sequence} known here; 0 if it has not. */
    static long seen(final Link link, final long sequence) {
        final long delivered = link.deliveredFingerprint(sequence);
        return delivered == 0 && link.announcedSequence(sequence) == sequence
                ? link.announcedFingerprint(sequence)
                : delivered;
    }

    long scratch(final long sequence) {
        return control + layout.scratch(sequence);
    }

    /**
     * Ends operation {@code sequence}.
     *
     * @param synchronizing whether every peer has begun it and hence completed the one before, by the plan or by the roll call
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
