package org.chagres.bench.perf;

import java.lang.foreign.MemorySegment;
import org.chagres.collectives.Communicator;
import org.chagres.collectives.DataType;
import org.chagres.collectives.ReduceOp;

/** One blocking collective with its arguments bound, ready to run again and again. The only place where perf calls a collective. */
@FunctionalInterface
public interface Operation {
    void run();

    /** Binds {@code row} to buffers. Ranks that a collective reads nothing from, or gives nothing to, pass a segment all the same. */
    static Operation of(final Communicator comm, final Case row, final MemorySegment send, final MemorySegment recv) {
        final long count = row.count();
        final DataType type = row.type();
        final ReduceOp op = row.op();
        final int root = row.root();
        return switch (row.collective()) {
            case ALL_REDUCE -> () -> comm.allReduce(send, recv, count, type, op);
            case BROADCAST -> () -> comm.broadcast(send, recv, count, type, root);
            case REDUCE -> () -> comm.reduce(send, recv, count, type, op, root);
            case ALL_GATHER -> () -> comm.allGather(send, recv, count, type);
            case REDUCE_SCATTER -> () -> comm.reduceScatter(send, recv, count, type, op);
            case ALL_TO_ALL -> () -> comm.allToAll(send, recv, count, type);
            case GATHER -> () -> comm.gather(send, recv, count, type, root);
            case SCATTER -> () -> comm.scatter(send, recv, count, type, root);
            case BARRIER -> comm::barrier;
            case SEND_RECV -> ring(comm, send, recv, count, type);
        };
    }

    /** As in nccl-tests: each rank sends to the next and receives from the one before. */
    private static Operation ring(final Communicator comm, final MemorySegment send, final MemorySegment recv,
            final long count, final DataType type) {
        final int next = (comm.rank() + 1) % comm.size();
        final int previous = (comm.rank() + comm.size() - 1) % comm.size();
        return comm.group().send(send, count, type, next).recv(recv, count, type, previous)::run;
    }
}
