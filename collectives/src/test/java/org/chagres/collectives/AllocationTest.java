package org.chagres.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.chagres.collectives.plan.Collective;
import org.chagres.collectives.plan.Shape;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The steady state of blocking operations on registered memory allocates nothing, not even where it has to wait. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class AllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int ROUNDS = 500;
    private static final int BATCHES = 200;

    /** What a rank does over and over. */
    interface Action {
        void run(int round);
    }

    /**
     * Runs {@code action} in batches until no rank allocates in two batches running. That takes a while: before the compiler is done, vectors are objects.
     */
    private static void assertAllocatesNothing(final Communicator c, final String what, final Action action) {
        assertAllocatesNothing(c, what, ROUNDS, action);
    }

    /** The same with as many rounds a batch. */
    static void assertAllocatesNothing(final Communicator c, final String what, final int rounds, final Action action) {
        final List<Long> seen = new ArrayList<>();
        final long[] most = new long[1];
        int nothing = 0;
        for (int batch = 0; batch < BATCHES && nothing < 2; batch++) {
            most[0] = allocated(rounds, action) - allocated(0, action);
            final MemorySegment segment = MemorySegment.ofArray(most);
            c.allReduce(segment, segment, 1, DataType.INT64, ReduceOp.MAX);
            seen.add(most[0]);
            nothing = most[0] == 0 ? nothing + 1 : 0;
        }
        assertEquals(2, nothing, () -> what + ": bytes in batches of " + rounds + ": " + seen);
    }

    private static long allocated(final int rounds, final Action action) {
        final long before = THREADS.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < rounds; i++) {
            action.run(i);
        }
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }

    static Stream<Arguments> collectives() {
        return Stream.of(Collective.values())
                .filter(collective -> collective != Collective.SEND_RECV)

                .flatMap(collective -> Stream.of(10L, 20_000L)
                        .flatMap(count -> Stream.of("shm", "tcp")
                                .map(transport -> Arguments.of(collective, count, transport))));
    }

    @ParameterizedTest
    @MethodSource("collectives")
    void collectives(final Collective collective, final long count, final String transport) {
        final Shape shape = new Shape(collective, 2, 0, collective == Collective.BARRIER ? 0 : count, 4);
        final Operation operation = new Operation(shape, DataType.FLOAT32,
                collective.reduces() ? ReduceOp.preMulSum(2) : null);
        Worlds.run(2, Map.of("CHAGRES_TRANSPORT", transport), c -> {
            final MemorySegment send = c.allocate(DataType.FLOAT32, 2 * count).segment();
            final MemorySegment recv = c.allocate(DataType.FLOAT32, 2 * count).segment();
            assertAllocatesNothing(c, operation.toString(), _ -> operation.call(c, send, recv));
        });
    }

    @ParameterizedTest
    @CsvSource({"yield, shm", "backoff, shm", "yield, tcp", "backoff, tcp" })
    void waitingInOtherWays(final String idle, final String transport) {
        Worlds.run(2, Map.of("CHAGRES_IDLE", idle, "CHAGRES_TRANSPORT", transport), c -> {
            final Buffer buffer = c.allocate(DataType.FLOAT32, 100);
            assertAllocatesNothing(c, idle, _ -> c.allReduce(buffer, ReduceOp.MAX));
        });
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 500, 10_000 })
    void messages(final long count) {
        Worlds.run(2, c -> {
            final MemorySegment segment = c.allocate(DataType.FLOAT32, count).segment();
            assertAllocatesNothing(c, "messages of " + count, round -> {
                if ((round + c.rank()) % 2 == 0) {
                    c.send(segment, count, DataType.FLOAT32, 1 - c.rank());
                } else {
                    c.recv(segment, count, DataType.FLOAT32, 1 - c.rank());
                }
            });
        });
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 10_000 })
    void groupsThatRunAgain(final long count) {
        Worlds.run(2, c -> {
            final MemorySegment out = c.allocate(DataType.INT64, 2 * count).segment();
            final MemorySegment in = c.allocate(DataType.INT64, 2 * count).segment();
            final Group group = c.group()
                    .send(out, count, DataType.INT64, c.rank())
                    .recv(in.asSlice(8 * count), count, DataType.INT64, 1 - c.rank())
                    .send(out.asSlice(8 * count), count, DataType.INT64, 1 - c.rank())
                    .recv(in, count, DataType.INT64, c.rank());
            assertAllocatesNothing(c, "group", _ -> group.run());
        });
    }

    /** Operations of several shapes in turn, as a training step has them. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3 })
    void shapesInTurn(final int size) {
        Worlds.run(size, c -> {
            final Buffer buffer = c.allocate(DataType.FLOAT32, 30_000);
            final Buffer[] parts = {buffer.slice(0, 3), buffer.slice(3, 400), buffer.slice(403, 9000) };
            assertAllocatesNothing(c, "in turn", round -> {
                c.allReduce(parts[round % 3], ReduceOp.SUM);
                c.broadcast(parts[(round + 1) % 3], round % size);
                c.barrier();
            });
        });
    }
}
