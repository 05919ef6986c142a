package org.chagres.collectives.plan;

/**
 * What all ranks of a collective agree on, and all that a planner may look at.
 *
 * @param size ranks in the communicator, at least 1
 * @param root the root of a rooted collective, else 0
 * @param count elements, as {@link Collective} defines
 * @param elementSize bytes of an element
 */
public record Shape(Collective collective, int size, int root, long count, int elementSize) {
    /** {@link #inPlaceOffset} of a collective that has no in-place form of its own. */
    public static final long NOT_IN_PLACE = Long.MIN_VALUE;

    public Shape {
        if (size < 1) {
            throw new IllegalArgumentException("a world of " + size + " ranks: there must be at least 1");
        }
        if (root < 0 || root >= size) {
            throw new IllegalArgumentException("root " + root + " is out of range: ranks are 0.." + (size - 1));
        }
        if (count < 0) {
            throw new IllegalArgumentException("count " + count + " is negative: it must be 0 or more");
        }
        if (count > Long.MAX_VALUE / size / elementSize) {
            throw new IllegalArgumentException(
                    "count " + count + " overflows 64 bits: " + size + " ranks x " + elementSize
                            + " bytes x count must stay below 2^63");
        }
    }

    /** Elements that {@code rank} reads from {@link Space#SEND}. */
    public long sendCount(final int rank) {
        return switch (collective) {
            case ALL_REDUCE, REDUCE, ALL_GATHER, GATHER -> count;
            case BROADCAST -> rank == root ? count : 0;
            case REDUCE_SCATTER, ALL_TO_ALL -> count * size;
            case SCATTER -> rank == root ? count * size : 0;
            case BARRIER -> 0;
            case SEND_RECV -> rank == 0 ? count : 0;
        };
    }

    /** Elements that {@code rank} writes to {@link Space#RECV}. */
    public long recvCount(final int rank) {
        return switch (collective) {
            case ALL_REDUCE, BROADCAST, REDUCE_SCATTER, SCATTER -> count;
            case REDUCE -> rank == root ? count : 0;
            case ALL_GATHER, ALL_TO_ALL -> count * size;
            case GATHER -> rank == root ? count * size : 0;
            case BARRIER -> 0;
            case SEND_RECV -> rank == 1 ? count : 0;
        };
    }

    /**
     * Where {@link Space#SEND} starts relative to {@link Space#RECV}, in elements, when {@code rank} computes in place (negative if before
     * it), or {@link #NOT_IN_PLACE}. A rank whose send or receive count is 0 is always valid in place. Every plan must be right whichever of
     * the ranks are in place.
     */
    public long inPlaceOffset(final int rank) {
        return switch (collective) {
            case ALL_REDUCE, BROADCAST, REDUCE -> 0;
            case ALL_GATHER, GATHER -> rank * count;
            case REDUCE_SCATTER, SCATTER -> -rank * count;
            case ALL_TO_ALL, BARRIER, SEND_RECV -> NOT_IN_PLACE;
        };
    }

    /** Bytes of {@link #count}. */
    public long bytes() {
        return count * elementSize;
    }
}
