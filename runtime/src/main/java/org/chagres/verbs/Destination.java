package org.chagres.verbs;

import java.util.Objects;

/**
 * Where a datagram goes.
 *
 * @param address the way to the port
 * @param queuePairNumber the queue pair there
 * @param qkey the key that it expects
 */
public record Destination(AddressHandle address, int queuePairNumber, int qkey) {
    /** Checks that the number has 24 bits. */
    public Destination {
        Objects.requireNonNull(address, "address");
        Range.check("queuePairNumber", queuePairNumber, 0, Range.MAX_24);
    }
}
