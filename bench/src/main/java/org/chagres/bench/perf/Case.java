package org.chagres.bench.perf;

import org.chagres.collectives.DataType;
import org.chagres.collectives.ReduceOp;
import org.chagres.collectives.plan.Collective;

/**
 * One row to measure.
 *
 * @param op the reduce op, {@link ReduceOp#SUM} where the collective has none
 * @param root the root, 0 where the collective has none
 * @param count elements as {@link Collective} defines
 */
public record Case(Collective collective, DataType type, ReduceOp op, int root, int ranks, long count) {
    /**
     * The case that nccl-tests measures for {@code size} bytes: the whole tensor, divided among the ranks where each holds a part. The
     * division is exact to an element (nccl-tests rounds to 16 bytes, for the sake of GPU loads).
     */
    public static Case of(final Collective collective, final DataType type, final ReduceOp op, final int root,
            final int ranks, final long size) {
        final long elements = size / type.size();
        return new Case(collective, type, op, root, ranks, parted(collective) ? elements / ranks : elements);
    }

    private static boolean parted(final Collective collective) {
        return switch (collective) {
            case ALL_GATHER, REDUCE_SCATTER, ALL_TO_ALL, GATHER, SCATTER -> true;
            case ALL_REDUCE, BROADCAST, REDUCE, BARRIER, SEND_RECV -> false;
        };
    }

    /** Elements of the larger of the two buffers: of the whole tensor. */
    public long total() {
        return parted(collective) ? count * ranks : count;
    }

    /** Bytes of the whole tensor: the {@code size} column. */
    public long bytes() {
        return total() * type.size();
    }

    /** Elements that a rank sends. */
    public long sendCount() {
        return switch (collective) {
            case REDUCE_SCATTER, ALL_TO_ALL, SCATTER -> total();
            default -> count;
        };
    }

    /** Elements that a rank receives. */
    public long recvCount() {
        return switch (collective) {
            case ALL_GATHER, ALL_TO_ALL, GATHER -> total();
            default -> count;
        };
    }

    /** Whether the collective is defined with send and receive in one buffer. */
    public boolean hasInPlace() {
        return switch (collective) {
            case ALL_TO_ALL, SEND_RECV, BARRIER -> false;
            default -> true;
        };
    }

    /** Where {@code rank}'s send part starts in the shared buffer when in place, in elements. */
    public long sendInPlaceOffset(final int rank) {
        return switch (collective) {
            case ALL_GATHER, GATHER -> rank * count;
            default -> 0;
        };
    }

    /** Where {@code rank}'s receive part starts in the shared buffer when in place, in elements. */
    public long recvInPlaceOffset(final int rank) {
        return switch (collective) {
            case REDUCE_SCATTER, SCATTER -> rank * count;
            default -> 0;
        };
    }

    /** Whether {@code rank}'s receive buffer has a defined content afterwards. */
    public boolean receives(final int rank) {
        return switch (collective) {
            case REDUCE, GATHER -> rank == root;
            default -> true;
        };
    }

    /** Whether {@code rank}'s send buffer is read. */
    public boolean sends(final int rank) {
        return switch (collective) {
            case BROADCAST, SCATTER -> rank == root;
            case BARRIER -> false;
            default -> true;
        };
    }

    /** Tensor bytes by time, in 10^9 bytes a second; 0 for a time that is not positive. */
    public double algorithmBandwidth(final double seconds) {
        return seconds > 0 ? bytes() / seconds / 1e9 : 0;
    }

    /**
     * The algorithm bandwidth times the factor of nccl-tests, which makes it comparable with the speed of the wire whatever the number of
     * ranks.
     */
    public double busBandwidth(final double seconds) {
        final double others = ranks - 1.0;
        final double factor = switch (collective) {
            case ALL_REDUCE -> 2 * others / ranks;
            case ALL_GATHER, REDUCE_SCATTER, ALL_TO_ALL, GATHER, SCATTER -> others / ranks;
            case BROADCAST, REDUCE, SEND_RECV, BARRIER -> 1;
        };
        return algorithmBandwidth(seconds) * factor;
    }

    /** The {@code redop} column. */
    public String opLabel() {
        return collective.reduces() ? op.label() : "none";
    }

    /** The {@code root} column: -1 where there is none. */
    public int rootLabel() {
        return collective.rooted() ? root : -1;
    }
}
