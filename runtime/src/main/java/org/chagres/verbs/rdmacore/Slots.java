package org.chagres.verbs.rdmacore;

import java.lang.foreign.Arena;

/** What prepared requests of all kinds have in common. */
final class Slots {
    /** Far beyond any queue. */
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

    /** The errno value of a post: providers differ in its sign. */
    static int errno(final int status) {
        return status < 0 ? -status : status;
    }

    /**
     * Waits until every thread has passed a safepoint, as the JVM makes sure whenever a shared arena is closed. A critical call holds safepoints up, so
     * no thread is inside a post or a poll that it began before.
     */
    static void awaitCriticalCalls() {
        Arena.ofShared().close();
    }
}
