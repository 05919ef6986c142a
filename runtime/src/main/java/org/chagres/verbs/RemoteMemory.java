package org.chagres.verbs;

/**
 * A place in a peer's memory, as the peer's {@link MemoryRegion#remote} names it.
 *
 * @param address the address of the first byte, in the peer's process
 * @param key the remote key of the peer's region
 */
public record RemoteMemory(long address, int key) {
    /** The place {@code bytes} further on. */
    public RemoteMemory plus(final long bytes) {
        return new RemoteMemory(address + bytes, key);
    }
}
