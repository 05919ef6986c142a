package org.chagres.verbs.rdmacore;

import java.lang.foreign.Arena;
import org.chagres.bindings.ContextOps;
import org.chagres.verbs.PreparedReceives;

/** A {@link ReceiveTable} and the queue that it is posted to; see {@link NativePreparedSends}. */
final class NativePreparedReceives extends NativeObject implements PreparedReceives {
    private final NativeObject owner;
    private final ContextOps ops;
    private final long queue;
    private final boolean shared;
    private final Arena arena = Arena.ofShared();
    private final ReceiveTable table;
    private int posted;

    /** For a queue pair, or a shared receive queue. */
    NativePreparedReceives(final NativeObject owner, final ContextOps ops, final long queue, final boolean shared,
            final int slots,
            final int scatterEntries) {
        super(owner);
        this.owner = owner;
        this.ops = ops;
        this.queue = queue;
        this.shared = shared;
        this.table = new ReceiveTable(arena, slots, scatterEntries);
        adopted();
    }

    @Override
    public int slots() {
        return table.slots();
    }

    @Override
    public int scatterEntries() {
        return table.entries();
    }

    @Override
    public void receive(final int slot, final long id) {
        table.fill(slot, id);
    }

    @Override
    public void receive(final int slot, final long id, final long localAddress, final int localKey, final int length) {
        table.fill(slot, id);
        table.entry(slot, 0, localAddress, localKey, length);
    }

    @Override
    public void entry(final int slot, final int entry, final long localAddress, final int localKey, final int length) {
        table.entry(slot, entry, localAddress, localKey, length);
    }

    @Override
    public int post(final int first, final int count) {
        checkOpen();
        final int last = Slots.last(first, count, table.slots());
        table.cut(last);
        final int status = shared
                ? ops.postSrqRecv(queue, table.address(first), table.badAddress())
                : ops.postRecv(queue, table.address(first), table.badAddress());
        table.link(last);
        return status == 0 ? 0 : failed(status, first);
    }

    private int failed(final int status, final int first) {
        posted = Slots.before(table.badSlot(), first, table.slots());
        return Slots.errno(status);
    }

    @Override
    public int posted() {
        return posted;
    }

    @Override
    void destroy() {
        arena.close();
    }

    @Override
    public String toString() {
        return table.slots() + " prepared receives of " + owner;
    }
}
