package org.chagres.transport;

import org.chagres.memory.Memory;

/**
 * One generation of an inbox in shared memory.
 *
 * <pre>
 * line    48 bytes of data, fingerprint (8), flag (8)
 * bulk    the data of a longer message
 * </pre>
 *
 * The flag is written last, so whoever sees it sees the whole message; it holds the operation's sequence and the length, hence never repeats. A
 * message of up to 48 bytes costs the handover of a single cache line. The line holds nothing but this, so that no data can pass for a flag.
 */
final class Inbox {
    static final long LINE_BYTES = ControlLayout.SPACING;
    /** The longest message that travels in the line. */
    static final long SHORT = 48;
    private static final long FINGERPRINT = 48;
    private static final long FLAG = 56;
    private static final int LENGTH_BITS = 20;
    private static final long LENGTH_MASK = (1L << LENGTH_BITS) - 1;

    private Inbox() {
    }

    /** Writes a message to the peer's inbox. */
    static void write(final long line, final long bulk, final long sequence, final long from, final long bytes,
            final long fingerprint) {
        Memory.copy(bytes <= SHORT ? line : bulk, from, bytes);
        Memory.putLong(line + FINGERPRINT, fingerprint);
        Memory.putLongRelease(line + FLAG, sequence << LENGTH_BITS | bytes);
    }

    /** Whether the message of {@code sequence} has come. */
    static boolean arrived(final long line, final long sequence) {
        return Memory.getLongAcquire(line + FLAG) >>> LENGTH_BITS == sequence;
    }

    /** The length of a message that has come. */
    static long length(final long line) {
        return Memory.getLong(line + FLAG) & LENGTH_MASK;
    }

    static long fingerprint(final long line) {
        return Memory.getLong(line + FINGERPRINT);
    }
}
