package org.chagres.transport;

import java.util.function.LongConsumer;

/** Two transports of one communicator as one; polling lets both move. */
public final class CombinedTransport implements Transport {
    private final Transport first;
    private final Transport second;

    /** Both are closed with this object, in this order. */
    public CombinedTransport(final Transport first, final Transport second) {
        this.first = first;
        this.second = second;
    }

    @Override
    public boolean poll() {
        final boolean moved = first.poll();
        return second.poll() || moved;
    }

    /** That of the second: what the first alone could tell is found when the wait is over. */
    @Override
    public LongConsumer sleeper() {
        return second.sleeper();
    }

    @Override
    public void close() {
        try {
            first.close();
        } finally {
            second.close();
        }
    }
}
