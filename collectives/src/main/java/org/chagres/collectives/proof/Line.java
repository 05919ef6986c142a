package org.chagres.collectives.proof;

import java.util.ArrayList;
import java.util.List;

/** The signals from one rank to another on one channel. */
final class Line {
    /** A raised signal: who raised it and what that thread knew. */
    static final class Raised {
        final Place place;
        final long[] clock;
        final int depth;

        Raised(final Place place, final long[] clock, final int depth) {
            this.place = place;
            this.clock = clock;
            this.depth = depth;
        }
    }

    private final List<Raised> raised = new ArrayList<>();
    /** For each signal that has been awaited: the receiving thread's time when it knew. */
    private final List<Long> arrivals = new ArrayList<>();
    private Place unpublished;

    void raise(final Raised signal) {
        raised.add(signal);
        unpublished = null;
    }

    /** Notes a put that no signal follows yet. */
    void put(final Place place) {
        unpublished = place;
    }

    int raisedCount() {
        return raised.size();
    }

    /** Signal {@code ordinal}, from 1, known to the receiver from {@code time} on. */
    Raised arrive(final int ordinal, final long time) {
        while (arrivals.size() < ordinal) {
            arrivals.add(time);
        }
        return raised.get(ordinal - 1);
    }

    /** When the receiver knew of signal {@code ordinal}, or {@link Long#MAX_VALUE} if it has not awaited it. */
    long arrival(final int ordinal) {
        return ordinal <= arrivals.size() ? arrivals.get(ordinal - 1) : Long.MAX_VALUE;
    }

    /** Refuses what the receiver never learned of: it would disturb the next operation. */
    void checkMatched(final int receiver) {
        if (unpublished != null) {
            throw new ProofException(unpublished, "no signal to rank " + receiver + " publishes this put");
        }
        if (raised.size() > arrivals.size()) {
            throw new ProofException(raised.get(arrivals.size()).place,
                    "raises signal " + (arrivals.size() + 1) + " at rank "
                            + receiver + ", which awaits " + arrivals.size() + " of them: unmatched signal");
        }
    }
}
