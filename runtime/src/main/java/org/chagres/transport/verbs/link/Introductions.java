package org.chagres.transport.verbs.link;

import java.util.Arrays;
import org.chagres.memory.MemoryDomain;

/** What a rank has introduced to a peer: the tokens of its regions, each with the key that went with it. */
final class Introductions {
    private static final int LEAST_ENTRIES = 16;

    private long[] tokens = {};
    private int[] keys = {};

    /** Takes note of a region; returns whether the peer must be told. */
    boolean add(final long token, final int key) {
        final int index = MemoryDomain.index(token);
        if (index >= tokens.length) {
            final int size = Math.max(Math.max(index + 1, LEAST_ENTRIES), tokens.length * 2);
            tokens = Arrays.copyOf(tokens, size);
            keys = Arrays.copyOf(keys, size);
        }
        if (tokens[index] == token && keys[index] == key) {
            return false;
        }
        tokens[index] = token;
        keys[index] = key;
        return true;
    }
}
