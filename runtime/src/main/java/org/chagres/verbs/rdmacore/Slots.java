package org.chagres.verbs.rdmacore;

/** Ranges of a ring of slots, and what a failed post says about them. */
final class Slots {
    /** Where a table would no longer fit an array's index; far beyond any queue. */
    private static final int MOST = 1 << 20;

    private Slots() {
    }

    /** Checks what a table is asked for. */
    static void check(final NativeObject queue, final int slots, final int entries, final int maxEntries) {
        if (slots < 1 || slots > MOST) {
            throw new IllegalArgumentException(slots + " slots for " + queue + ": 1 to " + MOST + " can be prepared");
        }
        if (entries < 0 || entries > maxEntries) {
            throw new IllegalArgumentException(
                    entries + " local entries for each request of " + queue + ", which was made for " + maxEntries);
        }
    }

    /** The last of {@code count} slots from {@code first} on. */
    static int last(final int first, final int count, final int slots) {
        if (first < 0 || first >= slots || count < 1 || count > slots) {
            throw outOfBounds(first, count, slots);
        }
        final int last = first + count - 1;
        return last < slots ? last : last - slots;
    }

    private static IndexOutOfBoundsException outOfBounds(final int first, final int count, final int slots) {
        return new IndexOutOfBoundsException(count + " slots from " + first + " on, of " + slots);
    }

    /** How many of the slots from {@code first} on come before {@code bad}; none if that is unknown. */
    static int before(final int bad, final int first, final int slots) {
        return bad < 0 ? 0 : Math.floorMod(bad - first, slots);
    }

    /** The errno value of a post: providers differ in its sign. */
    static int errno(final int status) {
        return status < 0 ? -status : status;
    }
}
