package org.chagres.verbs;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Something that happened to an identifier ({@code rdma_cm_event}). A copy: it holds nothing.
 *
 * @param type what happened
 * @param code the number of {@code rdma_cm_event_type}
 * @param id the identifier; for CONNECT_REQUEST a new one, to accept or reject with, and to close
 * @param listener the identifier that listened, for CONNECT_REQUEST
 * @param status 0, a negative error number, or for REJECTED the reason of the protocol (28: whoever listens said no; 8: nobody listens)
 * @param privateData what the peer sent along, read-only, padded with zeros to the protocol's length
 * @param parameters the peer's parameters, for connections
 * @param datagrams where to send datagrams to, for the UDP port space
 */
public record CmEvent(CmEventType type, int code, CmId id, Optional<CmId> listener, int status,
        MemorySegment privateData,
        CmParameters parameters, Optional<Datagrams> datagrams) {
    /**
     * How a peer of the UDP port space is reached.
     *
     * @param address the way to its port
     * @param queuePairNumber its queue pair
     * @param qkey the key that it expects
     */
    public record Datagrams(AddressVector address, int queuePairNumber, int qkey) {}

    /** One line for a person. */
    public String describe() {
        return type + (type == CmEventType.UNKNOWN ? " (" + code + ")" : "") + " came, status " + status + ", for " + id
                + ": " + type.meaning();
    }
}
