package org.chagres.verbs.rdmacore;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Objects;
import org.chagres.bindings.verbs.ibv_send_wr;
import org.chagres.bindings.verbs.ibv_sge;
import org.chagres.bindings.verbs.verbs_h;

/**
 * An array of {@code ibv_send_wr}, each with room for some gather entries, linked in a ring. Fields are written at constant offsets; the arena's liveness
 * is checked with each.
 */
final class SendTable {
    static final int RDMA_WRITE = verbs_h.IBV_WR_RDMA_WRITE();
    static final int RDMA_WRITE_WITH_IMM = verbs_h.IBV_WR_RDMA_WRITE_WITH_IMM();
    static final int SEND = verbs_h.IBV_WR_SEND();
    static final int SEND_WITH_IMM = verbs_h.IBV_WR_SEND_WITH_IMM();
    static final int RDMA_READ = verbs_h.IBV_WR_RDMA_READ();
    static final int COMPARE_AND_SWAP = verbs_h.IBV_WR_ATOMIC_CMP_AND_SWP();
    static final int FETCH_AND_ADD = verbs_h.IBV_WR_ATOMIC_FETCH_AND_ADD();

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfInt NETWORK_INT = INT.withOrder(ByteOrder.BIG_ENDIAN);
    private static final long SIZE = ibv_send_wr.sizeof();
    private static final long ID = ibv_send_wr.wr_id$offset();
    private static final long NEXT = ibv_send_wr.next$offset();
    private static final long LIST = ibv_send_wr.sg_list$offset();
    private static final long ENTRIES = ibv_send_wr.num_sge$offset();
    private static final long OPCODE = ibv_send_wr.opcode$offset();
    private static final long FLAGS = ibv_send_wr.send_flags$offset();
    private static final long IMMEDIATE = ibv_send_wr.imm_data$offset();
    private static final long WR = ibv_send_wr.wr$offset();
    private static final long REMOTE_ADDRESS = WR + ibv_send_wr.wr.rdma$offset()
            + ibv_send_wr.wr.rdma.remote_addr$offset();
    private static final long REMOTE_KEY = WR + ibv_send_wr.wr.rdma$offset() + ibv_send_wr.wr.rdma.rkey$offset();
    private static final long ATOMIC = WR + ibv_send_wr.wr.atomic$offset();
    private static final long ATOMIC_ADDRESS = ATOMIC + ibv_send_wr.wr.atomic.remote_addr$offset();
    private static final long ATOMIC_KEY = ATOMIC + ibv_send_wr.wr.atomic.rkey$offset();
    private static final long COMPARE_OR_ADD = ATOMIC + ibv_send_wr.wr.atomic.compare_add$offset();
    private static final long SWAP = ATOMIC + ibv_send_wr.wr.atomic.swap$offset();
    private static final long HANDLE = WR + ibv_send_wr.wr.ud$offset() + ibv_send_wr.wr.ud.ah$offset();
    private static final long REMOTE_QPN = WR + ibv_send_wr.wr.ud$offset() + ibv_send_wr.wr.ud.remote_qpn$offset();
    private static final long REMOTE_QKEY = WR + ibv_send_wr.wr.ud$offset() + ibv_send_wr.wr.ud.remote_qkey$offset();
    private static final long SGE_SIZE = ibv_sge.sizeof();
    private static final long SGE_ADDRESS = ibv_sge.addr$offset();
    private static final long SGE_LENGTH = ibv_sge.length$offset();
    private static final long SGE_KEY = ibv_sge.lkey$offset();

    private final int slots;
    private final int entries;
    private final MemorySegment memory;
    private final long address;
    /** Where the gather entries of slot 0 start in the memory. */
    private final long lists;
    /** Where a failed post leaves the address of the first request not posted. */
    private final long bad;

    SendTable(final Arena arena, final int slots, final int entries) {
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

    /** Fills a slot with a request of one local entry. */
    void fill(final int slot, final int opcode, final long id, final long localAddress, final int localKey,
            final int length, final int flags) {
        final long at = Objects.checkIndex(slot, slots) * SIZE;
        memory.set(LONG, at + ID, id);
        memory.set(INT, at + ENTRIES, 1);
        memory.set(INT, at + OPCODE, opcode);
        memory.set(INT, at + FLAGS, flags);
        final long entry = list(slot);
        memory.set(LONG, entry + SGE_ADDRESS, localAddress);
        memory.set(INT, entry + SGE_LENGTH, length);
        memory.set(INT, entry + SGE_KEY, localKey);
    }

    /** Fills a slot with a request of no local entry. */
    void fillEmpty(final int slot, final int opcode, final long id, final int flags) {
        final long at = Objects.checkIndex(slot, slots) * SIZE;
        memory.set(LONG, at + ID, id);
        memory.set(INT, at + ENTRIES, 0);
        memory.set(INT, at + OPCODE, opcode);
        memory.set(INT, at + FLAGS, flags);
    }

    void immediate(final int slot, final int value) {
        memory.set(NETWORK_INT, slot * SIZE + IMMEDIATE, value);
    }

    void remote(final int slot, final long remoteAddress, final int remoteKey) {
        memory.set(LONG, slot * SIZE + REMOTE_ADDRESS, remoteAddress);
        memory.set(INT, slot * SIZE + REMOTE_KEY, remoteKey);
    }

    void atomic(final int slot, final long remoteAddress, final int remoteKey, final long compareOrAdd,
            final long swap) {
        final long at = slot * SIZE;
        memory.set(LONG, at + ATOMIC_ADDRESS, remoteAddress);
        memory.set(INT, at + ATOMIC_KEY, remoteKey);
        memory.set(LONG, at + COMPARE_OR_ADD, compareOrAdd);
        memory.set(LONG, at + SWAP, swap);
    }

    void destination(final int slot, final long handle, final int queuePairNumber, final int qkey) {
        final long at = Objects.checkIndex(slot, slots) * SIZE;
        memory.set(LONG, at + HANDLE, handle);
        memory.set(INT, at + REMOTE_QPN, queuePairNumber);
        memory.set(INT, at + REMOTE_QKEY, qkey);
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

    /** Where a failed post leaves the address of the first request not posted. */
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
