package org.chagres.bench.verbs.perf;

/** Called by a loop that polled in vain. */
interface Idle {
    /**
     * Ends the loop, by an exception, if there is no point in going on.
     *
     * @param done how many operations are done so far
     */
    void idle(long done);
}
