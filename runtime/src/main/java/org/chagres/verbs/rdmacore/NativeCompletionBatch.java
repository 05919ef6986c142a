package org.chagres.verbs.rdmacore;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.OptionalInt;
import org.chagres.bindings.ContextOps;
import org.chagres.bindings.verbs.ibv_wc;
import org.chagres.bindings.verbs.verbs_h;
import org.chagres.verbs.Completion;
import org.chagres.verbs.CompletionBatch;
import org.chagres.verbs.CompletionOpcode;
import org.chagres.verbs.CompletionStatus;

/** An array of {@code ibv_wc}. Its arena is the guard: once it is closed, every access is an exception. */
final class NativeCompletionBatch extends NativeObject implements CompletionBatch {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfInt NETWORK_INT = INT.withOrder(ByteOrder.BIG_ENDIAN);
    private static final long SIZE = ibv_wc.sizeof();
    private static final long ID = ibv_wc.wr_id$offset();
    private static final long STATUS = ibv_wc.status$offset();
    private static final long OPCODE = ibv_wc.opcode$offset();
    private static final long VENDOR_ERROR = ibv_wc.vendor_err$offset();
    private static final long BYTE_LENGTH = ibv_wc.byte_len$offset();
    private static final long IMMEDIATE = ibv_wc.imm_data$offset();
    private static final long QUEUE_PAIR = ibv_wc.qp_num$offset();
    private static final long SOURCE = ibv_wc.src_qp$offset();
    private static final long FLAGS = ibv_wc.wc_flags$offset();
    private static final int WITH_IMMEDIATE = verbs_h.IBV_WC_WITH_IMM();
    private static final int WITH_ROUTING_HEADER = verbs_h.IBV_WC_GRH();

    private final NativeCompletionQueue queue;
    private final int capacity;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory;
    private final long address;

    private NativeCompletionBatch(final NativeCompletionQueue queue, final int capacity, final NativeObject... owners) {
        super(owners);
        this.queue = queue;
        this.capacity = capacity;
        this.memory = arena.allocate(SIZE * capacity, Long.BYTES);
        this.address = memory.address();
        adopted();
    }

    /** A batch for a user of the queue, closed before the queue. */
    static NativeCompletionBatch prepared(final NativeCompletionQueue queue, final int capacity) {
        return new NativeCompletionBatch(queue, capacity, queue);
    }

    /** A batch that the queue itself polls into, under its monitor, and closes last. */
    static NativeCompletionBatch internal(final NativeCompletionQueue queue, final int capacity) {
        return new NativeCompletionBatch(queue, capacity);
    }

    int poll(final NativeCompletionQueue wanted, final ContextOps ops, final long cq) {
        if (wanted != queue) {
            throw new IllegalArgumentException(this + " was prepared by another queue");
        }
        checkOpen();
        return ops.pollCq(cq, capacity, address);
    }

    long address() {
        return address;
    }

    @Override
    public int capacity() {
        return capacity;
    }

    @Override
    public long id(final int index) {
        return memory.get(LONG, index * SIZE + ID);
    }

    @Override
    public int status(final int index) {
        return memory.get(INT, index * SIZE + STATUS);
    }

    @Override
    public int opcode(final int index) {
        return memory.get(INT, index * SIZE + OPCODE);
    }

    @Override
    public long byteLength(final int index) {
        return Integer.toUnsignedLong(memory.get(INT, index * SIZE + BYTE_LENGTH));
    }

    @Override
    public int immediate(final int index) {
        return memory.get(NETWORK_INT, index * SIZE + IMMEDIATE);
    }

    @Override
    public boolean hasImmediate(final int index) {
        return (memory.get(INT, index * SIZE + FLAGS) & WITH_IMMEDIATE) != 0;
    }

    @Override
    public int queuePairNumber(final int index) {
        return memory.get(INT, index * SIZE + QUEUE_PAIR);
    }

    @Override
    public int sourceQueuePair(final int index) {
        return memory.get(INT, index * SIZE + SOURCE);
    }

    @Override
    public int vendorError(final int index) {
        return memory.get(INT, index * SIZE + VENDOR_ERROR);
    }

    @Override
    public Completion completion(final int index) {
        if (status(index) != 0) {
            return new Completion.Failure(id(index), queuePairNumber(index), CompletionStatus.of(status(index)),
                    status(index), vendorError(index));
        }
        final MemorySegment wc = memory.asSlice(index * SIZE, SIZE);
        return new Completion.Success(id(index), queuePairNumber(index), CompletionOpcode.of(opcode(index)),
                byteLength(index),
                hasImmediate(index) ? OptionalInt.of(immediate(index)) : OptionalInt.empty(), sourceQueuePair(index),
                Short.toUnsignedInt(ibv_wc.slid(wc)), ibv_wc.sl(wc), ibv_wc.dlid_path_bits(wc),
                (ibv_wc.wc_flags(wc) & WITH_ROUTING_HEADER) != 0);
    }

    /** Closing a shared arena also waits until every thread is out of a critical call, such as a poll that is filling this. */
    @Override
    void destroy() {
        arena.close();
    }

    @Override
    public String toString() {
        return "batch of " + capacity + " of " + queue;
    }
}
