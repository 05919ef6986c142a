package org.chagres.verbs.rdmacore;

import java.lang.foreign.Arena;
import org.chagres.bindings.verbs.ibv_recv_wr;

/** A table of {@code ibv_recv_wr}. */
final class ReceiveTable extends RequestTable {
    private static final long ENTRIES = ibv_recv_wr.num_sge$offset();

    ReceiveTable(final Arena arena, final int slots, final int entries) {
        super(arena, ibv_recv_wr.sizeof(), slots, entries);
    }

    /** Fills a slot with a request of no local entry. */
    void fill(final int slot, final long id) {
        final long at = at(slot);
        id(at, id);
        MEMORY.set(INT, at + ENTRIES, 0);
    }

    /** Sets local entry {@code entry}; the request then has {@code entry + 1}. */
    void entry(final int slot, final int entry, final long localAddress, final int localKey, final int length) {
        final long at = at(slot);
        setEntry(slot, entry, localAddress, localKey, length);
        MEMORY.set(INT, at + ENTRIES, entry + 1);
    }
}
