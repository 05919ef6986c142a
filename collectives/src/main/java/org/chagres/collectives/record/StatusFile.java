package org.chagres.collectives.record;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;
import org.agrona.concurrent.status.CountersReader;
import org.chagres.bindings.LibC;
import org.chagres.bootstrap.HostIdentity;
import org.chagres.memory.Memory;

/**
 * This process's status file: anonymous memory that other processes of the same user find as a descriptor of this process, so that nothing remains when it
 * ends, however it ends. Made when it is first needed; never unmapped.
 */
final class StatusFile {
    private static final String[] LABELS = {"operations", "bytes", "long waits", "failures" };
    private static final int TYPE_ID = 4711;

    private final long address;
    private final BitSet taken = new BitSet();

    private StatusFile() {
        final int fd = LibC.memfdCreate(StatusLayout.FILE_NAME, LibC.MFD_CLOEXEC);
        LibC.ftruncate(fd, StatusLayout.BYTES);
        LibC.fallocate(fd, StatusLayout.BYTES);
        this.address = LibC.mmap(0, StatusLayout.BYTES, LibC.PROT_READ | LibC.PROT_WRITE, LibC.MAP_SHARED, fd, 0);
        final byte[] host = HostIdentity.hostName().getBytes(StandardCharsets.UTF_8);
        Memory.putInt(address + 8, StatusLayout.VERSION);
        Memory.putInt(address + 12, StatusLayout.SLOTS);
        Memory.putLong(address + StatusLayout.PID, ProcessHandle.current().pid());
        Memory.putLong(address + StatusLayout.STARTED, System.currentTimeMillis());
        text(StatusLayout.HOST, StatusLayout.HOST + Integer.BYTES, StatusLayout.MAX_HOST, host);
        Memory.putLongRelease(address, StatusLayout.MAGIC);
    }

    private static final class Holder {
        private static final StatusFile INSTANCE = new StatusFile();
    }

    static StatusFile ofThisProcess() {
        return Holder.INSTANCE;
    }

    /** Takes a free slot; -1 if there is none. */
    synchronized int take(final long id, final int rank, final int size) {
        final int slot = taken.nextClearBit(0);
        if (slot >= StatusLayout.SLOTS) {
            return -1;
        }
        taken.set(slot);
        clear(slot);
        final long at = slot(slot);
        Memory.putInt(at + StatusLayout.RANK, rank);
        Memory.putInt(at + StatusLayout.SIZE, size);
        for (int c = 0; c < StatusLayout.COUNTERS; c++) {
            label(slot * StatusLayout.COUNTERS + c,
                    "communicator " + Long.toHexString(id) + " rank " + rank + ": " + LABELS[c]);
        }
        Memory.putLongRelease(at, id);
        return slot;
    }

    private void clear(final int slot) {
        for (long at = slot(slot); at < slot(slot + 1); at += Long.BYTES) {
            Memory.putLong(at, 0);
        }
        for (int c = 0; c < StatusLayout.COUNTERS; c++) {
            Memory.putLong(counter(slot, c), 0);
        }
    }

    private void label(final int counter, final String label) {
        final long record = address + StatusLayout.METADATA + (long) counter * CountersReader.METADATA_LENGTH;
        final byte[] bytes = label.getBytes(StandardCharsets.US_ASCII);
        Memory.putInt(record + CountersReader.TYPE_ID_OFFSET, TYPE_ID);
        Memory.putLong(record + CountersReader.FREE_FOR_REUSE_DEADLINE_OFFSET, CountersReader.NOT_FREE_TO_REUSE);
        write(record + CountersReader.LABEL_OFFSET + Integer.BYTES, bytes);
        Memory.putInt(record + CountersReader.LABEL_OFFSET, bytes.length);
        Memory.putInt(record, CountersReader.RECORD_ALLOCATED);
    }

    synchronized void giveBack(final int slot) {
        Memory.putLongRelease(slot(slot), 0);
        taken.clear(slot);
    }

    long slot(final int index) {
        return address + StatusLayout.slot(index);
    }

    long counter(final int slot, final int counter) {
        return address + StatusLayout.VALUES + ((long) slot * StatusLayout.COUNTERS + counter)
                * CountersReader.COUNTER_LENGTH;
    }

    private void text(final long length, final long at, final int most, final byte[] bytes) {
        write(address + at, Arrays.copyOf(bytes, Math.min(bytes.length, most)));
        Memory.putInt(address + length, Math.min(bytes.length, most));
    }

    static void write(final long at, final byte[] bytes) {
        for (int i = 0; i < bytes.length; i++) {
            Memory.putByte(at + i, bytes[i]);
        }
    }
}
