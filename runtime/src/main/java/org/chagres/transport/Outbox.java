package org.chagres.transport;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.chagres.bindings.SocketIo;
import org.chagres.memory.Memory;

/**
 * What a connection has still to send: headers and short data by copy, long data where they lie, gathered by one system call. Starts over whenever all
 * has gone.
 */
final class Outbox {
    /** Data up to here are copied: cheaper than an entry of their own, and their source is free at once. */
    static final long COPIED_BYTES = 2 << 10;
    /** Beyond this much pending, no more is taken: what is in flight should stay in the caches. */
    private static final long WINDOW_BYTES = 128 << 10;
    private static final long SMALL_BYTES = 128 << 10;
    /** The most entries that a system call takes. */
    private static final int ENTRIES = 1024;
    private static final long ENTRY_BYTES = 16;
    /** {@code struct msghdr}: the entries and their number are its third and fourth word. */
    private static final long MESSAGE_BYTES = 56;
    private static final long MESSAGE_ENTRIES = 16;
    private static final long MESSAGE_COUNT = 24;

    private final long small;
    private final long entries;
    private final long message;
    private long used;
    private int first;
    private int end;
    private long pending;

    Outbox(final Arena arena) {
        this.small = arena.allocate(SMALL_BYTES, 64).address();
        this.entries = arena.allocate(ENTRIES * ENTRY_BYTES, 64).address();
        this.message = arena.allocate(MESSAGE_BYTES, 8).fill((byte) 0).address();
    }

    /** Bytes that have not gone yet. */
    long pending() {
        return pending;
    }

    /** Whether a step's worth of messages more has room. */
    boolean hasRoom() {
        return pending < WINDOW_BYTES && used < SMALL_BYTES / 2 && end < ENTRIES / 2;
    }

    /** Room for {@code bytes} to be written by the caller, at most {@link #COPIED_BYTES} and a header. */
    long append(final long bytes) {
        if (used + bytes > SMALL_BYTES) {
            throw overflow();
        }
        final long at = small + used;
        used += bytes;
        pending += bytes;
        if (end > first && lastEnd() == at) {
            final long entry = entries + (end - 1) * ENTRY_BYTES;
            Memory.putLong(entry + 8, Memory.getLong(entry + 8) + bytes);
        } else {
            add(at, bytes);
        }
        return at;
    }

    /** Data that stay where they are until they have gone. */
    void refer(final long from, final long bytes) {
        pending += bytes;
        add(from, bytes);
    }

    private long lastEnd() {
        final long entry = entries + (end - 1) * ENTRY_BYTES;
        return Memory.getLong(entry) + Memory.getLong(entry + 8);
    }

    private void add(final long from, final long bytes) {
        if (end == ENTRIES) {
            throw overflow();
        }
        Memory.putLong(entries + end * ENTRY_BYTES, from);
        Memory.putLong(entries + end * ENTRY_BYTES + 8, bytes);
        end++;
    }

    private IllegalStateException overflow() {
        return new IllegalStateException(
                "more was sent than a connection holds (" + end + " entries, " + used
                        + " bytes) without asking whether it takes it");
    }

    /** Sends what the socket takes; returns the bytes that went, or a negative errno. */
    long send(final MemorySegment state, final int fd) {
        final long sent;
        if (end - first == 1) {
            final long entry = entries + first * ENTRY_BYTES;
            sent = SocketIo.send(state, fd, Memory.getLong(entry), Memory.getLong(entry + 8));
        } else {
            Memory.putLong(message + MESSAGE_ENTRIES, entries + first * ENTRY_BYTES);
            Memory.putLong(message + MESSAGE_COUNT, end - first);
            sent = SocketIo.sendmsg(state, fd, message);
        }
        if (sent > 0) {
            advance(sent);
        }
        return sent;
    }

    private void advance(final long sent) {
        pending -= sent;
        if (pending == 0) {
            clear();
            return;
        }
        long rest = sent;
        while (rest > 0) {
            final long entry = entries + first * ENTRY_BYTES;
            final long length = Memory.getLong(entry + 8);
            if (rest < length) {
                Memory.putLong(entry, Memory.getLong(entry) + rest);
                Memory.putLong(entry + 8, length - rest);
                return;
            }
            rest -= length;
            first++;
        }
    }

    /** Forgets everything. */
    void clear() {
        pending = 0;
        used = 0;
        first = 0;
        end = 0;
    }
}
