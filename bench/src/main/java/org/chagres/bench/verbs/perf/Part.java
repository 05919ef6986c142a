package org.chagres.bench.verbs.perf;

/** What one end does in a test. Used by one thread; the peer runs its own part at the same time. */
interface Part {
    /** Makes ready for messages of {@code size} bytes. The other end begins only after both are ready. */
    void prepare(int size, int iterations);

    /** All operations, from the first that is posted to the last that has completed. Allocates nothing. */
    void run();

    /** A part that is measured. */
    interface Measured extends Part {
        /** What the last {@link #run} took. */
        PerfResult result();
    }

    /** The part of an end whose device does all the work. */
    Part PASSIVE = new Part() {
        @Override
        public void prepare(final int size, final int iterations) {
            // Its memory is all that is needed.
        }

        @Override
        public void run() {
            // The device answers by itself.
        }
    };

    /** The client's part of a test. */
    static Measured ofClient(final PerfEnd end, final Idle idle) {
        if (!end.settings().latency()) {
            return new Bandwidth(end, idle);
        }
        return switch (end.settings().verb()) {
            case WRITE -> new WriteLatency(end, idle, true);
            case SEND -> new SendLatency(end, idle, true);
            case READ, ATOMIC -> new ResponseLatency(end, idle);
        };
    }

    /** The server's part of a test. */
    static Part ofServer(final PerfEnd end, final Idle idle) {
        return switch (end.settings().verb()) {
            case WRITE -> end.settings().latency() ? new WriteLatency(end, idle, false) : PASSIVE;
            case SEND -> end.settings().latency() ? new SendLatency(end, idle, false) : new SendSink(end, idle);
            case READ, ATOMIC -> PASSIVE;
        };
    }
}
