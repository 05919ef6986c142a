package org.chagres.transport;

import org.chagres.memory.Memory;

/**
 * The header of every message on a data connection, in the byte order of the machines, which must be the same. Data follows those that have a length.
 *
 * <pre>
 *  0 kind (1)  1 lane (1)  2 channel (1)  3 zero (1)  4 magic (4)
 *  8 sequence   16 value: fingerprint or signal   24 token   32 offset   40 length of the data in bytes   48 last operation completed on this lane
 * </pre>
 */
final class TcpFrame {
    static final int BYTES = 56;
    /** Tells what a rank is about to do: sequence, fingerprint, token and offset of its output. */
    static final int ANNOUNCE = 1;
    /** Data for a place in a region of the receiver. */
    static final int PUT = 2;
    /** Raises a signal. */
    static final int SIGNAL = 3;
    /** Data for the inbox, with the fingerprint. */
    static final int DELIVER = 4;
    /** Nothing but what every header says: the last operation completed. */
    static final int COMPLETE = 5;
    /** The sender has closed its end in good order; nothing follows. */
    static final int BYE = 6;

    /** Looks different on machines with the other byte order, and in anything that is not a header. */
    private static final long MAGIC = 0x43A6_5217L << 32;
    private static final long MAGIC_MASK = 0xFFFF_FFFFL << 32;

    private TcpFrame() {
    }

    static void write(final long at, final int kind, final int lane, final int channel, final long completed) {
        Memory.putLong(at, MAGIC | channel << 16 | lane << 8 | kind);
        Memory.putLong(at + 8, 0);
        Memory.putLong(at + 16, 0);
        Memory.putLong(at + 24, 0);
        Memory.putLong(at + 32, 0);
        Memory.putLong(at + 40, 0);
        Memory.putLong(at + 48, completed);
    }

    static void operation(final long at, final long sequence, final long value) {
        Memory.putLong(at + 8, sequence);
        Memory.putLong(at + 16, value);
    }

    static void place(final long at, final long token, final long offset) {
        Memory.putLong(at + 24, token);
        Memory.putLong(at + 32, offset);
    }

    static void length(final long at, final long bytes) {
        Memory.putLong(at + 40, bytes);
    }

    static boolean valid(final long at) {
        return (Memory.getLong(at) & (MAGIC_MASK | 0xFF00_0000L)) == MAGIC;
    }

    static int kind(final long at) {
        return (int) Memory.getLong(at) & 0xFF;
    }

    static int lane(final long at) {
        return (int) (Memory.getLong(at) >>> 8) & 0xFF;
    }

    static int channel(final long at) {
        return (int) (Memory.getLong(at) >>> 16) & 0xFF;
    }

    static long sequence(final long at) {
        return Memory.getLong(at + 8);
    }

    static long value(final long at) {
        return Memory.getLong(at + 16);
    }

    static long token(final long at) {
        return Memory.getLong(at + 24);
    }

    static long offset(final long at) {
        return Memory.getLong(at + 32);
    }

    static long length(final long at) {
        return Memory.getLong(at + 40);
    }

    static long completed(final long at) {
        return Memory.getLong(at + 48);
    }
}
