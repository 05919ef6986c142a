package org.chagres.verbs.rdmacore;

import java.lang.foreign.Arena;
import java.util.Objects;
import org.chagres.bindings.verbs.ibv_recv_wr;
import org.chagres.bindings.verbs.ibv_sge;

/** An array of {@code ibv_recv_wr}, each with room for some scatter entries, linked in a ring; see {@link SendTable}. */
final class ReceiveTable {
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
    private final long address;
    private final long lists;
    private final long bad;
    /** The slot that nothing follows: the only one, so that the lists of the hot path, which mostly end alike, need not be linked anew. */
    private int end;

    ReceiveTable(final Arena arena, final int slots, final int entries) {
        this.slots = slots;
        this.entries = entries;
        final long requests = SIZE * slots;
        final long all = requests + SGE_SIZE * entries * slots;
        this.address = arena.allocate(all + Long.BYTES, Long.BYTES).address();
        this.lists = address + requests;
        this.bad = address + all;
        for (int slot = 0; slot < slots; slot++) {
            link(slot);
            RawMemory.putLong(address(slot) + LIST, list(slot));
        }
        end = slots - 1;
        RawMemory.putLong(address(end) + NEXT, 0);
    }

    int slots() {
        return slots;
    }

    int entries() {
        return entries;
    }

    /** Fills a slot with a request of no local entry. */
    void fill(final int slot, final long id) {
        RawMemory.putLong(checked(slot) + ID, id);
        RawMemory.putInt(address(slot) + ENTRIES, 0);
    }

    /** Sets local entry {@code entry}; the request then has {@code entry + 1}. */
    void entry(final int slot, final int entry, final long localAddress, final int localKey, final int length) {
        if (entry < 0 || entry >= entries) {
            throw new IndexOutOfBoundsException("entry " + entry + " of a slot with room for " + entries);
        }
        RawMemory.putInt(checked(slot) + ENTRIES, entry + 1);
        final long at = list(slot) + entry * SGE_SIZE;
        RawMemory.putLong(at + SGE_ADDRESS, localAddress);
        RawMemory.putInt(at + SGE_LENGTH, length);
        RawMemory.putInt(at + SGE_KEY, localKey);
    }

    /** Makes {@code slot} the last of a list, instead of the one that was. */
    void end(final int slot) {
        if (slot != end) {
            link(end);
            RawMemory.putLong(address(slot) + NEXT, 0);
            end = slot;
        }
    }

    /** Makes the next one in the ring follow {@code slot}. */
    private void link(final int slot) {
        final int next = slot + 1 == slots ? 0 : slot + 1;
        RawMemory.putLong(address(slot) + NEXT, address(next));
    }

    long address(final int slot) {
        return address + slot * SIZE;
    }

    long badAddress() {
        return bad;
    }

    /** The slot that a failed post left; -1 if it left none of these. */
    int badSlot() {
        final long offset = RawMemory.getLong(bad) - address;
        return offset < 0 || offset >= SIZE * slots ? -1 : (int) (offset / SIZE);
    }

    private long checked(final int slot) {
        return address(Objects.checkIndex(slot, slots));
    }

    private long list(final int slot) {
        return lists + (long) slot * entries * SGE_SIZE;
    }
}
