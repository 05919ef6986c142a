package org.chagres.collectives.planner;

/** How much of a cargo is for some homes. */
record Volume(long items, long elements, long groups) {
    /** On lane {@code lane}, for all homes but {@code except}, or for all if that is -1. */
    static Volume of(final Cargo cargo, final Lanes lanes, final int lane, final int except, final int group) {
        Volume sum = new Volume(0, 0, 0);
        for (int home = 0; home < lanes.hosts(); home++) {
            if (home != except) {
                final Volume one = at(cargo, home, lane, group);
                sum = new Volume(sum.items + one.items, sum.elements + one.elements, sum.groups + one.groups);
            }
        }
        return sum;
    }

    /** On lane {@code lane} for home {@code home}. */
    static Volume at(final Cargo cargo, final int home, final int lane, final int group) {
        final int items = cargo.items(home, lane).size();
        return new Volume(items, cargo.elements(home, lane), (items + group - 1) / group);
    }
}
