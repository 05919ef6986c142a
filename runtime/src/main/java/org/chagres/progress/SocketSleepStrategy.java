package org.chagres.progress;

import java.util.function.LongConsumer;
import org.agrona.concurrent.IdleStrategy;

/** Polls for about as long as a peer on the same network takes to answer, then sleeps until data come, in turns of at most a millisecond. */
final class SocketSleepStrategy implements IdleStrategy {
    private static final int POLLS_BEFORE_SLEEP = 100;

    private final LongConsumer sleeper;
    private final long mostNanos;
    private int polls;

    /** @param sleeper waits for data, but not longer than the nanoseconds that it gets */
    SocketSleepStrategy(final LongConsumer sleeper, final long mostNanos) {
        this.sleeper = sleeper;
        this.mostNanos = mostNanos;
    }

    @Override
    public void idle(final int workCount) {
        if (workCount > 0) {
            reset();
        } else {
            idle();
        }
    }

    @Override
    public void idle() {
        polls++;
        if (polls > POLLS_BEFORE_SLEEP) {
            sleeper.accept(mostNanos);
        } else {
            Thread.onSpinWait();
        }
    }

    @Override
    public void reset() {
        polls = 0;
    }

    @Override
    public String alias() {
        return "sleep-sockets";
    }
}
