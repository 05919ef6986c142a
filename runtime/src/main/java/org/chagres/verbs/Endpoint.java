package org.chagres.verbs;

import java.util.Objects;

/**
 * One end of a connection: what the other end must know. {@link QueuePair#endpoint} makes the own; how it travels is the application's matter.
 *
 * @param queuePairNumber 24 bits
 * @param packetSequenceNumber the number of the first packet that it sends, 24 bits
 * @param lid the port's local identifier; 0 on Ethernet
 * @param gid the GID that it sends from
 * @param mtu the active MTU of its port
 */
public record Endpoint(int queuePairNumber, int packetSequenceNumber, int lid, Gid gid, Mtu mtu) {
    /** Checks that all numbers fit their fields. */
    public Endpoint {
        Range.check("queuePairNumber", queuePairNumber, 0, Range.MAX_24);
        Range.check("packetSequenceNumber", packetSequenceNumber, 0, Range.MAX_24);
        Range.check("lid", lid, 0, 0xffff);
        Objects.requireNonNull(gid, "gid");
        Objects.requireNonNull(mtu, "mtu");
    }
}
