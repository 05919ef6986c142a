package org.chagres.collectives.proof;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One buffer of one rank as ranges of elements that share a history. The number of ranges grows with the steps, not with the elements, so
 * plans for gigabytes are as quick to prove as those for bytes.
 */
final class Memory {
    /** A range and what it holds. */
    static final class Cell {
        final long start;
        long end;
        /** Null before the first write. */
        Value value;
        /** Where the first element was in its rank's input. */
        long index;
        Access write;
        /** By channel of this rank: the time of the last read, 0 if none. Only a rank itself and its links read its memory. */
        final long[] reads;
        /** The last one of each channel and peer, which ends after those before it. Never changed, only replaced. */
        List<Reading> readings = List.of();

        Cell(final long start, final long end, final long[] reads) {
            this.start = start;
            this.end = end;
            this.reads = reads;
        }

        void add(final Reading reading) {
            if (readings.isEmpty()) {
                readings = List.of(reading);
                return;
            }
            final List<Reading> all = new ArrayList<>(readings);
            all.removeIf(old -> old.channel() == reading.channel() && old.peer() == reading.peer());
            all.add(reading);
            readings = all;
        }
    }

    /** A range of values on its way: {@code length} elements whose first has {@code index}. */
    record Run(long length, Value value, long index) {}

    private final TreeMap<Long, Cell> cells = new TreeMap<>();
    private final int channels;
    final long length;

    Memory(final long length, final int channels) {
        this.length = length;
        this.channels = channels;
        if (length > 0) {
            cells.put(0L, new Cell(0, length, new long[channels]));
        }
    }

    /** The cells of {@code count} elements from {@code start} on, cut to fit. */
    List<Cell> range(final long start, final long count) {
        cut(start);
        cut(start + count);
        return new ArrayList<>(cells.subMap(start, start + count).values());
    }

    private void cut(final long at) {
        final Map.Entry<Long, Cell> entry = cells.floorEntry(at);
        if (entry == null || entry.getKey() == at || entry.getValue().end <= at) {
            return;
        }
        final Cell left = entry.getValue();
        final Cell right = new Cell(at, left.end, left.reads.clone());
        right.value = left.value;
        right.index = left.index + (at - left.start);
        right.write = left.write;
        right.readings = left.readings;
        left.end = at;
        cells.put(at, right);
    }

    /** Replaces what {@code count} elements from {@code start} on hold, and forgets who read it. */
    void write(final long start, final long count, final List<Run> runs, final Access write) {
        cut(start);
        cut(start + count);
        cells.subMap(start, start + count).clear();
        long at = start;
        for (final Run run : runs) {
            final Cell cell = new Cell(at, at + run.length(), new long[channels]);
            cell.value = run.value();
            cell.index = run.index();
            cell.write = write;
            cells.put(at, cell);
            at += run.length();
        }
    }
}
