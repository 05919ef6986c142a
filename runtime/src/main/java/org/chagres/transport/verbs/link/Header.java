package org.chagres.transport.verbs.link;

import org.chagres.memory.Memory;

/**
 * What a message says beyond its immediate value: written into the receiver's memory by the same request, hence there when the request has completed. In
 * the byte order of the machines, which must be the same.
 *
 * <pre>
 *  0 what it says (4)   4 remote key (4)   8 sequence   16 fingerprint   24 token   32 offset   40 value
 * 48 the last operation that the sender has completed on this lane   56 how many messages of the receiver the sender has taken in
 * </pre>
 *
 * To introduce a region, fingerprint, offset and value are its address, its length and nothing; in an inbox, the value is the length of the message.
 */
final class Header {
    static final int BYTES = 64;
    /** What a header may say: an announcement, a signal whose channel the immediate value does not hold, what a token means. */
    static final int ANNOUNCES = 1;
    static final int SIGNALS = 1 << 1;
    static final int INTRODUCES = 1 << 2;
    static final int DELIVERS = 1 << 3;
    /** The channel of a signal is in the bits from here on. */
    private static final int CHANNEL_SHIFT = 8;

    private Header() {
    }

    static void write(final long at, final int what, final int channel, final long completed, final long taken) {
        Memory.putInt(at, what | channel << CHANNEL_SHIFT);
        Memory.putLong(at + 48, completed);
        Memory.putLong(at + 56, taken);
    }

    static void operation(final long at, final long sequence, final long fingerprint) {
        Memory.putLong(at + 8, sequence);
        Memory.putLong(at + 16, fingerprint);
    }

    static void output(final long at, final long token, final long offset) {
        Memory.putLong(at + 24, token);
        Memory.putLong(at + 32, offset);
    }

    static void value(final long at, final long value) {
        Memory.putLong(at + 40, value);
    }

    static void region(final long at, final long token, final long address, final long length, final int key) {
        Memory.putInt(at + 4, key);
        Memory.putLong(at + 16, address);
        Memory.putLong(at + 24, token);
        Memory.putLong(at + 32, length);
    }

    static boolean says(final long at, final int what) {
        return (Memory.getInt(at) & what) != 0;
    }

    static int channel(final long at) {
        return Memory.getInt(at) >>> CHANNEL_SHIFT;
    }

    static int key(final long at) {
        return Memory.getInt(at + 4);
    }

    static long sequence(final long at) {
        return Memory.getLong(at + 8);
    }

    static long fingerprint(final long at) {
        return Memory.getLong(at + 16);
    }

    static long address(final long at) {
        return Memory.getLong(at + 16);
    }

    static long token(final long at) {
        return Memory.getLong(at + 24);
    }

    static long offset(final long at) {
        return Memory.getLong(at + 32);
    }

    static long length(final long at) {
        return Memory.getLong(at + 32);
    }

    static long value(final long at) {
        return Memory.getLong(at + 40);
    }

    static long completed(final long at) {
        return Memory.getLong(at + 48);
    }

    static long taken(final long at) {
        return Memory.getLong(at + 56);
    }
}
