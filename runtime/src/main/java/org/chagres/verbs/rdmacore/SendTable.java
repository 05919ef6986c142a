package org.chagres.verbs.rdmacore;

import java.lang.foreign.Arena;
import org.chagres.bindings.verbs.ibv_send_wr;
import org.chagres.bindings.verbs.verbs_h;

/** A table of {@code ibv_send_wr}. */
final class SendTable extends RequestTable {
    static final int RDMA_WRITE = verbs_h.IBV_WR_RDMA_WRITE();
    static final int RDMA_WRITE_WITH_IMM = verbs_h.IBV_WR_RDMA_WRITE_WITH_IMM();
    static final int SEND = verbs_h.IBV_WR_SEND();
    static final int SEND_WITH_IMM = verbs_h.IBV_WR_SEND_WITH_IMM();
    static final int RDMA_READ = verbs_h.IBV_WR_RDMA_READ();
    static final int COMPARE_AND_SWAP = verbs_h.IBV_WR_ATOMIC_CMP_AND_SWP();
    static final int FETCH_AND_ADD = verbs_h.IBV_WR_ATOMIC_FETCH_AND_ADD();

    private static final long ENTRIES = ibv_send_wr.num_sge$offset();
    private static final long ENTRIES_AND_OPCODE = ENTRIES;
    private static final long FLAGS_AND_IMMEDIATE = ibv_send_wr.send_flags$offset();
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

    SendTable(final Arena arena, final int slots, final int entries) {
        super(arena, ibv_send_wr.sizeof(), slots, entries);
    }

    /**
     * Fills a slot with a request of one local entry.
     *
     * @param immediate in host byte order
     * @return the slot's address
     */
    long fill(final int slot, final int opcode, final long id, final long localAddress, final int localKey,
            final int length, final int immediate,
            final int flags) {
        final long at = at(slot);
        head(at, opcode, id, 1, immediate, flags);
        firstEntry(slot, localAddress, localKey, length);
        return at;
    }

    /** Fills a slot with a request of no local entry. */
    long fillEmpty(final int slot, final int opcode, final long id, final int immediate, final int flags) {
        final long at = at(slot);
        head(at, opcode, id, 0, immediate, flags);
        return at;
    }

    private static void head(final long at, final int opcode, final long id, final int entries, final int immediate,
            final int flags) {
        id(at, id);
        MEMORY.set(LONG, at + ENTRIES_AND_OPCODE, pair(entries, opcode));
        MEMORY.set(LONG, at + FLAGS_AND_IMMEDIATE, pair(flags, Integer.reverseBytes(immediate)));
    }

    /** Where the request at {@code at} writes to or reads from. */
    static void remote(final long at, final long remoteAddress, final int remoteKey) {
        MEMORY.set(LONG, at + REMOTE_ADDRESS, remoteAddress);
        MEMORY.set(INT, at + REMOTE_KEY, remoteKey);
    }

    static void atomic(final long at, final long remoteAddress, final int remoteKey, final long compareOrAdd,
            final long swap) {
        MEMORY.set(LONG, at + ATOMIC_ADDRESS, remoteAddress);
        MEMORY.set(INT, at + ATOMIC_KEY, remoteKey);
        MEMORY.set(LONG, at + COMPARE_OR_ADD, compareOrAdd);
        MEMORY.set(LONG, at + SWAP, swap);
    }

    static void destination(final long at, final long handle, final int queuePairNumber, final int qkey) {
        MEMORY.set(LONG, at + HANDLE, handle);
        MEMORY.set(INT, at + REMOTE_QPN, queuePairNumber);
        MEMORY.set(INT, at + REMOTE_QKEY, qkey);
    }

    /** Sets local entry {@code entry}; the request then has {@code entry + 1}. */
    void entry(final int slot, final int entry, final long localAddress, final int localKey, final int length) {
        final long at = at(slot);
        setEntry(slot, entry, localAddress, localKey, length);
        MEMORY.set(INT, at + ENTRIES, entry + 1);
    }
}
