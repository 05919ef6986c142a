package org.chagres.verbs.rdmacore;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import org.chagres.bindings.verbs.ibv_recv_wr;
import org.chagres.bindings.verbs.ibv_sge;

/** An array of {@code ibv_recv_wr}, each with room for some scatter entries, linked in a ring; see {@link SendTable}. */
final class ReceiveTable {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final long SIZE = ibv_recv_wr.sizeof();
    private static final long ID = ibv_recv_wr.wr_id$offset();
    private static final long NEXT = ibv_recv_wr.next$offset();
    private static final long LIST = ibv_recv_wr.sg_list$offset();
    private static final long ENTRIES = ibv_recv_wr.num_sge$offset();
    private static final long SGE_SIZE = ibv_sge.sizeof();
    private static final long SGE_ADDRESS = ibv_sge.addr$offset();
    private static final long SGE_LENGTH = ibv_sge.length$offset();
    private static final long SGE_KEY = ibv_sge.lkey$offset();

    private final int slots;
    private final int entries;
    private final MemorySegment memory;
    private final long address;
    private final long lists;
    private final long bad;

    ReceiveTable(final Arena arena, final int slots, final int entries) {
        this.slots = slots;
        this.entries = entries;
        this.lists = SIZE * slots;
        this.bad = lists + SGE_SIZE * entries * slots;
        this.memory = arena.allocate(bad + Long.BYTES, Long.BYTES);
        this.address = memory.address();
        for (int slot = 0; slot < slots; slot++) {
            link(slot);
            memory.set(LONG, slot * SIZE + LIST, address + list(slot));
        }
    }

    int slots() {
        return slots;
    }

    int entries() {
        return entries;
    }

    /** Fills a slot with a request of no local entry. */
    void fill(final int slot, final long id) {
        memory.set(LONG, Objects.checkIndex(slot, slots) * SIZE + ID, id);
        memory.set(INT, slot * SIZE + ENTRIES, 0);
    }

    /** Sets local entry {@code entry}; the request then has {@code entry + 1}. */
    void entry(final int slot, final int entry, final long localAddress, final int localKey, final int length) {
        if (entry < 0 || entry >= entries) {
            throw new IndexOutOfBoundsException("entry " + entry + " of a slot with room for " + entries);
        }
        memory.set(INT, Objects.checkIndex(slot, slots) * SIZE + ENTRIES, entry + 1);
        final long at = list(slot) + entry * SGE_SIZE;
        memory.set(LONG, at + SGE_ADDRESS, localAddress);
        memory.set(INT, at + SGE_LENGTH, length);
        memory.set(INT, at + SGE_KEY, localKey);
    }

    /** Makes {@code slot} the last of a list. */
    void cut(final int slot) {
        memory.set(LONG, slot * SIZE + NEXT, 0);
    }

    /** Makes the next one in the ring follow {@code slot}. */
    void link(final int slot) {
        final int next = slot + 1 == slots ? 0 : slot + 1;
        memory.set(LONG, slot * SIZE + NEXT, address + next * SIZE);
    }

    long address(final int slot) {
        return address + slot * SIZE;
    }

    long badAddress() {
        return address + bad;
    }

    /** The slot that a failed post left; -1 if it left none of these. */
    int badSlot() {
        final long offset = memory.get(LONG, bad) - address;
        return offset < 0 || offset >= lists ? -1 : (int) (offset / SIZE);
    }

    private long list(final int slot) {
        return lists + (long) slot * entries * SGE_SIZE;
    }
}
