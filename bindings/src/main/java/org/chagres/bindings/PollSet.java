package org.chagres.bindings;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A few descriptors to wait for with {@code ppoll} of Linux, without registering them anywhere and without allocating. Used by one thread at a time.
 */
public final class PollSet {
    /** Something can be read, or the stream has ended. */
    public static final int IN = 1;
    /** Something can be written. */
    public static final int OUT = 4;
    /** {@code struct pollfd}: descriptor, what is asked for, what came. */
    private static final long ENTRY_BYTES = 8;
    private static final long WANTED = 4;
    private static final long CAME = 6;
    private static final long NANOS_PER_SECOND = 1_000_000_000;
    private static final MemorySegment PPOLL = Linker.nativeLinker().defaultLookup().findOrThrow("ppoll");

    private final int size;
    private final MemorySegment entries;
    private final MemorySegment time;

    /** @param descriptors closed not before the last wait */
    public PollSet(final int... descriptors) {
        size = descriptors.length;
        entries = Arena.ofAuto().allocate(Math.max(1, size) * ENTRY_BYTES, Long.BYTES);
        time = Arena.ofAuto().allocate(2 * Long.BYTES, Long.BYTES);
        for (int i = 0; i < size; i++) {
            entries.set(ValueLayout.JAVA_INT, i * ENTRY_BYTES, descriptors[i]);
        }
    }

    /** Says what to wait for at descriptor {@code index}: {@link #IN}, {@link #OUT}, both or none; errors always count. */
    public void interest(final int index, final int wanted) {
        entries.set(ValueLayout.JAVA_SHORT, index * ENTRY_BYTES + WANTED, (short) wanted);
    }

    /** Whether the last wait found descriptor {@code index} ready, or at an end, or in error. */
    public boolean ready(final int index) {
        return entries.get(ValueLayout.JAVA_SHORT, index * ENTRY_BYTES + CAME) != 0;
    }

    /**
     * Waits.
     *
     * @param nanos at most so long; the kernel may take some 50 us more. 0 just looks
     * @return how many descriptors are ready; 0 if the time is over or a signal came
     */
    public int await(final long nanos) {
        time.set(ValueLayout.JAVA_LONG, 0, nanos / NANOS_PER_SECOND);
        time.set(ValueLayout.JAVA_LONG, Long.BYTES, nanos % NANOS_PER_SECOND);
        final int ready = ColdCalls.callInt(PPOLL, entries.address(), size, time.address(), 0, 0);
        if (ready < 0 && CallState.errno() != Errno.EINTR) {
            throw new ErrnoException("ppoll", CallState.errno());
        }
        return Math.max(0, ready);
    }
}
