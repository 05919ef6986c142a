package org.chagres.bootstrap;

/**
 * Which rank a process is, before it is known where the others are.
 *
 * @param localRank among the ranks of this host, or -1 if the launcher does not tell
 * @param localSize ranks of this host, or -1 if the launcher does not tell
 */
record Place(int rank, int size, int localRank, int localSize) {
    /** The names of the variables that tell a place; the local ones may be unset, or empty if the launcher has none. */
    record Variables(String rank, String size, String localRank, String localSize) {
        /**
         * Reads and checks the variables.
         *
         * @param remedy who sets them, for the message if one is missing
         */
        Place read(final Environment environment, final String remedy) {
            final int worldSize = environment.number(size, 1, remedy);
            final Place place = new Place(environment.number(rank, 0, remedy), worldSize,
                    environment.optional(localRank, 0), environment.optional(localSize, 1));
            check(place);
            return place;
        }

        private void check(final Place place) {
            if (place.rank >= place.size) {
                throw contradiction(rank, place.rank, size, place.size, "ranks are 0.." + (place.size - 1));
            }
            if (place.localSize > place.size) {
                throw contradiction(localSize, place.localSize, size, place.size,
                        "a host cannot have more ranks than the world");
            }
            if (place.localSize > 0 && place.localRank >= place.localSize) {
                throw contradiction(localRank, place.localRank, localSize, place.localSize, "it counts from 0");
            }
            if (place.localRank >= place.size) {
                throw contradiction(localRank, place.localRank, size, place.size, "it counts from 0");
            }
        }
    }

    static IllegalArgumentException contradiction(final String name, final int value, final String other,
            final int otherValue, final String rule) {
        return new IllegalArgumentException(
                name + "=" + value + " contradicts " + other + "=" + otherValue + ": " + rule);
    }
}
