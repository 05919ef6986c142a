package org.chagres.verbs.rdmacore;

import java.lang.foreign.Arena;
import org.chagres.bindings.ContextOps;
import org.chagres.verbs.AddressHandle;
import org.chagres.verbs.PreparedSends;

/** A {@link SendTable} and the queue pair that it is posted to. Retiring the table makes every later use an exception. */
final class NativePreparedSends extends NativeObject implements PreparedSends {
    private final NativeQueuePair queuePair;
    private final ContextOps ops;
    private final long queue;
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
        this.table = new SendTable(Arena.ofAuto(), slots, gatherEntries);
        this.handles = queuePair.type().isConnected() ? null : new NativeAddressHandle[slots];
        adopted();
    }

    @Override
    public NativeQueuePair queuePair() {
        return queuePair;
    }

    @Override
    public int slots() {
        checkOpen();
        return table.slots();
    }

    @Override
    public int gatherEntries() {
        return table.entries();
    }

    @Override
    public void send(final int slot, final long id, final long localAddress, final int localKey, final int length,
            final int flags) {
        table.fill(slot, SendTable.SEND, id, localAddress, localKey, length, 0, flags);
    }

    @Override
    public void sendWithImmediate(final int slot, final long id, final long localAddress, final int localKey,
            final int length, final int immediate,
            final int flags) {
        table.fill(slot, SendTable.SEND_WITH_IMM, id, localAddress, localKey, length, immediate, flags);
    }

    @Override
    public void write(final int slot, final long id, final long localAddress, final int localKey, final int length,
            final long remoteAddress,
            final int remoteKey, final int flags) {
        final long at = table.fill(slot, SendTable.RDMA_WRITE, id, localAddress, localKey, length, 0, flags);
        SendTable.remote(at, remoteAddress, remoteKey);
    }

    @Override
    public void writeWithImmediate(final int slot, final long id, final long localAddress, final int localKey,
            final int length,
            final long remoteAddress, final int remoteKey, final int immediate, final int flags) {
        final long at = table.fill(slot, SendTable.RDMA_WRITE_WITH_IMM, id, localAddress, localKey, length, immediate,
                flags);
        SendTable.remote(at, remoteAddress, remoteKey);
    }

    @Override
    public void signal(final int slot, final long id, final int immediate, final int flags) {
        final long at = table.fillEmpty(slot, SendTable.RDMA_WRITE_WITH_IMM, id, immediate, flags);
        // Of a write of no bytes, neither address nor key is looked at (InfiniBand specification, C9-88).
        SendTable.remote(at, 0, 0);
    }

    @Override
    public void read(final int slot, final long id, final long localAddress, final int localKey, final int length,
            final long remoteAddress,
            final int remoteKey, final int flags) {
        final long at = table.fill(slot, SendTable.RDMA_READ, id, localAddress, localKey, length, 0, flags);
        SendTable.remote(at, remoteAddress, remoteKey);
    }

    @Override
    public void fetchAndAdd(final int slot, final long id, final long localAddress, final int localKey,
            final long remoteAddress, final int remoteKey,
            final long add, final int flags) {
        final long at = table.fill(slot, SendTable.FETCH_AND_ADD, id, localAddress, localKey, Long.BYTES, 0, flags);
        SendTable.atomic(at, remoteAddress, remoteKey, add, 0);
    }

    @Override
    public void compareAndSwap(final int slot, final long id, final long localAddress, final int localKey,
            final long remoteAddress,
            final int remoteKey, final long compare, final long swap, final int flags) {
        final long at = table.fill(slot, SendTable.COMPARE_AND_SWAP, id, localAddress, localKey, Long.BYTES, 0, flags);
        SendTable.atomic(at, remoteAddress, remoteKey, compare, swap);
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
        SendTable.destination(table.at(slot), handle.address(), queuePairNumber, qkey);
        handles[slot] = handle;
    }

    @Override
    public int post(final int first, final int count) {
        // Refuses what is closed, because that has no slots.
        table.cut(first, count);
        if (handles != null) {
            checkDestinations(first, count);
        }
        final int status = ops.postSend(queue, table.at(first), table.bad());
        return status == 0 ? 0 : failed(status, first);
    }

    private int failed(final int status, final int first) {
        posted = table.posted(first);
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

    @Override
    void destroy() {
        table.retire();
        Slots.awaitCriticalCalls();
    }

    @Override
    public String toString() {
        return "prepared sends of " + queuePair;
    }
}
