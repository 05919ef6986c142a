package org.chagres.collectives;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.stream.IntStream;
import org.chagres.collectives.plan.Collective;
import org.chagres.collectives.plan.Shape;

/**
 * One collective to test, and what must come of it. Contributions are small whole numbers, chosen so that every result and every partial result in any
 * order is exact in every type; whoever only moves data moves noise.
 *
 * @param op null where nothing is reduced
 */
record Operation(Shape shape, DataType type, ReduceOp op) {
    /** Contributions repeat after this many elements. */
    private static final int PERIOD = 120;

    /** What rank {@code rank} sends. */
    MemorySegment input(final int rank) {
        final long count = shape.sendCount(rank);
        return op == null ? noise(rank, count) : filled(count, i -> contribution(rank, i));
    }

    /** What rank {@code rank} must receive. */
    MemorySegment output(final int rank) {
        final long count = shape.recvCount(rank);
        return switch (shape.collective()) {
            case ALL_REDUCE, REDUCE -> filled(count, this::result);
            case REDUCE_SCATTER -> {
                final MemorySegment all = filled(count * shape.size(), this::result);
                yield block(all, rank);
            }
            case BROADCAST -> noise(shape.root(), count);
            case SCATTER -> block(noise(shape.root(), count * shape.size()), rank);
            case ALL_GATHER, ALL_TO_ALL, GATHER -> gathered(rank, count);
            case BARRIER -> MemorySegment.ofArray(new byte[0]);
            case SEND_RECV -> noise(0, count);
        };
    }

    private MemorySegment gathered(final int rank, final long count) {
        final MemorySegment all = MemorySegment.ofArray(new byte[(int) (count * type.size())]);
        for (int source = 0; count > 0 && source < shape.size(); source++) {
            final MemorySegment sent = input(source);
            final MemorySegment part = shape.collective() == Collective.ALL_TO_ALL ? block(sent, rank) : sent;
            MemorySegment.copy(part, 0, all, source * shape.bytes(), shape.bytes());
        }
        return all;
    }

    private MemorySegment block(final MemorySegment all, final int rank) {
        return all.asSlice(rank * shape.bytes(), shape.bytes());
    }

    private double contribution(final int rank, final int i) {
        final int sign = type.isUnsigned() || i % 5 != 0 ? 1 : -1;
        final int unit = 1 + i % 2;
        final boolean chosen = (rank + i) % 3 == 0;
        return switch (op.kind()) {
            case SUM, PREMULSUM -> chosen ? sign * unit : 0;
            case PROD -> chosen ? 2 * sign : 1;
            case AVG -> sign * unit;
            case MIN, MAX -> sign * ((rank * 5 + i * 3) % 8);
        };
    }

    private double result(final int i) {
        final var all = IntStream.range(0, shape.size()).mapToDouble(rank -> contribution(rank, i));
        return switch (op.kind()) {
            case SUM -> all.sum();
            case PREMULSUM -> op.scalar() * all.sum();
            case PROD -> all.reduce(1, (a, b) -> a * b);
            case AVG -> all.sum() / shape.size();
            // Adding zero makes the zero of a negative sign positive; contributions have none, for they come through whole numbers.
            case MIN -> all.min().orElseThrow() + 0.0;
            case MAX -> all.max().orElseThrow() + 0.0;
        };
    }

    private interface Value {
        double at(int index);
    }

    private MemorySegment filled(final long count, final Value value) {
        final MemorySegment segment = MemorySegment.ofArray(new byte[(int) (count * type.size())]);
        for (int i = 0; i < Math.min(count, PERIOD); i++) {
            Elements.set(segment, type, i, value.at(i) + 0.0);
        }
        for (long done = (long) PERIOD * type.size(); done < segment.byteSize(); done *= 2) {
            MemorySegment.copy(segment, 0, segment, done, Math.min(done, segment.byteSize() - done));
        }
        return segment;
    }

    private MemorySegment noise(final int rank, final long count) {
        final byte[] bytes = new byte[(int) (count * type.size())];
        final MemorySegment segment = MemorySegment.ofArray(bytes);
        long state = (rank + 1) * 0x9E3779B97F4A7C15L + count;
        int i = 0;
        for (; i + 8 <= bytes.length; i += 8) {
            state = state * 6364136223846793005L + 1442695040888963407L;
            segment.set(ValueLayout.JAVA_LONG_UNALIGNED, i, state ^ state >>> 29);
        }
        for (; i < bytes.length; i++) {
            bytes[i] = (byte) (state >>> i % 8 * 8 ^ i);
        }
        return segment;
    }

    /** Calls the operation and waits for it. */
    void call(final Communicator c, final MemorySegment send, final MemorySegment recv) {
        final long count = shape.count();
        final int root = shape.root();
        switch (shape.collective()) {
            case ALL_REDUCE -> c.allReduce(send, recv, count, type, op);
            case BROADCAST -> c.broadcast(send, recv, count, type, root);
            case REDUCE -> c.reduce(send, recv, count, type, op, root);
            case ALL_GATHER -> c.allGather(send, recv, count, type);
            case REDUCE_SCATTER -> c.reduceScatter(send, recv, count, type, op);
            case ALL_TO_ALL -> c.allToAll(send, recv, count, type);
            case GATHER -> c.gather(send, recv, count, type, root);
            case SCATTER -> c.scatter(send, recv, count, type, root);
            case BARRIER -> c.barrier();
            case SEND_RECV -> throw new IllegalArgumentException("a message is not a collective");
        }
    }

    /** Calls the operation and returns at once. */
    Work submit(final Communicator c, final MemorySegment send, final MemorySegment recv) {
        final long count = shape.count();
        final int root = shape.root();
        return switch (shape.collective()) {
            case ALL_REDUCE -> c.allReduceAsync(send, recv, count, type, op);
            case BROADCAST -> c.broadcastAsync(send, recv, count, type, root);
            case REDUCE -> c.reduceAsync(send, recv, count, type, op, root);
            case ALL_GATHER -> c.allGatherAsync(send, recv, count, type);
            case REDUCE_SCATTER -> c.reduceScatterAsync(send, recv, count, type, op);
            case ALL_TO_ALL -> c.allToAllAsync(send, recv, count, type);
            case GATHER -> c.gatherAsync(send, recv, count, type, root);
            case SCATTER -> c.scatterAsync(send, recv, count, type, root);
            case BARRIER -> c.barrierAsync();
            case SEND_RECV -> throw new IllegalArgumentException("a message is not a collective");
        };
    }
}
