package org.chagres.verbs.rdmacore;

import java.lang.foreign.Arena;
import java.util.Objects;
import org.chagres.bindings.verbs.ibv_send_wr;
import org.chagres.bindings.verbs.ibv_sge;
import org.chagres.bindings.verbs.verbs_h;

/**
 * An array of {@code ibv_send_wr}, each with room for some gather entries, linked in a ring. Fields are written at constant offsets; that the arena
 * is alive, its user checks.
 */
final class SendTable {
    static final int RDMA_WRITE = verbs_h.IBV_WR_RDMA_WRITE();
    static final int RDMA_WRITE_WITH_IMM = verbs_h.IBV_WR_RDMA_WRITE_WITH_IMM();
    static final int SEND = verbs_h.IBV_WR_SEND();
    static final int SEND_WITH_IMM = verbs_h.IBV_WR_SEND_WITH_IMM();
    static final int RDMA_READ = verbs_h.IBV_WR_RDMA_READ();
    static final int COMPARE_AND_SWAP = verbs_h.IBV_WR_ATOMIC_CMP_AND_SWP();
    static final int FETCH_AND_ADD = verbs_h.IBV_WR_ATOMIC_FETCH_AND_ADD();

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
    private final long address;
    /** The address of the gather entries of slot 0. */
    private final long lists;
    /** The address where a failed post leaves that of the first request not posted. */
    private final long bad;
    /** The slot that nothing follows: the only one, so that the lists of the hot path, which mostly end alike, need not be linked anew. */
    private int end;

    SendTable(final Arena arena, final int slots, final int entries) {
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

    /** Fills a slot with a request of one local entry. */
    void fill(final int slot, final int opcode, final long id, final long localAddress, final int localKey,
            final int length, final int flags) {
        final long at = checked(slot);
        RawMemory.putLong(at + ID, id);
        RawMemory.putInt(at + ENTRIES, 1);
        RawMemory.putInt(at + OPCODE, opcode);
        RawMemory.putInt(at + FLAGS, flags);
        final long entry = list(slot);
        RawMemory.putLong(entry + SGE_ADDRESS, localAddress);
        RawMemory.putInt(entry + SGE_LENGTH, length);
        RawMemory.putInt(entry + SGE_KEY, localKey);
    }

    /** Fills a slot with a request of no local entry. */
    void fillEmpty(final int slot, final int opcode, final long id, final int flags) {
        final long at = checked(slot);
        RawMemory.putLong(at + ID, id);
        RawMemory.putInt(at + ENTRIES, 0);
        RawMemory.putInt(at + OPCODE, opcode);
        RawMemory.putInt(at + FLAGS, flags);
    }

    void immediate(final int slot, final int value) {
        RawMemory.putNetworkInt(address(slot) + IMMEDIATE, value);
    }

    void remote(final int slot, final long remoteAddress, final int remoteKey) {
        RawMemory.putLong(address(slot) + REMOTE_ADDRESS, remoteAddress);
        RawMemory.putInt(address(slot) + REMOTE_KEY, remoteKey);
    }

    void atomic(final int slot, final long remoteAddress, final int remoteKey, final long compareOrAdd,
            final long swap) {
        final long at = address(slot);
        RawMemory.putLong(at + ATOMIC_ADDRESS, remoteAddress);
        RawMemory.putInt(at + ATOMIC_KEY, remoteKey);
        RawMemory.putLong(at + COMPARE_OR_ADD, compareOrAdd);
        RawMemory.putLong(at + SWAP, swap);
    }

    void destination(final int slot, final long handle, final int queuePairNumber, final int qkey) {
        final long at = checked(slot);
        RawMemory.putLong(at + HANDLE, handle);
        RawMemory.putInt(at + REMOTE_QPN, queuePairNumber);
        RawMemory.putInt(at + REMOTE_QKEY, qkey);
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

    /** Where a failed post leaves the address of the first request not posted. */
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
