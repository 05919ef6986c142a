package org.chagres.collectives.proof;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.chagres.collectives.plan.Plan;
import org.chagres.collectives.plan.Shape;
import org.chagres.collectives.plan.Space;
import org.chagres.collectives.plan.Step;

/**
 * Runs the plans of all ranks on symbolic values, in one order of the many possible. Every two accesses of which one writes are checked to be
 * ordered by signals or flushes, so every other order gives the same values, also one in which links read the sources of puts later.
 *
 * <p>
 * One run covers each rank computing in place or not: each input is refused to be read after its place in the output has been written, so it
 * reads the same either way.
 */
final class Machine {
    private final List<Plan> plans;
    private final Shape shape;
    private final int channels;
    private final Strand[] strands;
    private final Lines lines;
    private final Store store;
    private final Combiner combiner;
    private final List<List<BitSet>> flushPoints;

    /** @param flushPoints of each rank, as {@link org.chagres.collectives.plan.FlushPoints} gives them */
    Machine(final List<Plan> plans, final List<List<BitSet>> flushPoints) {
        this.plans = plans;
        this.flushPoints = flushPoints;
        shape = plans.getFirst().shape();
        channels = plans.getFirst().channels().size();
        strands = new Strand[shape.size() * channels];
        lines = new Lines(shape.size(), channels);
        store = new Store(plans, lines);
        combiner = new Combiner(shape.size());
        for (int rank = 0; rank < shape.size(); rank++) {
            prepare(plans.get(rank));
        }
    }

    private void prepare(final Plan plan) {
        for (int channel = 0; channel < channels; channel++) {
            strands[plan.rank() * channels + channel] = new Strand(plan.rank(), channel, plan.channels().get(channel),
                    shape.size(), channels);
        }
    }

    /** Runs to the end and returns the depth of the longest chain of messages. */
    int run() {
        boolean progress = true;
        while (progress) {
            progress = false;
            for (final Strand strand : strands) {
                while (!strand.ended() && step(strand)) {
                    progress = true;
                }
            }
        }
        int depth = 0;
        for (final Strand strand : strands) {
            depth = Math.max(depth, strand.depth);
            if (!strand.ended()) {
                throw deadlock();
            }
        }
        lines.checkMatched();
        return depth;
    }

    private ProofException deadlock() {
        Strand cause = null;
        final StringBuilder all = new StringBuilder();
        for (final Strand strand : strands) {
            if (!strand.ended()) {
                final Step.Wait wait = (Step.Wait) strand.place().step();
                // Who waits for a rank that has ended is nearer to the cause than who waits for a waiting one.
                if (cause == null || strands[wait.peer() * channels + strand.channel].ended()) {
                    cause = strand;
                }
                all.append(all.isEmpty() ? "" : "; ")
                        .append(strand.place())
                        .append(" has seen ")
                        .append(lines.get(wait.peer(), strand.rank, strand.channel).raisedCount())
                        .append(" signals");
            }
        }
        return new ProofException(cause.place(), "deadlock: " + all);
    }

    private boolean step(final Strand strand) {
        final Place place = strand.place();
        if (place.step() instanceof final Step.Wait wait && !await(strand, wait)) {
            return false;
        }
        if (flushPoints.get(place.rank()).get(place.channel()).get(place.index())) {
            strand.tick();
            store.flush(strand);
        }
        strand.tick();
        switch (place.step()) {
            case final Step.Put put -> put(strand, place, put);
            case final Step.Signal signal -> raise(strand, place, signal.peer());
            case final Step.Wait wait -> learn(strand, wait);
            case final Step.Copy copy -> {
                final List<Memory.Run> runs = store.read(strand, place, copy.from(), copy.count());
                store.write(strand, place, strand.rank, copy.to(), copy.count(), runs, 0);
            }
            case final Step.Reduce reduce -> {
                final List<List<Memory.Run>> inputs = new ArrayList<>();
                for (final Step.Operand operand : reduce.operands()) {
                    inputs.add(store.read(strand, place, operand.at(), reduce.count()));
                }
                store.write(strand, place, strand.rank, reduce.to(), reduce.count(),
                        combiner.combine(place, reduce, inputs),
                        0);
            }
        }
        strand.advance();
        return true;
    }

    private boolean await(final Strand strand, final Step.Wait wait) {
        return lines.get(wait.peer(), strand.rank, strand.channel).raisedCount() >= wait.ordinal();
    }

    private void learn(final Strand strand, final Step.Wait wait) {
        final Line.Raised signal = lines.get(wait.peer(), strand.rank, strand.channel)
                .arrive(wait.ordinal(), strand.time());
        strand.learn(signal.clock);
        strand.depth = Math.max(strand.depth, signal.depth);
        if (strand.met[wait.peer()] == 0) {
            strand.met[wait.peer()] = strand.time();
        }
    }

    private void raise(final Strand strand, final Place place, final int peer) {
        lines.get(strand.rank, peer, strand.channel)
                .raise(new Line.Raised(place, strand.clock.clone(), strand.depth + 1));
    }

    private void put(final Strand strand, final Place place, final Step.Put put) {
        if (put.to().space() == Space.RECV && !knowsOutputOf(strand, put.peer())) {
            throw new ProofException(place,
                    "puts into the output of rank " + put.peer() + " without having awaited a signal of it:"
                            + " that rank may not have begun");
        }
        final Line line = lines.get(strand.rank, put.peer(), strand.channel);
        final int ordinal = line.raisedCount() + 1;
        final List<Memory.Run> runs = store.lend(strand, place, put, ordinal);
        store.write(strand, place, put.peer(), put.to(), put.count(), runs, ordinal);
        line.put(place);
        if (put.signal()) {
            raise(strand, place, put.peer());
        }
    }

    private boolean knowsOutputOf(final Strand strand, final int peer) {
        for (int channel = 0; channel < channels; channel++) {
            final int index = strand.rank * channels + channel;
            final long met = strands[index].met[peer];
            if (met > 0 && strand.clock[index] >= met) {
                return true;
            }
        }
        return false;
    }

    /** Whether {@code rank}, having ended, knows that {@code write} to its memory has come. */
    boolean knowsAtEnd(final int rank, final Access write) {
        return store.knows(endClock(rank), write, rank);
    }

    /** Whether every rank's end implies every other rank's begin. */
    boolean synchronizes() {
        for (int rank = 0; rank < shape.size(); rank++) {
            final long[] clock = endClock(rank);
            for (int other = 0; other < shape.size(); other++) {
                if (!hasBegun(clock, other)) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean hasBegun(final long[] clock, final int rank) {
        for (int channel = 0; channel < channels; channel++) {
            if (clock[rank * channels + channel] > 0) {
                return true;
            }
        }
        return false;
    }

    private long[] endClock(final int rank) {
        final Strand all = new Strand(rank, 0, List.of(), shape.size(), channels);
        for (int channel = 0; channel < channels; channel++) {
            all.learn(strands[rank * channels + channel].clock);
        }
        return all.clock;
    }

    Store store() {
        return store;
    }

    Plan plan(final int rank) {
        return plans.get(rank);
    }
}
