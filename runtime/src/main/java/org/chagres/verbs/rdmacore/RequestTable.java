package org.chagres.verbs.rdmacore;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.chagres.bindings.verbs.ibv_send_wr;
import org.chagres.bindings.verbs.ibv_sge;

/**
 * An array of work requests, each with room for some local entries, linked in a ring that is cut at one place. {@code ibv_send_wr} and
 * {@code ibv_recv_wr} begin alike: number, link, entries.
 *
 * <p>Fields are written by absolute address, without the checks of a segment of its own, which would cost more than the writes. What replaces them: a slot
 * is compared with {@link #slots}, which {@link #retire} sets to 0; and whoever may be late still writes to memory that exists, if the arena is an automatic
 * one.
 */
abstract class RequestTable {
    static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

    private static final long ID = ibv_send_wr.wr_id$offset();
    private static final long NEXT = ibv_send_wr.next$offset();
    private static final long LIST = ibv_send_wr.sg_list$offset();
    private static final long SGE_SIZE = ibv_sge.sizeof();
    private static final long SGE_ADDRESS = ibv_sge.addr$offset();
    private static final long SGE_LENGTH_AND_KEY = ibv_sge.length$offset();

    /** Keeps the memory of an automatic arena. */
    private final MemorySegment memory;
    private final long size;
    private final int entries;
    private final long address;
    /** Where the entries of slot 0 start. */
    private final long lists;
    /** Where a failed post leaves the address of the first request not posted. */
    private final long bad;
    private int slots;
    /** The slot that no other follows. */
    private int cut;

    /** A table of requests of {@code size} bytes. */
    RequestTable(final Arena arena, final long size, final int slots, final int entries) {
        this.size = size;
        this.slots = slots;
        this.entries = entries;
        final long requestBytes = size * slots;
        final long listBytes = SGE_SIZE * entries * slots;
        this.memory = arena.allocate(requestBytes + listBytes + Long.BYTES, Long.BYTES);
        this.address = memory.address();
        this.lists = address + requestBytes;
        this.bad = lists + listBytes;
        for (int slot = 0; slot < slots; slot++) {
            link(slot);
            MEMORY.set(LONG, at(slot) + LIST, list(slot));
        }
        cutAfter(slots - 1);
    }

    /** Refuses all slots from now on. */
    final void retire() {
        slots = 0;
    }

    final int slots() {
        return slots;
    }

    final int entries() {
        return entries;
    }

    /** The address of a slot that exists. */
    final long at(final int slot) {
        if (slot < 0 || slot >= slots) {
            throw refused(slot);
        }
        return address + slot * size;
    }

    private RuntimeException refused(final int slot) {
        return slots == 0
                ? new IllegalStateException("these prepared requests are closed, alone or with their queue")
                : new IndexOutOfBoundsException("slot " + slot + " of " + slots);
    }

    static void id(final long at, final long id) {
        MEMORY.set(LONG, at + ID, id);
    }

    /** Two neighbouring 32-bit fields, written at once: all platforms that RDMA runs on are little-endian. */
    static long pair(final int first, final int second) {
        return (long) second << Integer.SIZE | Integer.toUnsignedLong(first);
    }

    /** Sets the first entry of a slot, without counting it. */
    final void firstEntry(final int slot, final long localAddress, final int localKey, final int length) {
        final long entry = list(slot);
        MEMORY.set(LONG, entry + SGE_ADDRESS, localAddress);
        MEMORY.set(LONG, entry + SGE_LENGTH_AND_KEY, pair(length, localKey));
    }

    /** Sets entry {@code entry} of a slot, without counting it. */
    final void setEntry(final int slot, final int entry, final long localAddress, final int localKey,
            final int length) {
        if (entry < 0 || entry >= entries) {
            throw new IndexOutOfBoundsException("entry " + entry + " of a slot with room for " + entries);
        }
        final long at = list(slot) + entry * SGE_SIZE;
        MEMORY.set(LONG, at + SGE_ADDRESS, localAddress);
        MEMORY.set(LONG, at + SGE_LENGTH_AND_KEY, pair(length, localKey));
    }

    /** Makes {@code count} slots from {@code first} on a list. */
    final void cut(final int first, final int count) {
        final int last = last(first, count);
        if (last != cut) {
            link(cut);
            cutAfter(last);
        }
    }

    private int last(final int first, final int count) {
        final int size = slots;
        if (first < 0 || first >= size || count < 1 || count > size) {
            throw size == 0
                    ? refused(first)
                    : new IndexOutOfBoundsException(count + " slots from " + first + " on, of " + size);
        }
        final int last = first + count - 1;
        return last < size ? last : last - size;
    }

    private void cutAfter(final int slot) {
        MEMORY.set(LONG, at(slot) + NEXT, 0);
        cut = slot;
    }

    private void link(final int slot) {
        final int next = slot + 1 == slots ? 0 : slot + 1;
        MEMORY.set(LONG, at(slot) + NEXT, address + next * size);
    }

    /** Where a failed post leaves the address of the first request not posted. */
    final long bad() {
        return bad;
    }

    /** After a failed post: how many slots from {@code first} on were posted; 0 if the call did not say. */
    final int posted(final int first) {
        final long offset = memory.get(LONG, bad - address) - address;
        return offset < 0 || offset >= lists - address ? 0 : Math.floorMod((int) (offset / size) - first, slots);
    }

    private long list(final int slot) {
        return lists + (long) slot * entries * SGE_SIZE;
    }
}
