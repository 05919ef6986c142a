package org.chagres.verbs;

import java.lang.foreign.MemorySegment;
import java.util.Set;

/** What may be used together: a queue pair reaches only regions of its own domain. Owned by a context, owns everything made from it. */
public interface ProtectionDomain extends VerbsObject {
    /** The context that it belongs to. */
    Context context();

    /**
     * Registers native memory, which pins it. Whole pages are best. The region keeps the segment reachable, but not open: close the region before the
     * segment's arena is closed, because the device goes on using the addresses.
     *
     * @param segment native memory of at least one byte
     * @param access what the device may do with it; reading locally is always allowed
     * @throws IllegalArgumentException for a heap segment, an empty one, or access that cannot be had together
     * @throws VerbsException if it cannot be pinned: the message compares what was asked with the limit and what is locked already
     */
    MemoryRegion register(MemorySegment segment, Set<Access> access);

    /**
     * Registers memory that no segment owns, such as memory of a device. It must exist until the region is closed.
     *
     * @param address of the first byte
     * @param length in bytes
     * @param access what the device may do with it
     */
    MemoryRegion register(long address, long length, Set<Access> access);

    /**
     * Registers a part of a dma-buf, such as memory of a GPU.
     *
     * @param offset where the part starts in the dma-buf, in bytes
     * @param length in bytes
     * @param iova the address of the first byte in requests
     * @param fd the descriptor of the dma-buf, which may be closed afterwards
     * @param access what the device may do with it
     * @throws VerbsException if the device or the library cannot: the message says what else there is
     */
    MemoryRegion registerDmabuf(long offset, long length, long iova, int fd, Set<Access> access);

    /**
     * Makes a receive queue that several queue pairs take their receive requests from.
     *
     * @param maxWr at least so many requests fit
     * @param maxSge a request may have at least so many scatter entries
     */
    SharedReceiveQueue createSharedReceiveQueue(int maxWr, int maxSge);

    /**
     * Makes a queue pair, in the state RESET.
     *
     * @throws VerbsException if the device cannot: the message compares what was asked with its limits
     */
    QueuePair createQueuePair(QueuePairOptions options);

    /**
     * Makes an address handle: where a UD queue pair sends datagrams to.
     *
     * @throws VerbsException if there is no way to that address
     */
    AddressHandle createAddressHandle(AddressVector address);

    /**
     * Makes the address handle for the way back to the sender of a datagram.
     *
     * @param received the completion of the receive request
     * @param routingHeader the first 40 bytes that the request received
     * @param port the port that received it
     */
    AddressHandle createAddressHandle(Completion.Success received, MemorySegment routingHeader, int port);
}
