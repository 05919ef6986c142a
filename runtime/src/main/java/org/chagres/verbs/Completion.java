package org.chagres.verbs;

import java.util.OptionalInt;

/** The end of a request. Of a failed one only little is known. */
public sealed interface Completion {
    /** The number that the request was posted with. */
    long id();

    /** The number of the queue pair that the request was posted to. */
    int queuePairNumber();

    /** How it ended. */
    CompletionStatus status();

    /** Whether it succeeded. */
    default boolean succeeded() {
        return this instanceof Success;
    }

    /**
     * This completion if it succeeded.
     *
     * @throws CompletionErrorException if it failed: the message says what the status means and ranks its causes
     */
    Success orThrow();

    /**
     * A request that succeeded.
     *
     * @param id the number that the request was posted with
     * @param queuePairNumber the queue pair that it was posted to
     * @param opcode what completed
     * @param byteLength bytes received (with the 40 of the routing header for datagrams), read, or 8 for an atomic; without meaning for sends and
     *     writes
     * @param immediate the peer's immediate value in host byte order, if it sent one
     * @param sourceQueuePair the sender of a datagram
     * @param sourceLid the sender's local identifier, on InfiniBand
     * @param serviceLevel the sender's service level
     * @param pathBits low bits of the local identifier that the datagram was sent to
     * @param routingHeader whether a datagram came with a routing header, in the first 40 bytes received
     */
    record Success(long id, int queuePairNumber, CompletionOpcode opcode, long byteLength, OptionalInt immediate,
            int sourceQueuePair, int sourceLid,
            int serviceLevel, int pathBits, boolean routingHeader) implements Completion {
        @Override
        public CompletionStatus status() {
            return CompletionStatus.SUCCESS;
        }

        @Override
        public Success orThrow() {
            return this;
        }
    }

    /**
     * A request that failed.
     *
     * @param id the number that the request was posted with
     * @param queuePairNumber the queue pair that it was posted to, which is in an error state now
     * @param status why
     * @param statusCode the number of {@code ibv_wc_status}; tells more where the status is UNKNOWN
     * @param vendorError the vendor's own number
     */
    record Failure(long id, int queuePairNumber, CompletionStatus status, int statusCode,
            int vendorError) implements Completion {
        @Override
        public Success orThrow() {
            throw new CompletionErrorException(this);
        }

        /** One paragraph for a person: status, meaning, likely causes. */
        public String describe() {
            return "request " + id + " of queue pair 0x" + Integer.toHexString(queuePairNumber) + " failed: " + status
                    + " (" + statusCode
                    + "), vendor error 0x" + Integer.toHexString(vendorError) + ": " + status.meaning()
                    + ". Likely causes: "
                    + String.join("; ", status.causes());
        }
    }
}
