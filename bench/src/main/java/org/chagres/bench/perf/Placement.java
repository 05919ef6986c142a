package org.chagres.bench.perf;

import java.lang.foreign.MemorySegment;

/**
 * Where one rank's data of a row lies.
 *
 * @param send what the rank sends
 * @param recv what the rank receives; in place, this and {@code send} lie in one area as NCCL defines
 * @param guarded the buffer that {@code recv} lies in
 * @param area bytes of {@code guarded} in use
 */
record Placement(MemorySegment send, MemorySegment recv, boolean inPlace, GuardedBuffer guarded, long area) {
    static Placement outOfPlace(final Case row, final GuardedBuffer send, final GuardedBuffer recv) {
        final long sendBytes = row.sendCount() * row.type().size();
        final long recvBytes = row.recvCount() * row.type().size();
        return new Placement(send.area(sendBytes), recv.area(recvBytes), false, recv, recvBytes);
    }

    static Placement inPlace(final Case row, final int rank, final GuardedBuffer buffer) {
        final long size = row.type().size();
        final MemorySegment area = buffer.area(row.bytes());
        return new Placement(area.asSlice(row.sendInPlaceOffset(rank) * size, row.sendCount() * size),
                area.asSlice(row.recvInPlaceOffset(rank) * size, row.recvCount() * size), true, buffer, row.bytes());
    }
}
