package org.chagres.verbs.rdmacore;

import java.lang.foreign.Arena;
import org.chagres.bindings.ContextOps;
import org.chagres.verbs.AddressHandle;
import org.chagres.verbs.PreparedSends;

/** A {@link SendTable} and the queue pair that it is posted to. Its arena is the guard: once it is closed, every access is an exception. */
final class NativePreparedSends extends NativeObject implements PreparedSends {
    private final NativeQueuePair queuePair;
    private final ContextOps ops;
    private final long queue;
    private final Arena arena = Arena.ofShared();
    private final SendTable table;
    /** The destination of each slot, to refuse one that is closed by now; null if the queue pair is connected. */
    private final NativeAddressHandle[] handles;
    private int posted;

    NativePreparedSends(final NativeQueuePair queuePair, final ContextOps ops, final long queue, final int slots,
            final int gatherEntries) {
        super(queuePair);
        this.queuePair = queuePair;
        this.ops = ops;
        this.queue = queue;
        this.table = new SendTable(arena, slots, gatherEntries);
        this.handles = queuePair.type().isConnected() ? null : new NativeAddressHandle[slots];
        adopted();
    }

    @Override
    public NativeQueuePair queuePair() {
        return queuePair;
    }

    @Override
    public int slots() {
        return table.slots();
    }

    @Override
    public int gatherEntries() {
        return table.entries();
    }

    @Override
    public void send(final int slot, final long id, final long localAddress, final int localKey, final int length,
            final int flags) {
        table.fill(slot, SendTable.SEND, id, localAddress, localKey, length, flags);
    }

    @Override
    public void sendWithImmediate(final int slot, final long id, final long localAddress, final int localKey,
            final int length, final int immediate,
            final int flags) {
        table.fill(slot, SendTable.SEND_WITH_IMM, id, localAddress, localKey, length, flags);
        table.immediate(slot, immediate);
    }

    @Override
    public void write(final int slot, final long id, final long localAddress, final int localKey, final int length,
            final long remoteAddress,
            final int remoteKey, final int flags) {
        table.fill(slot, SendTable.RDMA_WRITE, id, localAddress, localKey, length, flags);
        table.remote(slot, remoteAddress, remoteKey);
    }

    @Override
    public void writeWithImmediate(final int slot, final long id, final long localAddress, final int localKey,
            final int length,
            final long remoteAddress, final int remoteKey, final int immediate, final int flags) {
        table.fill(slot, SendTable.RDMA_WRITE_WITH_IMM, id, localAddress, localKey, length, flags);
        table.remote(slot, remoteAddress, remoteKey);
        table.immediate(slot, immediate);
    }

    @Override
    public void signal(final int slot, final long id, final int immediate, final int flags) {
        table.fillEmpty(slot, SendTable.RDMA_WRITE_WITH_IMM, id, flags);
        // Of a write of no bytes, neither address nor key is looked at (InfiniBand specification, C9-88).
        table.remote(slot, 0, 0);
        table.immediate(slot, immediate);
    }

    @Override
    public void read(final int slot, final long id, final long localAddress, final int localKey, final int length,
            final long remoteAddress,
            final int remoteKey, final int flags) {
        table.fill(slot, SendTable.RDMA_READ, id, localAddress, localKey, length, flags);
        table.remote(slot, remoteAddress, remoteKey);
    }

    @Override
    public void fetchAndAdd(final int slot, final long id, final long localAddress, final int localKey,
            final long remoteAddress, final int remoteKey,
            final long add, final int flags) {
        table.fill(slot, SendTable.FETCH_AND_ADD, id, localAddress, localKey, Long.BYTES, flags);
        table.atomic(slot, remoteAddress, remoteKey, add, 0);
    }

    @Override
    public void compareAndSwap(final int slot, final long id, final long localAddress, final int localKey,
            final long remoteAddress,
            final int remoteKey, final long compare, final long swap, final int flags) {
        table.fill(slot, SendTable.COMPARE_AND_SWAP, id, localAddress, localKey, Long.BYTES, flags);
        table.atomic(slot, remoteAddress, remoteKey, compare, swap);
    }

    @Override
    public void entry(final int slot, final int entry, final long localAddress, final int localKey, final int length) {
        table.entry(slot, entry, localAddress, localKey, length);
    }

    @Override
    public void destination(final int slot, final AddressHandle address, final int queuePairNumber, final int qkey) {
        if (handles == null) {
            throw new IllegalStateException(queuePair + " is of type " + queuePair.type()
                    + ", which has one peer: only UD takes a destination");
        }
        final NativeAddressHandle handle = Family.member(address, NativeAddressHandle.class, "address handle");
        handles[slot] = handle;
        table.destination(slot, handle.address(), queuePairNumber, qkey);
    }

    @Override
    public int post(final int first, final int count) {
        checkOpen();
        final int last = Slots.last(first, count, table.slots());
        if (handles != null) {
            checkDestinations(first, count);
        }
        table.cut(last);
        final int status = ops.postSend(queue, table.address(first), table.badAddress());
        table.link(last);
        return status == 0 ? 0 : failed(status, first);
    }

    private int failed(final int status, final int first) {
        posted = Slots.before(table.badSlot(), first, table.slots());
        return Slots.errno(status);
    }

    private void checkDestinations(final int first, final int count) {
        for (int i = 0; i < count; i++) {
            final int slot = (first + i) % handles.length;
            if (handles[slot] == null) {
                throw new IllegalStateException("slot " + slot + " has no destination, which a datagram needs");
            }
            handles[slot].checkOpen();
        }
    }

    @Override
    public int posted() {
        return posted;
    }

    /** Closing a shared arena also waits until every thread is out of a critical call, such as a post that reads this. */
    @Override
    void destroy() {
        arena.close();
    }

    @Override
    public String toString() {
        return table.slots() + " prepared sends of " + queuePair;
    }
}
