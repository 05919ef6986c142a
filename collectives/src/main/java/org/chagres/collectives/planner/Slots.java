package org.chagres.collectives.planner;

import java.util.List;
import org.chagres.collectives.plan.Collective;
import org.chagres.collectives.plan.Limits;
import org.chagres.collectives.plan.Ref;
import org.chagres.collectives.plan.Shape;

/**
 * How an owner's scratch lies in a hierarchical reduction: on each channel, places for what the other ranks of its host contribute, for what comes
 * from other hosts, and for what goes there, each for a group of pieces, several times over so that they are used in turn.
 *
 * @param locals contributors beside the owner
 * @param in hosts from which partial results come
 * @param out hosts for which partial results differ
 * @param group pieces that are under way together
 * @param turns how often there is place for a group
 * @param piece elements of a place: whole cache lines if they fit, so that no two ranks write the same one
 */
record Slots(int locals, int in, int out, int group, int turns, long piece) {
    /** More pieces under way together only spread over more of the cache. */
    private static final int MAX_GROUP = 4;
    /** With two turns an owner can combine one group while the next one comes. */
    private static final int TURNS = 2;

    /** The longest pieces that fit on one channel, and on each of two. */
    static long[] most(final Shape shape, final Lanes lanes, final HostPattern pattern, final Limits limits) {
        final Slots one = new Slots(lanes.most() - 1, in(lanes, pattern), out(shape, lanes, pattern), 1, TURNS, 1);
        final long elements = limits.scratchBytes() / shape.elementSize();
        return new long[]{elements / one.count(), elements / 2 / one.count() };
    }

    static Slots of(final Shape shape, final Lanes lanes, final HostPattern pattern, final Limits limits,
            final List<Cargo> cargos) {
        int items = 1;
        for (final Cargo cargo : cargos) {
            items = Math.max(items, cargo.mostItems());
        }
        final long longest = longest(cargos);
        final long line = Split.lineElements(shape.elementSize());
        final long whole = (longest + line - 1) / line * line;
        final long piece = whole <= most(shape, lanes, pattern, limits)[cargos.size() - 1] ? whole : longest;
        final long elements = limits.scratchBytes() / shape.elementSize() / cargos.size();
        final Slots one = new Slots(lanes.most() - 1, in(lanes, pattern), out(shape, lanes, pattern), 1, 1, piece);
        final int group = Math.clamp(elements / one.count() / TURNS, 1, Math.min(MAX_GROUP, items));
        final long uses = (long) lanes.hosts() * ((items + group - 1) / group);
        // Small messages have a place each, so that nobody need say that one is free.
        final long small = limits.chunkBytes() / shape.elementSize() / (group * piece);
        final int turns = (int) Math.clamp(Math.min(elements / one.count() / group, small), Math.min(TURNS, uses),
                uses);
        return new Slots(one.locals, one.in, one.out, group, turns, piece);
    }

    /** Elements of the longest piece. */
    static long longest(final List<Cargo> cargos) {
        long longest = 1;
        for (final Cargo cargo : cargos) {
            longest = Math.max(longest, cargo.longest());
        }
        return longest;
    }

    /** The most that an owner combines at once: the contributions of its host, and what comes from others. */
    static int operands(final Lanes lanes, final HostPattern pattern) {
        return lanes.most() + in(lanes, pattern);
    }

    private static int in(final Lanes lanes, final HostPattern pattern) {
        return pattern == HostPattern.RING ? 1 : lanes.hosts() - 1;
    }

    private static int out(final Shape shape, final Lanes lanes, final HostPattern pattern) {
        return shape.collective() == Collective.ALL_REDUCE ? 1 : in(lanes, pattern);
    }

    /** Elements of one channel. */
    long count() {
        return (long) turns * group * (locals + in + out) * piece;
    }

    /** What the host's {@code place}-th rank contributes to a piece that its rank {@code owner} reduces. */
    Ref local(final int channel, final int turn, final int item, final int owner, final int place) {
        return at(channel, turn, item, place < owner ? place : place - 1);
    }

    Ref in(final int channel, final int turn, final int item, final int line) {
        return at(channel, turn, item, locals + line);
    }

    Ref out(final int channel, final int turn, final int item, final int line) {
        return at(channel, turn, item, locals + in + line);
    }

    private Ref at(final int channel, final int turn, final int item, final int column) {
        return Ref.scratch(channel * count() + (((long) turn * group + item) * (locals + in + out) + column) * piece);
    }
}
