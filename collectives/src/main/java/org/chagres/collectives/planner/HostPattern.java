package org.chagres.collectives.planner;

/** How hosts exchange data. */
enum HostPattern {
    /** With their neighbours only, round a ring: the fewest bytes. */
    RING,
    /** Each with each other: the fewest hops. */
    DIRECT;

    /** In a reduction, for whom {@code host} combines in step {@code step}; in the last one for itself. */
    int home(final Lanes lanes, final int host, final int step) {
        return this == RING ? lanes.shift(host, -1 - step) : lanes.shift(host, 1 + step);
    }

    /** The first step in which {@code host} has input of other hosts to combine with its own. */
    boolean receives(final Lanes lanes, final int step) {
        return this == RING ? step > 0 : step == lanes.hosts() - 1;
    }
}
