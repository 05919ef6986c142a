package org.chagres.collectives;

import org.chagres.collectives.exec.Program;
import org.chagres.collectives.plan.Shape;

/**
 * An operation ready to run again: what was asked for, and the program that does it.
 *
 * @param op null where nothing is reduced
 * @param sendBytes bytes that this rank reads
 * @param recvBytes bytes that this rank writes
 * @param inPlaceBytes where the input starts relative to the output when it is in place; {@link Shape#NOT_IN_PLACE} if it must not be
 */
record Prepared(Shape shape, DataType type, ReduceOp op, Program program, long sendBytes, long recvBytes,
        long inPlaceBytes) {
    static Prepared of(final Shape shape, final DataType type, final ReduceOp op, final Program program,
            final int rank) {
        final long inPlace = shape.inPlaceOffset(rank);
        return new Prepared(shape, type, op, program, shape.sendCount(rank) * type.size(),
                shape.recvCount(rank) * type.size(),
                inPlace == Shape.NOT_IN_PLACE ? inPlace : inPlace * type.size());
    }
}
