package org.chagres.collectives.proof;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.chagres.collectives.plan.Plan;
import org.chagres.collectives.plan.Ref;
import org.chagres.collectives.plan.Shape;
import org.chagres.collectives.plan.Space;
import org.chagres.collectives.plan.Step;

/** The memory of all ranks, which refuses accesses that no signal orders. */
final class Store {
    private final Shape shape;
    private final int channels;
    private final Lines lines;
    private final Memory[] send;
    private final Memory[] recv;
    private final Memory[] scratch;
    /** By rank. */
    private final Flushes[] flushes;

    Store(final List<Plan> plans, final Lines lines) {
        shape = plans.getFirst().shape();
        channels = plans.getFirst().channels().size();
        this.lines = lines;
        send = new Memory[shape.size()];
        recv = new Memory[shape.size()];
        scratch = new Memory[shape.size()];
        flushes = new Flushes[shape.size()];
        for (int rank = 0; rank < shape.size(); rank++) {
            send[rank] = new Memory(shape.sendCount(rank), channels);
            recv[rank] = new Memory(shape.recvCount(rank), channels);
            scratch[rank] = new Memory(plans.get(rank).scratchCount(), channels);
            flushes[rank] = new Flushes(rank, channels);
            fillInput(rank);
        }
    }

    private void fillInput(final int rank) {
        final Memory memory = send[rank];
        if (memory.length > 0) {
            final BitSet self = new BitSet();
            self.set(rank);
            final Value input = new Value(Value.Kind.RAW, new Value.Term(self, 0));
            memory.write(0, memory.length, List.of(new Memory.Run(memory.length, input, 0)), null);
        }
    }

    Memory memory(final int rank, final Space space) {
        return switch (space) {
            case SEND -> send[rank];
            case RECV -> recv[rank];
            case SCRATCH -> scratch[rank];
        };
    }

    /** Reads my memory within the step. */
    List<Memory.Run> read(final Strand strand, final Place place, final Ref from, final long count) {
        final List<Memory.Run> runs = new ArrayList<>();
        for (final Memory.Cell cell : memory(strand.rank, from.space()).range(from.offset(), count)) {
            runs.add(look(strand, place, from, cell));
            cell.reads[strand.channel] = strand.time();
        }
        return runs;
    }

    /**
     * Gives a link the source of {@code put}, which it reads some time later: nobody may write there until {@link Reading} is over.
     *
     * @param ordinal of the signal that publishes the put
     */
    List<Memory.Run> lend(final Strand strand, final Place place, final Step.Put put, final int ordinal) {
        final Ref from = put.from();
        final List<Memory.Run> runs = new ArrayList<>();
        final Reading reading = new Reading(strand.channel, put.peer(), ordinal, strand.time());
        for (final Memory.Cell cell : memory(strand.rank, from.space()).range(from.offset(), put.count())) {
            runs.add(look(strand, place, from, cell));
            cell.add(reading);
        }
        return runs;
    }

    /** Waits until the links have read all that this rank has lent them. */
    void flush(final Strand strand) {
        flushes[strand.rank].add(strand);
    }

    private Memory.Run look(final Strand strand, final Place place, final Ref from, final Memory.Cell cell) {
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
        return new Memory.Run(cell.end - cell.start, cell.value, cell.index);
    }

    /**
     * Writes memory of {@code owner}.
     *
     * @param ordinal of the signal that publishes the write, or 0 if {@code owner} itself writes
     */
    void write(final Strand strand, final Place place, final int owner, final Ref to, final long count,
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
        final Memory input = send[owner];
        final long start = Math.max(0, to.offset() - offset);
        final long end = Math.min(input.length, to.offset() - offset + count);
        if (start < end) {
            for (final Memory.Cell cell : input.range(start, end - start)) {
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
        for (final Reading reading : cell.readings) {
            if (!knowsEnd(strand.clock, reading, owner)) {
                throw new ProofException(place, "writes " + at + " of rank " + owner + " while its link to rank "
                        + reading.peer() + " may still read it for a put of channel " + reading.channel()
                        + ": neither a flush nor that rank's having awaited the signal of the put orders them");
            }
        }
    }

    private boolean knowsEnd(final long[] clock, final Reading reading, final int owner) {
        final int channel = reading.channel();
        return clock[reading.peer() * channels + channel] >= lines.get(owner, reading.peer(), channel)
                .arrival(reading.ordinal()) || flushes[owner].knowEnd(clock, reading);
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

    /** Whether who has this clock knows that {@code write} to the memory of {@code owner} has come. */
    boolean knows(final long[] clock, final Access write, final int owner) {
        final int channel = write.place().channel();
        if (write.remote()) {
            return clock[owner * channels + channel] >= lines.get(write.place().rank(), owner, channel)
                    .arrival(write.ordinal());
        }
        return clock[write.place().rank() * channels + channel] >= write.time();
    }
}
