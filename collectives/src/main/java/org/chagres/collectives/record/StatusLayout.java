package org.chagres.collectives.record;

import org.agrona.concurrent.status.CountersReader;

/**
 * How a process's status lies in its memory file. All numbers are in the machine's byte order.
 *
 * <pre>
 * 0         magic (8)  version (4)  slots (4)  process id (8)  start, ms since 1970 (8)  length of the host's name (4)  the name
 * 4096      counters: metadata, then values, as Agrona's CountersReader reads them; {@link #COUNTERS} for each slot
 * slots     a communicator each:
 *             0 id (8; 0 if free)      8 rank (4)   12 size (4)   16 operations begun (8)   24 operations finished (8)
 *            32 waits since, nanoTime (8; 0 if it does not wait)  40 why it cannot be used (4: length)  44 what it waits for (4: length)
 *            64 what it waits for     448 why it cannot be used
 *          1024 the last {@value #OPERATIONS} operations, by number: number, fingerprint, wait began, wait ended (8 each; 0 if it did not wait)
 * </pre>
 *
 * Times are of the monotonic clock, which all processes of a host share. A wait's end is written only where it was long enough to look at the clock.
 */
final class StatusLayout {
    static final String FILE_NAME = "chagres-status";
    static final long MAGIC = 0x5355_5441_5453_4743L;
    static final int VERSION = 1;
    static final int SLOTS = 32;
    static final int OPERATIONS = 64;
    static final int OPERATION_BYTES = 32;
    static final long PID = 16;
    static final long STARTED = 24;
    static final long HOST = 32;
    static final int MAX_HOST = 255;

    /** For each slot: operations, bytes, waits that were long enough to look at the clock, failures. */
    static final int COUNTERS = 4;
    static final long METADATA = 4096;
    static final long METADATA_BYTES = (long) SLOTS * COUNTERS * CountersReader.METADATA_LENGTH;
    static final long VALUES = METADATA + METADATA_BYTES;
    static final long VALUES_BYTES = (long) SLOTS * COUNTERS * CountersReader.COUNTER_LENGTH;

    static final long FIRST_SLOT = VALUES + VALUES_BYTES;
    static final long SLOT_BYTES = 4096;
    static final long RANK = 8;
    static final long SIZE = 12;
    static final long BEGUN = 16;
    static final long FINISHED = 24;
    static final long WAITING_SINCE = 32;
    static final long BROKEN_LENGTH = 40;
    static final long WAIT_LENGTH = 44;
    static final long WAIT_TEXT = 64;
    static final int MAX_WAIT = 384;
    static final long BROKEN_TEXT = 448;
    static final int MAX_BROKEN = 576;
    static final long RING = 1024;
    static final long BYTES = FIRST_SLOT + SLOTS * SLOT_BYTES;

    private StatusLayout() {
    }

    static long slot(final int index) {
        return FIRST_SLOT + index * SLOT_BYTES;
    }

    static long operation(final long sequence) {
        return RING + (sequence & OPERATIONS - 1) * OPERATION_BYTES;
    }
}
