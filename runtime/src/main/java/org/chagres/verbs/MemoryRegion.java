package org.chagres.verbs;

import java.util.Set;

/** Registered memory: pinned, and known to the device by its keys. Owned by a protection domain. */
public interface MemoryRegion extends VerbsObject {
    /** The domain that it belongs to. */
    ProtectionDomain protectionDomain();

    /** The address of the first byte in requests; for a dma-buf, the iova. */
    long address();

    /** The length in bytes. */
    long length();

    /** What own requests name it by. */
    int localKey();

    /** What the peer's requests name it by. */
    int remoteKey();

    /** What the device may do with it. */
    Set<Access> access();

    /**
     * A part of it, for a request.
     *
     * @throws IndexOutOfBoundsException if the part is not inside
     */
    default Slice slice(final long offset, final long length) {
        return new Slice(this, offset, length);
    }

    /** All of it, for a request. */
    default Slice slice() {
        return new Slice(this, 0, length());
    }

    /** How a peer's request names the byte at {@code offset}: send it to the peer. */
    default RemoteMemory remote(final long offset) {
        return new RemoteMemory(address() + offset, remoteKey());
    }
}
