package org.chagres.collectives;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Random;
import org.chagres.collectives.plan.Shape;

/** Memory of every kind of one rank: registered, native, and on the heap. A {@link Trial} lies at an odd place in one of them, between guards. */
final class Placement implements AutoCloseable {
    private final Arena arena = Arena.ofShared();
    private final int rank;
    private final List<Buffer> registered;
    /** Two pieces, for input and output, of each kind. */
    private final List<List<MemorySegment>> memory;

    /** @param most the longest buffer to be placed, in bytes */
    Placement(final Communicator communicator, final long most) {
        final int bytes = (int) most + 3 * Trial.GUARD_BYTES;
        this.rank = communicator.rank();
        this.registered = List.of(communicator.allocate(DataType.UINT8, bytes),
                communicator.allocate(DataType.UINT8, bytes));
        this.memory = List.of(registered.stream().map(Buffer::segment).toList(),
                List.of(arena.allocate(bytes), arena.allocate(bytes)),
                List.of(MemorySegment.ofArray(new byte[bytes]), MemorySegment.ofArray(new long[bytes / 8 + 1])));
    }

    /** Puts this rank's input of {@code operation}, and room for its output, anywhere legal. */
    Trial place(final Operation operation, final Random random) {
        final Shape shape = operation.shape();
        final MemorySegment input = operation.input(rank);
        final MemorySegment output = operation.output(rank);
        if (input.byteSize() > 0 && output.byteSize() > 0 && random.nextBoolean()) {
            final long offset = shape.inPlaceOffset(rank);
            return inPlace(offset == Shape.NOT_IN_PLACE ? 0 : offset * shape.elementSize(), input, output, random);
        }
        final Trial.Expectation sent = guarded("send", 0, input, input, random);
        final Trial.Expectation received = guarded("recv", 1,
                MemorySegment.ofArray(new byte[(int) output.byteSize()]), output, random);
        return new Trial(input.byteSize() == 0 && random.nextBoolean() ? null : place(sent),
                output.byteSize() == 0 && random.nextBoolean() ? null : place(received), List.of(sent, received));
    }

    /**
     * One buffer for both. Where it is longer than the output, the rest must stay as it is.
     *
     * @param apart where the input starts relative to the output, in bytes
     */
    private Trial inPlace(final long apart, final MemorySegment input, final MemorySegment output,
            final Random random) {
        final long sendAt = Math.max(0, apart);
        final long recvAt = Math.max(0, -apart);
        final long bytes = Math.max(sendAt + input.byteSize(), recvAt + output.byteSize());
        final MemorySegment before = MemorySegment.ofArray(new byte[(int) bytes]);
        before.asSlice(sendAt).copyFrom(input);
        final MemorySegment after = MemorySegment.ofArray(before.toArray(ValueLayout.JAVA_BYTE));
        after.asSlice(recvAt).copyFrom(output);
        final Trial.Expectation both = guarded("in place", random.nextInt(2), before, after, random);
        return new Trial(place(both).asSlice(sendAt, input.byteSize()), place(both).asSlice(recvAt, output.byteSize()),
                List.of(both));
    }

    private Trial.Expectation guarded(final String name, final int which, final MemorySegment before,
            final MemorySegment after, final Random random) {
        final MemorySegment piece = memory.get(random.nextInt(memory.size())).get(which);
        final int start = Trial.GUARD_BYTES + random.nextInt(Trial.GUARD_BYTES);
        piece.asSlice(0, start).fill(Trial.GUARD);
        piece.asSlice(start + before.byteSize(), Trial.GUARD_BYTES).fill(Trial.GUARD);
        piece.asSlice(start).copyFrom(before);
        return new Trial.Expectation(name, piece, start, after);
    }

    private static MemorySegment place(final Trial.Expectation expectation) {
        return expectation.memory().asSlice(expectation.start(), expectation.contents().byteSize());
    }

    @Override
    public void close() {
        registered.forEach(Buffer::close);
        arena.close();
    }
}
