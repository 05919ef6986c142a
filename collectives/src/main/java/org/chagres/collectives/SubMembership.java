package org.chagres.collectives;

import java.util.function.Function;
import org.chagres.bootstrap.Membership;
import org.chagres.bootstrap.PeerFailure;

/** Part of a world, as {@link Communicator#split} makes it. Its exchanges are those of the communicator that was split, from which it picks its own ranks. */
final class SubMembership implements Membership {
    private final Membership parent;
    private final Function<byte[], byte[][]> exchange;
    private final int[] ranks;
    private final int rank;

    /**
     * @param exchange of the communicator that is split: all of its ranks take part
     * @param ranks the parent's ranks, by rank in this part
     */
    SubMembership(final Membership parent, final Function<byte[], byte[][]> exchange, final int[] ranks) {
        this.parent = parent;
        this.exchange = exchange;
        this.ranks = ranks.clone();
        this.rank = indexOf(parent.rank());
    }

    private int indexOf(final int parentRank) {
        for (int i = 0; i < ranks.length; i++) {
            if (ranks[i] == parentRank) {
                return i;
            }
        }
        return -1;
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int size() {
        return ranks.length;
    }

    @Override
    public int localSize() {
        return parent.localSize();
    }

    @Override
    public byte[][] allGather(final byte[] mine) {
        final byte[][] all = exchange.apply(mine);
        final byte[][] ours = new byte[ranks.length][];
        for (int i = 0; i < ranks.length; i++) {
            ours[i] = all[ranks[i]];
        }
        return ours;
    }

    @Override
    public PeerFailure failure() {
        final PeerFailure failure = parent.failure();
        final int mine = failure == null ? -1 : indexOf(failure.rank());
        return mine < 0 ? null : new PeerFailure(mine, failure.reason());
    }

    @Override
    public boolean hasLeft(final int other) {
        return parent.hasLeft(ranks[other]);
    }

    @Override
    public void close() {
        // The parent's membership is the parent's.
    }
}
