package org.chagres.bootstrap;

import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * Makes the TCP connections over which data flows: authenticated with the world's secret, so that whoever gets one knows which rank is at the other end.
 * A connection is a descriptor of a connected, non-blocking socket without Nagle's delay; whoever gets it must close it. Any thread may call.
 */
public interface DataConnections {
    /**
     * Where this rank accepts connections; for others to give to {@link #connect}. An address of all zeros stands for the one by which the peer's host is
     * reached.
     */
    InetSocketAddress address();

    /**
     * Connects to {@code peer}, which must accept with the same topic and index.
     *
     * @param at the peer's {@link #address}
     * @param topic what the connection is for: the communicator's id
     * @param index which of several connections between the two
     * @throws JoinException if the peer cannot be reached, refuses, or fails meanwhile
     */
    int connect(InetSocketAddress at, int peer, long topic, int index, Duration timeout);

    /**
     * Waits for {@code peer} to {@link #connect}.
     *
     * @throws JoinException if it does not in time, or fails meanwhile
     */
    default int accept(final int peer, final long topic, final int index, final Duration timeout) {
        return accept(peer, topic, index, timeout, () -> {
        });
    }

    /**
     * {@link #accept(int, long, int, Duration)} that also gives up when {@code check}, called now and then, throws a {@link JoinException}: because of the
     * failure of another rank, say, that keeps {@code peer} from connecting.
     */
    int accept(int peer, long topic, int index, Duration timeout, Runnable check);
}
