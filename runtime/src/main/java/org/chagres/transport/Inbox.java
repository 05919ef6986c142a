package org.chagres.transport;

import org.chagres.memory.Memory;

/**
 * One generation of an inbox in shared memory: how a message travels in cache lines that validate themselves, as in NCCL's low-latency protocols.
 *
 * <pre>
 * line 0    48 bytes of data, fingerprint (8), flag (8)
 * line i    56 bytes of data, flag (8)
 * </pre>
 *
 * The flag is written last in each line, so whoever sees it sees the line; it holds the operation's sequence and the length, hence never repeats. A
 * message of up to 48 bytes costs the handover of a single line. A longer one is gathered from its lines into the bulk area as they come. Beyond
 * {@link #LINES_MESSAGE} bytes the data goes to the bulk area directly and line 0 follows it. Lines hold nothing but messages in lines, so that no
 * data can pass for a flag.
 */
final class Inbox {
    static final int LINES = 32;
    static final long LINE = 64;
    static final long LINES_BYTES = LINES * LINE;
    /** Data in line 0. */
    static final long FIRST = 48;
    /** Data in every other line. */
    static final long NEXT = 56;
    /** The longest message that travels in lines. */
    static final long LINES_MESSAGE = FIRST + (LINES - 1) * NEXT;
    private static final long FINGERPRINT = 48;
    private static final long FLAG = 56;
    private static final int LENGTH_BITS = 20;
    private static final long LENGTH_MASK = (1L << LENGTH_BITS) - 1;

    private Inbox() {
    }

    /** Writes a message to the peer's inbox. */
    static void write(final long lines, final long bulk, final long sequence, final long from, final long bytes,
            final long fingerprint) {
        final long flag = sequence << LENGTH_BITS | bytes;
        if (bytes <= FIRST) {
            Memory.copySmall(lines, from, (int) bytes);
        } else if (bytes <= LINES_MESSAGE) {
            Memory.copy48(lines, from);
        } else {
            Memory.copy(bulk, from, bytes);
        }
        Memory.putLong(lines + FINGERPRINT, fingerprint);
        Memory.putLongRelease(lines + FLAG, flag);
        if (bytes > FIRST && bytes <= LINES_MESSAGE) {
            writeLines(lines + LINE, from + FIRST, bytes - FIRST, flag);
        }
    }

    private static void writeLines(final long lines, final long from, final long bytes, final long flag) {
        long line = lines;
        long done = 0;
        for (; done + NEXT <= bytes; done += NEXT) {
            Memory.copy56(line, from + done);
            Memory.putLongRelease(line + FLAG, flag);
            line += LINE;
        }
        if (done < bytes) {
            Memory.copySmall(line, from + done, (int) (bytes - done));
            Memory.putLongRelease(line + FLAG, flag);
        }
    }

    /** Whether line 0 of the message of {@code sequence} has come. */
    static boolean begun(final long lines, final long sequence) {
        return Memory.getLongAcquire(lines + FLAG) >>> LENGTH_BITS == sequence;
    }

    /** The length of a message that has begun. */
    static long length(final long lines) {
        return Memory.getLong(lines + FLAG) & LENGTH_MASK;
    }

    static long fingerprint(final long lines) {
        return Memory.getLong(lines + FINGERPRINT);
    }

    /** Whether a message of this length is gathered line by line. */
    static boolean gathered(final long bytes) {
        return bytes > FIRST && bytes <= LINES_MESSAGE;
    }

    /**
     * Gathers lines that have come, from line {@code next} on, and returns the first that has not; all are there when that is {@link #count}.
     */
    static int gather(final long lines, final long bulk, final long bytes, final int next) {
        final long flag = Memory.getLong(lines + FLAG);
        final int count = count(bytes);
        int line = next;
        if (line == 0) {
            Memory.copy48(bulk, lines);
            line = 1;
        }
        long at = lines + line * LINE;
        long to = bulk + FIRST + (line - 1) * NEXT;
        while (line < count && Memory.getLongAcquire(at + FLAG) == flag) {
            // The last line may hold less: what follows its data is not looked at.
            Memory.copy56(to, at);
            at += LINE;
            to += NEXT;
            line++;
        }
        return line;
    }

    /** The number of lines of a message of more than {@link #FIRST} bytes. */
    static int count(final long bytes) {
        return 1 + (int) ((bytes - FIRST + NEXT - 1) / NEXT);
    }
}
