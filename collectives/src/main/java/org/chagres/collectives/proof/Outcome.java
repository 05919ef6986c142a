package org.chagres.collectives.proof;

import java.util.List;
import org.chagres.collectives.plan.Collective;
import org.chagres.collectives.plan.Ref;
import org.chagres.collectives.plan.Shape;
import org.chagres.collectives.plan.Space;

/** What each collective promises to have in each output, and whether it is there. */
final class Outcome {
    private final Machine machine;
    private final Shape shape;
    private int roundings;

    Outcome(final Machine machine, final Shape shape) {
        this.machine = machine;
        this.shape = shape;
    }

    void check() {
        for (int rank = 0; rank < shape.size(); rank++) {
            check(rank);
            if (shape.collective() == Collective.ALL_REDUCE) {
                checkSameBits(rank);
            }
        }
    }

    /** Reductions in sequence behind an element of a result, at most; known after {@link #check()}. */
    int roundings() {
        return roundings;
    }

    private void check(final int rank) {
        final long count = shape.count();
        switch (shape.collective()) {
            case ALL_REDUCE -> requireResult(rank, 0);
            case REDUCE_SCATTER -> requireResult(rank, rank * count);
            case REDUCE -> {
                if (rank == shape.root()) {
                    requireResult(rank, 0);
                }
            }
            case BROADCAST -> requireInput(rank, 0, shape.root(), 0);
            case SCATTER -> requireInput(rank, 0, shape.root(), rank * count);
            case ALL_GATHER -> requireInputs(rank, 0);
            case ALL_TO_ALL -> requireInputs(rank, rank * count);
            case GATHER -> {
                if (rank == shape.root()) {
                    requireInputs(rank, 0);
                }
            }
            case SEND_RECV -> {
                if (rank == 1) {
                    requireInput(rank, 0, 0, 0);
                }
            }
            case BARRIER -> {
                // That every rank ends after every other's begin is checked as the claim to synchronize.
            }
        }
    }

    private void requireInputs(final int rank, final long index) {
        for (int source = 0; source < shape.size(); source++) {
            requireInput(rank, source * shape.count(), source, index);
        }
    }

    private void requireResult(final int rank, final long index) {
        for (final Memory.Cell cell : output(rank, 0)) {
            require(cell, rank, Value.Kind.FINAL, -1, index + cell.start);
        }
    }

    private void requireInput(final int rank, final long offset, final int source, final long index) {
        for (final Memory.Cell cell : output(rank, offset)) {
            require(cell, rank, Value.Kind.RAW, source, index + cell.start - offset);
        }
    }

    private List<Memory.Cell> output(final int rank, final long offset) {
        return shape.count() == 0 ? List.of() : machine.store().memory(rank, Space.RECV).range(offset, shape.count());
    }

    /** @param source whose input it must be, or -1 for a result */
    private void require(final Memory.Cell cell, final int rank, final Value.Kind kind, final int source,
            final long index) {
        final Ref at = Ref.recv(cell.start);
        final String expected = (source < 0 ? "the result" : "rank " + source + "'s input") + ", element " + index;
        if (cell.value == null) {
            throw new ProofException(Place.end(machine.plan(rank)),
                    "nothing has written " + at + ", which must hold " + expected);
        }
        final boolean right = cell.value.kind() == kind && (source < 0 || cell.value.term().ranks().get(source));
        if (!right || cell.index != index) {
            throw new ProofException(cell.write.place(),
                    "leaves in " + at + " of rank " + rank + " " + cell.value + ", element "
                            + cell.index + ", where it must hold " + expected);
        }
        roundings = Math.max(roundings, cell.value.term().depth());
        if (!machine.knowsAtEnd(rank, cell.write)) {
            throw new ProofException(cell.write.place(),
                    "rank " + rank + " ends without a signal that " + at + " has come");
        }
    }

    /** All ranks combine in the same order, so that their results are equal to the bit. */
    private void checkSameBits(final int rank) {
        for (final Memory.Cell mine : output(rank, 0)) {
            for (final Memory.Cell first : machine.store()
                    .memory(0, Space.RECV)
                    .range(mine.start, mine.end - mine.start)) {
                if (first.value.term() != mine.value.term()) {
                    throw new ProofException(mine.write.place(), "rank " + rank + " combines " + Ref.recv(first.start)
                            + " in another order than rank 0, so their bits may differ");
                }
            }
        }
    }
}
