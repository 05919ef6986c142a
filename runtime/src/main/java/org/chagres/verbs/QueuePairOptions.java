package org.chagres.verbs;

import java.util.Objects;
import java.util.Optional;

/**
 * What a queue pair is made of ({@code ibv_qp_init_attr}). Start with {@link #rc}, {@link #uc} or {@link #ud}, and change what is needed; each change is
 * a new value.
 *
 * @param type the transport service
 * @param sendQueue where its send requests complete
 * @param receiveQueue where its receive requests complete; may be the same
 * @param sharedReceiveQueue where it takes receive requests from, instead of a queue of its own
 * @param capacities at least so much
 * @param signalAll whether every send request makes a completion, {@link SendFlag#SIGNALED} or not
 */
public record QueuePairOptions(QueuePairType type, CompletionQueue sendQueue, CompletionQueue receiveQueue,
        Optional<SharedReceiveQueue> sharedReceiveQueue, QueuePairCapacities capacities, boolean signalAll) {
    private static final QueuePairCapacities DEFAULT = new QueuePairCapacities(64, 64, 1, 1, 0);

    /** Checks that nothing is missing. */
    public QueuePairOptions {
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(sendQueue, "sendQueue");
        Objects.requireNonNull(receiveQueue, "receiveQueue");
        Objects.requireNonNull(sharedReceiveQueue, "sharedReceiveQueue");
        Objects.requireNonNull(capacities, "capacities");
    }

    /** A reliable connection whose requests all complete on {@code queue}; 64 requests of one entry each way. */
    public static QueuePairOptions rc(final CompletionQueue queue) {
        return of(QueuePairType.RC, queue);
    }

    /** An unreliable connection; see {@link #rc}. */
    public static QueuePairOptions uc(final CompletionQueue queue) {
        return of(QueuePairType.UC, queue);
    }

    /** Unreliable datagrams; see {@link #rc}. */
    public static QueuePairOptions ud(final CompletionQueue queue) {
        return of(QueuePairType.UD, queue);
    }

    /** Any type; see {@link #rc}. */
    public static QueuePairOptions of(final QueuePairType type, final CompletionQueue queue) {
        return new QueuePairOptions(type, queue, queue, Optional.empty(), DEFAULT, false);
    }

    /** Receive requests complete on {@code queue}. */
    public QueuePairOptions receiveQueue(final CompletionQueue queue) {
        return new QueuePairOptions(type, sendQueue, queue, sharedReceiveQueue, capacities, signalAll);
    }

    /** Receive requests come from {@code queue}. */
    public QueuePairOptions sharedReceiveQueue(final SharedReceiveQueue queue) {
        return new QueuePairOptions(type, sendQueue, receiveQueue, Optional.of(queue), capacities, signalAll);
    }

    /** All capacities at once. */
    public QueuePairOptions capacities(final QueuePairCapacities wanted) {
        return new QueuePairOptions(type, sendQueue, receiveQueue, sharedReceiveQueue, wanted, signalAll);
    }

    /** At least so many send requests and gather entries. */
    public QueuePairOptions sends(final int maxSendWr, final int maxSendSge) {
        return capacities(
                new QueuePairCapacities(maxSendWr, capacities.maxRecvWr(), maxSendSge, capacities.maxRecvSge(),
                        capacities.maxInlineData()));
    }

    /** At least so many receive requests and scatter entries. */
    public QueuePairOptions receives(final int maxRecvWr, final int maxRecvSge) {
        return capacities(
                new QueuePairCapacities(capacities.maxSendWr(), maxRecvWr, capacities.maxSendSge(), maxRecvSge,
                        capacities.maxInlineData()));
    }

    /** At least so many bytes inline. */
    public QueuePairOptions inline(final int maxInlineData) {
        return capacities(
                new QueuePairCapacities(capacities.maxSendWr(), capacities.maxRecvWr(), capacities.maxSendSge(),
                        capacities.maxRecvSge(), maxInlineData));
    }

    /** Whether every send request makes a completion. */
    public QueuePairOptions signalAll(final boolean all) {
        return new QueuePairOptions(type, sendQueue, receiveQueue, sharedReceiveQueue, capacities, all);
    }
}
