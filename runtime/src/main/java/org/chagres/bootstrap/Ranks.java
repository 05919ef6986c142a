package org.chagres.bootstrap;

import java.util.List;

/** Lists of ranks in messages. */
final class Ranks {
    private static final int MOST = 32;

    private Ranks() {
    }

    /** {@code [1, 2, 5]}, cut where nobody would read on. */
    static String list(final List<Integer> ranks) {
        return ranks.size() <= MOST
                ? ranks.toString()
                : ranks.subList(0, MOST) + " and " + (ranks.size() - MOST) + " more";
    }
}
