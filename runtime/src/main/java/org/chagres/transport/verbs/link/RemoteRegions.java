package org.chagres.transport.verbs.link;

import java.util.Arrays;
import org.chagres.memory.MemoryDomain;
import org.chagres.memory.StaleTokenException;

/**
 * The regions of a peer that it has introduced: where a token lies in its memory, and the key by which its device lets this rank write there. Bounded by
 * the number of regions that the peer may have open.
 */
final class RemoteRegions {
    private static final int LEAST_ENTRIES = 16;

    private final int peer;
    private long[] tokens = {};
    private long[] addresses = {};
    private long[] lengths = {};
    private int[] keys = {};

    RemoteRegions(final int peer) {
        this.peer = peer;
    }

    /** Takes note of a region; returns whether there can be such a token. */
    boolean introduce(final long token, final long address, final long length, final int key) {
        final int index = MemoryDomain.index(token);
        if (token == 0 || index >= MemoryDomain.MAX_REGIONS) {
            return false;
        }
        if (index >= tokens.length) {
            grow(index);
        }
        tokens[index] = token;
        addresses[index] = address;
        lengths[index] = length;
        keys[index] = key;
        return true;
    }

    private void grow(final int index) {
        final int size = Math.max(Math.max(index + 1, LEAST_ENTRIES), tokens.length * 2);
        tokens = Arrays.copyOf(tokens, size);
        addresses = Arrays.copyOf(addresses, size);
        lengths = Arrays.copyOf(lengths, size);
        keys = Arrays.copyOf(keys, size);
    }

    /**
     * The index of the region for {@link #address} and {@link #key}, if it holds all of these bytes.
     *
     * @throws StaleTokenException if it does not, or the peer has not introduced it
     */
    int check(final long token, final long offset, final long bytes) {
        final int index = MemoryDomain.index(token);
        if (index >= tokens.length || tokens[index] != token || token == 0) {
            throw new StaleTokenException("rank " + peer + " has no region with the token " + Long.toHexString(token)
                    + " that it let this rank write to: it was closed, or never announced");
        }
        if (offset < 0 || bytes < 0 || offset > lengths[index] - bytes) {
            throw new StaleTokenException("bytes " + offset + " to " + (offset + bytes) + " are outside rank " + peer
                    + "'s region of " + lengths[index] + " bytes");
        }
        return index;
    }

    long address(final int index) {
        return addresses[index];
    }

    int key(final int index) {
        return keys[index];
    }
}
