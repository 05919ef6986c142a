package org.chagres.collectives.planner;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.chagres.collectives.plan.Collective;
import org.chagres.collectives.plan.Limits;
import org.chagres.collectives.plan.Ref;
import org.chagres.collectives.plan.Shape;

/**
 * What moves between hosts on one channel: for each lane, and each host at which a reduction ends or from which data spreads (its home), the
 * pieces in order. Where every host combines everything for itself, all is filed under host 0.
 */
final class Cargo {
    /** Steps that a rank spends on a piece of each cell beside two for each rank of its host. */
    private static final int STEPS_PER_CELL = 6;

    /**
     * A piece.
     *
     * @param endpoint the rank whose input it is or that gets the result; -1 where that is everyone
     * @param send where it is in the inputs
     * @param recv where it is in the outputs
     */
    record Item(int endpoint, Ref send, Ref recv, long count) {}

    /** A part of the tensor that stays together: in all_gather and reduce_scatter within a rank's block. */
    private record Cell(int home, int lane, int endpoint, long start, long length) {}

    private final Lanes lanes;
    private final List<List<Item>> items;
    private final long[] elements;

    private Cargo(final Lanes lanes) {
        this.lanes = lanes;
        final int lists = lanes.hosts() * lanes.number();
        items = new ArrayList<>(lists);
        for (int i = 0; i < lists; i++) {
            items.add(new ArrayList<>());
        }
        elements = new long[lists];
    }

    /**
     * One cargo a channel.
     *
     * @param most elements that a piece may have on so many channels: index 0 for one channel, 1 for two
     */
    static List<Cargo> of(final Shape shape, final Lanes lanes, final HostPattern pattern, final Limits limits,
            final long[] most) {
        final List<Cell> cells = cells(shape, lanes, pattern);
        long longest = 0;
        for (final Cell cell : cells) {
            longest = Math.max(longest, cell.length());
        }
        final int channels = channels(shape, pattern, limits, longest);
        final long part = Split.of(longest, channels, shape.elementSize()).longest();
        final int steps = cells.size() / lanes.number() * (2 * lanes.most() + STEPS_PER_CELL) + cells.size();
        final Pieces pieces = Pieces.of(part, Math.min(part, most[channels - 1]), steps, shape.elementSize(), limits);
        final List<Cargo> all = new ArrayList<>();
        for (int channel = 0; channel < channels; channel++) {
            final Cargo cargo = new Cargo(lanes);
            for (final Cell cell : cells) {
                final Split parts = Split.of(cell.length(), channels, shape.elementSize());
                cargo.load(shape, cell, parts.start(channel), parts.length(channel), pieces);
            }
            all.add(cargo);
        }
        return all;
    }

    /**
     * Two channels of a ring, each with half of the data, so that one has something to do while the other waits for a host. Where hosts talk directly,
     * pieces overlap within a channel, and what is only moved waits for nothing but itself.
     */
    private static int channels(final Shape shape, final HostPattern pattern, final Limits limits, final long longest) {
        final boolean waits = pattern == HostPattern.RING && shape.collective().reduces();
        return waits && limits.channels() > 1 && longest * shape.elementSize() > limits.chunkBytes() ? 2 : 1;
    }

    private static List<Cell> cells(final Shape shape, final Lanes lanes, final HostPattern pattern) {
        final List<Cell> cells = new ArrayList<>();
        switch (shape.collective()) {
            case ALL_REDUCE -> {
                final Split split = Split.of(shape.count(), pattern == HostPattern.RING ? lanes.hosts() : 1,
                        shape.elementSize());
                for (int home = 0; home < split.parts(); home++) {
                    addShards(cells, shape, lanes, new Cell(home, 0, -1, split.start(home), split.length(home)));
                }
            }
            case REDUCE, BROADCAST -> addShards(cells, shape, lanes,
                    new Cell(lanes.host(shape.root()), 0, shape.root(), 0, shape.count()));
            default -> {
                for (int rank = 0; rank < shape.size(); rank++) {
                    cells.add(new Cell(lanes.host(rank), lanes.place(rank) % lanes.number(), rank, 0, shape.count()));
                }
            }
        }
        return cells;
    }

    private static void addShards(final List<Cell> cells, final Shape shape, final Lanes lanes, final Cell whole) {
        final Split split = Split.of(whole.length(), lanes.number(), shape.elementSize());
        for (int lane = 0; lane < lanes.number(); lane++) {
            cells.add(new Cell(whole.home(), lane, whole.endpoint(), whole.start() + split.start(lane),
                    split.length(lane)));
        }
    }

    private void load(final Shape shape, final Cell cell, final long start, final long length, final Pieces pieces) {
        final int list = list(cell.home(), cell.lane());
        for (int piece = 0; piece < pieces.number(length); piece++) {
            final long at = cell.start() + start + pieces.start(piece);
            final long block = cell.endpoint() * shape.count();
            items.get(list)
                    .add(new Item(cell.endpoint(),
                            Ref.send(at + (shape.collective() == Collective.REDUCE_SCATTER ? block : 0)),
                            Ref.recv(at + (shape.collective() == Collective.ALL_GATHER ? block : 0)),
                            pieces.length(piece, length)));
        }
        elements[list] += length;
    }

    private int list(final int home, final int lane) {
        return home * lanes.number() + lane;
    }

    List<Item> items(final int home, final int lane) {
        return Collections.unmodifiableList(items.get(list(home, lane)));
    }

    /** Group {@code group} of {@code size} pieces; empty beyond the last. */
    List<Item> group(final int home, final int lane, final int group, final int size) {
        final List<Item> all = items(home, lane);
        final int from = (int) Math.min(all.size(), (long) group * size);
        return all.subList(from, Math.min(all.size(), from + size));
    }

    long elements(final int home, final int lane) {
        return elements[list(home, lane)];
    }

    /** Pieces of the lane and home that has most. */
    int mostItems() {
        int most = 0;
        for (final List<Item> list : items) {
            most = Math.max(most, list.size());
        }
        return most;
    }

    /** Elements of the longest piece. */
    long longest() {
        long longest = 0;
        for (final List<Item> list : items) {
            for (final Item item : list) {
                longest = Math.max(longest, item.count());
            }
        }
        return longest;
    }
}
