package org.chagres.bench.verbs.perf;

/** The slots of prepared requests that a bandwidth test goes round in, and which of them make a completion. */
final class Ring {
    private Ring() {
    }

    /** The fewest slots that a list to be posted fits into, and that a moderation divides: then the same slots always make the completions. */
    static int slots(final int moderation, final int postList) {
        return moderation * Math.ceilDiv(postList, moderation);
    }

    /** Whether the operation in {@code slot} makes a completion, for itself and all since the last that did. */
    static boolean signalled(final int slot, final int moderation) {
        return slot % moderation == moderation - 1;
    }

    /** The number of a request: how many operations its completion stands for, and of which queue pair. */
    static long id(final int queuePair, final int operations) {
        return (long) queuePair << Integer.SIZE | operations;
    }

    static int queuePair(final long id) {
        return (int) (id >>> Integer.SIZE);
    }

    static int operations(final long id) {
        return (int) id;
    }
}
