package org.chagres.collectives.proof;

/**
 * A write, and what it takes to know that it has happened: the writing thread's clock if a rank wrote its own memory; a signal's arrival if a
 * peer put it, for only the signal that follows a put tells that its data has come.
 *
 * @param place the writing step
 * @param time of the writing thread, for a local write
 * @param ordinal of the signal that publishes a put; 0 for a local write
 */
record Access(Place place, long time, int ordinal) {
    boolean remote() {
        return ordinal > 0;
    }
}
