package org.chagres.collectives.record;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.chagres.memory.Memory;

/**
 * Notes what a communicator does, where {@code ./chagres status} and others can read it while it happens or hangs: the last operations, what it waits for,
 * counters. Always on: an operation costs a few stores and no look at the clock that was not needed anyway. Used under the communicator's lock.
 */
public final class FlightRecorder implements AutoCloseable {
    private static final int OPERATIONS = 0;
    private static final int BYTES = 1;
    private static final int WAITS = 2;
    private static final int FAILURES = 3;

    private final StatusFile file = StatusFile.ofThisProcess();
    private final int index;
    /** Where the slot lies; a process with very many communicators has none for some. */
    private final long slot;
    private long operations;
    private long bytes;
    private long waits;
    private long operation;
    private boolean closed;

    /**
     * Begins the record of a communicator.
     *
     * @param id the communicator's id
     */
    public FlightRecorder(final long id, final int rank, final int size) {
        this.index = file.take(id, rank, size);
        this.slot = index < 0 ? 0 : file.slot(index);
        this.operation = slot + StatusLayout.operation(0);
    }

    /**
     * An operation begins.
     *
     * @param fingerprint what it is
     * @param size bytes that this rank gives and takes
     */
    public void begin(final long fingerprint, final long size) {
        if (slot == 0) {
            return;
        }
        operations++;
        bytes += size;
        operation = slot + StatusLayout.operation(operations);
        Memory.putLong(operation + 8, fingerprint);
        Memory.putLong(operation + 16, 0);
        Memory.putLong(operation + 24, 0);
        Memory.putLong(operation, operations);
        Memory.putLongRelease(slot + StatusLayout.BEGUN, operations);
    }

    /** It cannot go on at once. */
    public void waits(final long nanoTime) {
        if (slot != 0) {
            Memory.putLong(operation + 16, nanoTime);
            Memory.putLong(slot + StatusLayout.WAITING_SINCE, nanoTime);
        }
    }

    /** It has waited for so long that a look at the clock costs nothing. */
    public void stillWaits() {
        if (slot != 0 && Memory.getLong(operation + 24) == 0) {
            if (Memory.getLong(operation + 16) == 0) {
                waits(System.nanoTime());
            }
            Memory.putLong(operation + 24, -1);
            Memory.putLong(file.counter(index, WAITS), ++waits);
        }
    }

    /** What it waits for, in words; for waits that last. */
    public void waitsFor(final String text) {
        if (slot != 0) {
            write(StatusLayout.WAIT_LENGTH, StatusLayout.WAIT_TEXT, StatusLayout.MAX_WAIT, text);
        }
    }

    /** The operation is over. */
    public void end() {
        if (slot == 0) {
            return;
        }
        if (Memory.getLong(operation + 24) != 0) {
            Memory.putLong(operation + 24, System.nanoTime());
            Memory.putInt(slot + StatusLayout.WAIT_LENGTH, 0);
        }
        Memory.putLong(slot + StatusLayout.WAITING_SINCE, 0);
        Memory.putLong(file.counter(index, OPERATIONS), operations);
        Memory.putLong(file.counter(index, BYTES), bytes);
        Memory.putLongRelease(slot + StatusLayout.FINISHED, operations);
    }

    /** The communicator cannot be used any more. */
    public void broken(final String why) {
        if (slot != 0) {
            write(StatusLayout.BROKEN_LENGTH, StatusLayout.BROKEN_TEXT, StatusLayout.MAX_BROKEN, why);
            Memory.putLong(slot + StatusLayout.WAITING_SINCE, 0);
            Memory.putLong(file.counter(index, FAILURES), 1);
        }
    }

    private void write(final long length, final long at, final int most, final String text) {
        final byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        Memory.putInt(slot + length, 0);
        StatusFile.write(slot + at, Arrays.copyOf(encoded, Math.min(encoded.length, most)));
        Memory.putInt(slot + length, Math.min(encoded.length, most));
    }

    /** Ends the record. */
    @Override
    public void close() {
        if (slot != 0 && !closed) {
            closed = true;
            file.giveBack(index);
        }
    }
}
