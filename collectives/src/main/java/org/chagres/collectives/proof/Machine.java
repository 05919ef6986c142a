package org.chagres.collectives.proof;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.chagres.collectives.plan.Plan;
import org.chagres.collectives.plan.Ref;
import org.chagres.collectives.plan.Shape;
import org.chagres.collectives.plan.Space;
import org.chagres.collectives.plan.Step;

/**
 * Runs the plans of all ranks on symbolic values, in one order of the many possible. Every two accesses of which one writes are checked to be
 * ordered by signals, so every other order gives the same values.
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
    /** By source, destination and channel. */
    private final Line[] lines;
    /** By rank and {@link Space}. */
    private final Memory[][] memories;
    private final Combiner combiner;

    Machine(final List<Plan> plans) {
        this.plans = plans;
        shape = plans.getFirst().shape();
        channels = plans.getFirst().channels().size();
        strands = new Strand[shape.size() * channels];
        lines = new Line[shape.size() * shape.size() * channels];
        memories = new Memory[shape.size()][Space.values().length];
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
        for (final Space space : Space.values()) {
            memories[plan.rank()][space.ordinal()] = new Memory(Form.lengthOf(plan, space), channels);
        }
        final Memory send = memory(plan.rank(), Space.SEND);
        if (send.length > 0) {
            final BitSet self = new BitSet();
            self.set(plan.rank());
            final Value input = new Value(Value.Kind.RAW, new Value.Term(self));
            send.write(0, send.length, List.of(new Memory.Run(send.length, input, 0)), null);
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
        for (int i = 0; i < lines.length; i++) {
            if (lines[i] != null) {
                lines[i].checkMatched(i / channels % shape.size());
            }
        }
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
                        .append(line(wait.peer(), strand.rank, strand.channel).raisedCount())
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
        strand.tick();
        switch (place.step()) {
            case final Step.Put put -> put(strand, place, put);
            case final Step.Signal signal -> raise(strand, place, signal.peer());
            case final Step.Wait wait -> learn(strand, wait);
            case final Step.Copy copy -> {
                final List<Memory.Run> runs = read(strand, place, copy.from(), copy.count());
                write(strand, place, strand.rank, copy.to(), copy.count(), runs, 0);
            }
            case final Step.Reduce reduce -> {
                final List<List<Memory.Run>> inputs = new ArrayList<>();
                for (final Step.Operand operand : reduce.operands()) {
                    inputs.add(read(strand, place, operand.at(), reduce.count()));
                }
                write(strand, place, strand.rank, reduce.to(), reduce.count(), combiner.combine(place, reduce, inputs),
                        0);
            }
        }
        strand.advance();
        return true;
    }

    private boolean await(final Strand strand, final Step.Wait wait) {
        return line(wait.peer(), strand.rank, strand.channel).raisedCount() >= wait.ordinal();
    }

    private void learn(final Strand strand, final Step.Wait wait) {
        final Line.Raised signal = line(wait.peer(), strand.rank, strand.channel).arrive(wait.ordinal(), strand.time());
        strand.learn(signal.clock);
        strand.depth = Math.max(strand.depth, signal.depth);
        if (strand.met[wait.peer()] == 0) {
            strand.met[wait.peer()] = strand.time();
        }
    }

    private void raise(final Strand strand, final Place place, final int peer) {
        line(strand.rank, peer, strand.channel)
                .raise(new Line.Raised(place, strand.clock.clone(), strand.depth + 1));
    }

    private void put(final Strand strand, final Place place, final Step.Put put) {
        if (put.to().space() == Space.RECV && !knowsOutputOf(strand, put.peer())) {
            throw new ProofException(place,
                    "puts into the output of rank " + put.peer() + " without having awaited a signal of it:"
                            + " that rank may not have begun");
        }
        final Line line = line(strand.rank, put.peer(), strand.channel);
        final List<Memory.Run> runs = read(strand, place, put.from(), put.count());
        write(strand, place, put.peer(), put.to(), put.count(), runs, line.raisedCount() + 1);
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

    private List<Memory.Run> read(final Strand strand, final Place place, final Ref from, final long count) {
        final List<Memory.Run> runs = new ArrayList<>();
        for (final Memory.Cell cell : memory(strand.rank, from.space()).range(from.offset(), count)) {
            if (cell.value == null) {
                throw new ProofException(place,
                        "reads " + new Ref(from.space(), cell.start) + ", which nothing has written");
            }
            if (from.space() == Space.SEND && cell.write != null) {
                throw new ProofException(place, "reads " + new Ref(from.space(), cell.start) + ", which, in place, "
                        + cell.write.place() + " has overwritten");
            }
            if (cell.write != null && !knows(strand.clock, cell.write, strand.rank)) {
                throw race(place, "reads", new Ref(from.space(), cell.start), cell.write.place());
            }
            cell.reads[strand.channel] = strand.time();
            runs.add(new Memory.Run(cell.end - cell.start, cell.value, cell.index));
        }
        return runs;
    }

    private void write(final Strand strand, final Place place, final int owner, final Ref to, final long count,
            final List<Memory.Run> runs, final int ordinal) {
        final Access access = new Access(place, strand.time(), ordinal);
        final Memory memory = memory(owner, to.space());
        for (final Memory.Cell cell : memory.range(to.offset(), count)) {
            if (cell.write != null && !follows(strand, cell.write, owner, ordinal)) {
                throw race(place, "writes", new Ref(to.space(), cell.start), cell.write.place());
            }
            requireReadsKnown(strand, place, owner, new Ref(to.space(), cell.start), cell);
        }
        memory.write(to.offset(), count, runs, access);
        if (to.space() == Space.RECV) {
            overwriteInput(strand, place, owner, to, count, access);
        }
    }

    /** In place, this write to the output changes the input too, all reads of which must be over. */
    private void overwriteInput(final Strand strand, final Place place, final int owner, final Ref to, final long count,
            final Access access) {
        final long offset = shape.inPlaceOffset(owner);
        if (offset == Shape.NOT_IN_PLACE || isCopyOntoItself(place.step(), offset)) {
            return;
        }
        final Memory send = memory(owner, Space.SEND);
        final long start = Math.max(0, to.offset() - offset);
        final long end = Math.min(send.length, to.offset() - offset + count);
        if (start < end) {
            for (final Memory.Cell cell : send.range(start, end - start)) {
                requireReadsKnown(strand, place, owner, new Ref(Space.SEND, cell.start), cell);
                cell.write = access;
            }
        }
    }

    private static boolean isCopyOntoItself(final Step step, final long offset) {
        return step instanceof final Step.Copy copy && copy.from().space() == Space.SEND
                && copy.from().offset() + offset == copy.to().offset();
    }

    private void requireReadsKnown(final Strand strand, final Place place, final int owner, final Ref at,
            final Memory.Cell cell) {
        for (int channel = 0; channel < channels; channel++) {
            if (strand.clock[owner * channels + channel] < cell.reads[channel]) {
                throw new ProofException(place, "writes " + at + " of rank " + owner + " while channel " + channel
                        + " there may still read it: no signal orders them");
            }
        }
    }

    private static ProofException race(final Place place, final String verb, final Ref at, final Place other) {
        return new ProofException(place,
                verb + " " + at + " without a signal that orders it after the write of " + other);
    }

    /** Whether a write by {@code strand} comes after {@code earlier}: also puts of one strand to one peer arrive in order. */
    private boolean follows(final Strand strand, final Access earlier, final int owner, final int ordinal) {
        final boolean sameWay = ordinal > 0 && earlier.remote() && earlier.place().rank() == strand.rank
                && earlier.place().channel() == strand.channel;
        return sameWay || knows(strand.clock, earlier, owner);
    }

    private boolean knows(final long[] clock, final Access write, final int owner) {
        final int channel = write.place().channel();
        if (write.remote()) {
            return clock[owner * channels + channel] >= line(write.place().rank(), owner, channel)
                    .arrival(write.ordinal());
        }
        return clock[write.place().rank() * channels + channel] >= write.time();
    }

    private Line line(final int source, final int destination, final int channel) {
        final int index = (source * shape.size() + destination) * channels + channel;
        if (lines[index] == null) {
            lines[index] = new Line();
        }
        return lines[index];
    }

    Memory memory(final int rank, final Space space) {
        return memories[rank][space.ordinal()];
    }

    /** Whether {@code rank}, having ended, knows that {@code write} to its memory has come. */
    boolean knowsAtEnd(final int rank, final Access write) {
        return knows(endClock(rank), write, rank);
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

    Plan plan(final int rank) {
        return plans.get(rank);
    }
}
