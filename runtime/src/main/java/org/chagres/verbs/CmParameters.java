package org.chagres.verbs;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/**
 * What an end of a connection wants, or got from its peer ({@code rdma_conn_param}).
 *
 * @param privateData bytes for the peer: at most {@value #MAX_CONNECT_DATA} to connect, {@value #MAX_ACCEPT_DATA} to accept
 * @param responderResources the peer's RDMA reads and atomics served at a time, 0 to 255
 * @param initiatorDepth own RDMA reads and atomics in flight at a time, 0 to 255
 * @param retryCount repeats when no acknowledgement comes, 0 to 7
 * @param rnrRetryCount repeats when there is no receive request, 0 to 7, where 7 is for ever
 * @param queuePairNumber of a queue pair not made by {@link CmId#createQueuePair}; else ignored
 * @param sharedReceiveQueue whether that queue pair has a shared receive queue
 */
public record CmParameters(MemorySegment privateData, int responderResources, int initiatorDepth, int retryCount,
        int rnrRetryCount,
        int queuePairNumber, boolean sharedReceiveQueue) {
    /** The most private data of {@link CmId#connect}, in the TCP port space. */
    public static final int MAX_CONNECT_DATA = 56;
    /** The most private data of {@link CmId#accept}. */
    public static final int MAX_ACCEPT_DATA = 196;
    /** The most private data of {@link CmId#reject}. */
    public static final int MAX_REJECT_DATA = 148;

    private static final MemorySegment NO_DATA = MemorySegment.ofArray(new byte[0]).asReadOnly();

    /** Checks that all numbers fit their fields. */
    public CmParameters {
        Objects.requireNonNull(privateData, "privateData");
        Range.check("responderResources", responderResources, 0, 255);
        Range.check("initiatorDepth", initiatorDepth, 0, 255);
        Range.check("retryCount", retryCount, 0, 7);
        Range.check("rnrRetryCount", rnrRetryCount, 0, 7);
        Range.check("queuePairNumber", queuePairNumber, 0, Range.MAX_24);
    }

    /** One RDMA read in flight each way, all repeats, no private data. */
    public static CmParameters defaults() {
        return new CmParameters(NO_DATA, 1, 1, 7, 7, 0, false);
    }

    /** With private data; copied. */
    public CmParameters privateData(final byte[] data) {
        return new CmParameters(MemorySegment.ofArray(data.clone()).asReadOnly(), responderResources, initiatorDepth,
                retryCount, rnrRetryCount,
                queuePairNumber, sharedReceiveQueue);
    }

    /** With so many RDMA reads and atomics in flight, each way. */
    public CmParameters readsInFlight(final int count) {
        return new CmParameters(privateData, count, count, retryCount, rnrRetryCount, queuePairNumber,
                sharedReceiveQueue);
    }

    /** The private data as bytes; a copy. */
    public byte[] privateBytes() {
        return privateData.toArray(ValueLayout.JAVA_BYTE);
    }
}
