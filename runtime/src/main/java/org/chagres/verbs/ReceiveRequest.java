package org.chagres.verbs;

import java.util.List;

/**
 * A receive request: memory for one message. A datagram begins with the {@value AddressHandle#ROUTING_HEADER_BYTES} bytes of its routing header. A peer's
 * RDMA write with immediate takes a request too, but not its memory.
 *
 * @param id comes back with the completion
 * @param scatter where the message goes; LOCAL_WRITE memory; may be empty
 */
public record ReceiveRequest(long id, List<Slice> scatter) {
    /** Copies the list. */
    public ReceiveRequest {
        scatter = List.copyOf(scatter);
    }

    /** Into these slices, in turn. */
    public static ReceiveRequest of(final long id, final Slice... scatter) {
        return new ReceiveRequest(id, List.of(scatter));
    }
}
