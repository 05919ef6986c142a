package org.chagres.bench.perf;

import java.lang.foreign.MemorySegment;

/**
 * One checked operation: fresh inputs, results compared element by element, and everything around them that must not have changed.
 */
final class Check {
    private final Case row;
    private final int rank;
    private final Placement place;
    private final TestData data;

    /** @param seed the same on all ranks, another one for each check */
    Check(final Case row, final int rank, final Placement place, final long seed) {
        this.row = row;
        this.rank = rank;
        this.place = place;
        this.data = new TestData(row.type(), row.op(), row.ranks(), seed);
    }

    /** Writes this rank's input, and marks all that the operation must leave alone or overwrite. */
    void prepare() {
        GuardedBuffer.markUntouched(place.guarded().area(place.area()));
        place.guarded().armGuards(place.area());
        if (row.sends(rank)) {
            for (int block = 0; block < sendBlocks(); block++) {
                sent(block).fill(block(place.send(), block, sendBlockCount()), 0, sendBlockCount());
            }
        }
    }

    /** Counts wrong elements, and bytes written out of bounds or into the input, on this rank. */
    long wrong() {
        long wrong = place.guarded().overwrittenGuards(place.area());
        if (row.receives(rank)) {
            wrong += wrongResults();
        } else if (!place.inPlace()) {
            wrong += GuardedBuffer.changed(place.recv());
        }
        return wrong + (place.inPlace() || !row.sends(rank) ? 0 : changedInputs());
    }

    private long wrongResults() {
        return switch (row.collective()) {
            case ALL_REDUCE, REDUCE -> data.reduced().wrong(place.recv(), 0, row.count());
            case REDUCE_SCATTER -> data.reduced().wrong(place.recv(), rank * row.count(), row.count());
            case BROADCAST -> data.moved(row.root()).wrong(place.recv(), 0, row.count());
            case SCATTER -> data.moved(rank).wrong(place.recv(), 0, row.count());
            case SEND_RECV -> data.moved((rank + row.ranks() - 1) % row.ranks()).wrong(place.recv(), 0, row.count());
            case ALL_GATHER, GATHER -> wrongBlocks(1, 0);
            case ALL_TO_ALL -> wrongBlocks(row.ranks(), rank);
            case BARRIER -> 0;
        };
    }

    /** Block {@code s} of the result comes from source {@code s * stride + offset}. */
    private long wrongBlocks(final int stride, final int offset) {
        long wrong = 0;
        for (int sender = 0; sender < row.ranks(); sender++) {
            wrong += data.moved(sender * stride + offset)
                    .wrong(block(place.recv(), sender, row.count()), 0, row.count());
        }
        return wrong;
    }

    private long changedInputs() {
        long wrong = 0;
        for (int block = 0; block < sendBlocks(); block++) {
            wrong += sent(block).wrong(block(place.send(), block, sendBlockCount()), 0, sendBlockCount());
        }
        return wrong;
    }

    private Pattern sent(final int block) {
        return switch (row.collective()) {
            case ALL_REDUCE, REDUCE, REDUCE_SCATTER -> data.input(rank);
            case ALL_TO_ALL -> data.moved(rank * row.ranks() + block);
            case SCATTER -> data.moved(block);
            case BROADCAST, ALL_GATHER, GATHER, SEND_RECV, BARRIER -> data.moved(rank);
        };
    }

    private int sendBlocks() {
        return switch (row.collective()) {
            case ALL_TO_ALL, SCATTER -> row.ranks();
            default -> 1;
        };
    }

    private long sendBlockCount() {
        return row.sendCount() / sendBlocks();
    }

    private MemorySegment block(final MemorySegment segment, final int index, final long count) {
        final long bytes = count * row.type().size();
        return segment.asSlice(index * bytes, bytes);
    }
}
