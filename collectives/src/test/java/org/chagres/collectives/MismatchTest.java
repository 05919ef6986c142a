package org.chagres.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Ranks that call different things: an exception that shows both sides on at least one rank, an end on all, and never a result. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class MismatchTest {
    private static final int SMALL = 10;
    private static final int LARGE = 40_000;
    private static final Map<String, String> SHORT = Map.of("CHAGRES_TIMEOUT", "3");

    /** What a rank calls. */
    private interface Call extends Consumer<Communicator> {
    }

    private static Call allReduce(final long count, final DataType type, final ReduceOp op) {
        return c -> {
            final MemorySegment memory = c.allocate(type, count).segment();
            c.allReduce(memory, memory, count, type, op);
        };
    }

    private static Call send(final long count, final DataType type, final int peer) {
        return c -> c.send(c.allocate(type, count).segment(), count, type, peer);
    }

    private static Call recv(final long count, final DataType type, final int peer) {
        return c -> c.recv(c.allocate(type, count).segment(), count, type, peer);
    }

    private static Call moves(final int root) {
        return c -> c.broadcast(c.allocate(DataType.INT32, SMALL), root);
    }

    private static Call gathers(final int root) {
        return c -> c.gather(c.allocate(DataType.INT32, SMALL).segment(),
                c.allocate(DataType.INT32, 9 * SMALL).segment(),
                SMALL, DataType.INT32, root);
    }

    static Stream<Arguments> differences() {
        final Call floats = allReduce(SMALL, DataType.FLOAT32, ReduceOp.SUM);
        final Call many = allReduce(LARGE, DataType.FLOAT32, ReduceOp.SUM);
        final Call barrier = Communicator::barrier;
        return Stream.of(Arguments.of("type, small", floats, allReduce(SMALL, DataType.INT32, ReduceOp.SUM), "int32"),
                Arguments.of("type, large", many, allReduce(LARGE, DataType.INT32, ReduceOp.SUM), "int32"),
                Arguments.of("op, small", floats, allReduce(SMALL, DataType.FLOAT32, ReduceOp.MAX), "max"),
                Arguments.of("op, large", many, allReduce(LARGE, DataType.FLOAT32, ReduceOp.PROD), "prod"),
                Arguments.of("scalar", allReduce(SMALL, DataType.FLOAT32, ReduceOp.preMulSum(2)),
                        allReduce(SMALL, DataType.FLOAT32, ReduceOp.preMulSum(3)), "mulsum"),
                Arguments.of("count, small", floats, allReduce(SMALL + 1, DataType.FLOAT32, ReduceOp.SUM), "11"),
                Arguments.of("count, large", many, allReduce(LARGE + 1, DataType.FLOAT32, ReduceOp.SUM), "40001"),
                Arguments.of("count, small and large", floats, many, "40000"),
                Arguments.of("count, some and none", floats, allReduce(0, DataType.FLOAT32, ReduceOp.SUM), "of 0"),
                Arguments.of("collective", floats, barrier, "barrier"),
                Arguments.of("collective, large", many, barrier, "barrier"),
                Arguments.of("root of broadcast", moves(0), moves(1), "differ"),
                Arguments.of("root of gather", gathers(0), gathers(1), "differ"),
                Arguments.of("rooted or not", moves(0), floats, "all_reduce"),
                Arguments.of("to a root or not", gathers(0), barrier, "barrier"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("differences")
    void collectivesThatDiffer(final String what, final Call usual, final Call other, final String shown) {
        for (int size = 2; size <= 3; size++) {
            for (int odd = 0; odd < size; odd++) {
                // After other operations too, in which ranks have learned of each other's progress.
                for (final boolean warm : new boolean[]{false, true }) {
                    assertCaught(what, size, odd, usual, other, shown, warm);
                }
            }
        }
    }

    private static void assertCaught(final String what, final int size, final int odd, final Call usual,
            final Call other, final String shown, final boolean warm) {
        final List<String> mismatches = Collections.synchronizedList(new ArrayList<>());
        try (World world = Worlds.open(size, SHORT)) {
            world.run(c -> {
                for (int i = 0; warm && i < 6; i++) {
                    c.broadcast(c.allocate(DataType.INT8, 3), i % size);
                    c.broadcast(c.allocate(DataType.INT8, 3), i % size);
                }
            });
            final Throwable first = assertThrows(RuntimeException.class, () -> world.run(c -> {
                try {
                    (c.rank() == odd ? other : usual).accept(c);
                    // Where data flows one way only, ranks may be done before they look; the next operations tell.
                    for (int i = 0; i < 4; i++) {
                        c.barrier();
                    }
                } catch (final CollectiveMismatchException e) {
                    mismatches.add(e.getMessage());
                    throw e;
                }
            }));
            assertEquals(CollectiveMismatchException.class, first.getClass(), () -> what + ": " + first);
        }
        final String message = mismatches.getFirst();
        assertTrue(message.contains(shown) && message.contains(" called ") && message.contains("same order"), message);
    }

    static Stream<Arguments> differentMessages() {
        return Stream.of(
                Arguments.of("count", send(SMALL, DataType.INT32, 1), recv(SMALL + 1, DataType.INT32, 0)),
                Arguments.of("count, less", send(SMALL, DataType.INT32, 1), recv(SMALL - 1, DataType.INT32, 0)),
                Arguments.of("count, none", send(0, DataType.INT32, 1), recv(1, DataType.INT32, 0)),
                Arguments.of("type", send(SMALL, DataType.INT32, 1), recv(SMALL, DataType.UINT32, 0)),
                Arguments.of("type of another size", send(SMALL, DataType.INT64, 1), recv(SMALL, DataType.INT8, 0)),
                Arguments.of("count, large", send(LARGE, DataType.INT32, 1), recv(LARGE + 1, DataType.INT32, 0)),
                Arguments.of("small to large", send(SMALL, DataType.INT32, 1), recv(LARGE, DataType.INT32, 0)),
                Arguments.of("large to small", send(LARGE, DataType.INT32, 1), recv(SMALL, DataType.INT32, 0)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("differentMessages")
    void messagesThatDiffer(final String what, final Call sender, final Call receiver) {
        try (World world = Worlds.open(2, SHORT)) {
            final Throwable first = assertThrows(RuntimeException.class, () -> world.run(c -> {
                (c.rank() == 0 ? sender : receiver).accept(c);
                c.barrier();
            }));
            assertEquals(CollectiveMismatchException.class, first.getClass(), () -> what + ": " + first);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("differentMessages")
    void messagesOfGroupsThatDiffer(final String what, final Call sender, final Call receiver) {
        try (World world = Worlds.open(2, SHORT)) {
            final Throwable first = assertThrows(RuntimeException.class, () -> world.run(c -> {
                final MemorySegment other = c.allocate(DataType.INT8, 1).segment();
                final MemorySegment back = c.allocate(DataType.INT8, 1).segment();
                c.group().send(other, 1, DataType.INT8, 1 - c.rank()).recv(back, 1, DataType.INT8, 1 - c.rank()).run();
                (c.rank() == 0 ? sender : receiver).accept(c);
                c.barrier();
            }));
            assertEquals(CollectiveMismatchException.class, first.getClass(), () -> what + ": " + first);
        }
    }
}
