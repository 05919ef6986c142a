package org.chagres.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.chagres.bootstrap.JoinException;
import org.chagres.collectives.plan.Collective;
import org.chagres.collectives.plan.Shape;
import org.chagres.memory.MemoryExhaustedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Wrong arguments and settings: an exception that names the value and the rule, and a communicator that still works. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class BadInputTest {
    private static final int SIZE = 3;

    private static void assertRefused(final Class<? extends Exception> type, final Executable call,
            final String... parts) {
        final String message = assertThrows(type, call).getMessage();
        for (final String part : parts) {
            assertTrue(message.contains(part), message + " does not contain: " + part);
        }
    }

    private static Operation operation(final Collective collective, final long count, final int root) {
        return new Operation(new Shape(collective, SIZE, root, count, 4), DataType.FLOAT32,
                collective.reduces() ? ReduceOp.SUM : null);
    }

    private static long bytes(final Operation operation, final Communicator c, final boolean send) {
        return 4 * (send ? operation.shape().sendCount(c.rank()) : operation.shape().recvCount(c.rank()));
    }

    /** All collectives, each by both ways of calling it. */
    private interface Call {
        void run(Operation operation, MemorySegment send, MemorySegment recv);
    }

    private static void bothWays(final Communicator c, final ThrowingConsumer check) {
        check.accept((o, send, recv) -> o.call(c, send, recv));
        check.accept((o, send, recv) -> o.submit(c, send, recv));
    }

    private interface ThrowingConsumer {
        void accept(Call call);
    }

    @ParameterizedTest
    @EnumSource(value = Collective.class, mode = EnumSource.Mode.EXCLUDE, names = {"BARRIER", "SEND_RECV" })
    void buffersThatAreMissingOrTooShort(final Collective collective) {
        Worlds.run(SIZE, c -> {
            final Operation o = operation(collective, 10, 1);
            final MemorySegment enough = c.allocate(DataType.FLOAT32, 100).segment();
            final MemorySegment other = c.allocate(DataType.FLOAT32, 100).segment();
            bothWays(c, call -> {
                final long send = bytes(o, c, true);
                if (send > 0) {
                    assertRefused(IllegalArgumentException.class, () -> call.run(o, null, other), collective.label(),
                            "send", "" + send);
                    assertRefused(IllegalArgumentException.class,
                            () -> call.run(o, enough.asSlice(0, send - 1), other), "count 10 exceeds the send buffer",
                            "" + (send - 1), "" + send);
                }
                final long recv = bytes(o, c, false);
                if (recv > 0) {
                    assertRefused(IllegalArgumentException.class, () -> call.run(o, enough, null), collective.label(),
                            "recv", "" + recv);
                    assertRefused(IllegalArgumentException.class,
                            () -> call.run(o, enough, other.asSlice(0, recv - 1)), "count 10 exceeds the recv buffer",
                            "" + (recv - 1), "" + recv);
                    assertRefused(IllegalArgumentException.class, () -> call.run(o, enough, other.asReadOnly()),
                            collective.label(), "read-only");
                }
            });
            Worlds.assertUsable(c);
        });
    }

    @ParameterizedTest
    @EnumSource(value = Collective.class, mode = EnumSource.Mode.EXCLUDE, names = {"BARRIER", "SEND_RECV" })
    void partialOverlap(final Collective collective) {
        Worlds.run(SIZE, c -> {
            final Operation o = operation(collective, 10, 1);
            final long send = bytes(o, c, true);
            final long recv = bytes(o, c, false);
            final long inPlace = o.shape().inPlaceOffset(c.rank()) == Shape.NOT_IN_PLACE
                    ? 0
                    : o.shape().inPlaceOffset(c.rank()) * 4;
            if (send > 0 && recv > 0) {
                try (Arena arena = Arena.ofShared()) {
                    for (final MemorySegment memory : new MemorySegment[]{c.allocate(DataType.UINT8, 1000).segment(),
                            arena.allocate(1000), MemorySegment.ofArray(new byte[1000]) }) {
                        bothWays(c, call -> {
                            for (long apart = -recv - send; apart <= recv + send; apart++) {
                                if (apart != inPlace && apart < recv && -apart < send) {
                                    final MemorySegment from = memory.asSlice(400 + apart, send);
                                    final MemorySegment to = memory.asSlice(400, recv);
                                    assertRefused(IllegalArgumentException.class, () -> call.run(o, from, to),
                                            collective.label(), apart + " bytes", "overlap");
                                }
                            }
                        });
                    }
                }
            }
            Worlds.assertUsable(c);
        });
    }

    @Test
    void neighboursDoNotOverlap() {
        Worlds.run(SIZE, c -> {
            final MemorySegment memory = c.allocate(DataType.UINT8, 1000).segment();
            final Operation o = operation(Collective.ALL_REDUCE, 10, 0);
            memory.asSlice(40, 40).copyFrom(o.input(c.rank()));
            o.call(c, memory.asSlice(40, 40), memory.asSlice(80, 40));
            o.call(c, memory.asSlice(40, 40), memory.asSlice(0, 40));
            assertEquals(-1, memory.asSlice(80, 40).mismatch(o.output(0)));
            assertEquals(-1, memory.asSlice(0, 40).mismatch(o.output(0)));
        });
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE / 4, Long.MAX_VALUE / 11 })
    void countsThatCannotBe(final long count) {
        Worlds.run(SIZE, c -> {
            final MemorySegment some = c.allocate(DataType.FLOAT32, 4).segment();
            final MemorySegment more = c.allocate(DataType.FLOAT32, 4).segment();
            assertRefused(IllegalArgumentException.class,
                    () -> c.allReduce(some, more, count, DataType.FLOAT32, ReduceOp.SUM), "count " + count);
            assertRefused(IllegalArgumentException.class, () -> c.allGather(some, more, count, DataType.FLOAT32),
                    "count " + count);
            assertRefused(IllegalArgumentException.class, () -> c.allToAllAsync(some, more, count, DataType.FLOAT32),
                    "count " + count);
            assertRefused(IllegalArgumentException.class,
                    () -> c.send(some, count, DataType.FLOAT64, (c.rank() + 1) % SIZE), "count " + count);
            assertRefused(IllegalArgumentException.class,
                    () -> c.group().recv(some, count, DataType.FLOAT64, (c.rank() + 1) % SIZE).run(), "count " + count);
            Worlds.assertUsable(c);
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, SIZE, SIZE + 1, Integer.MIN_VALUE, Integer.MAX_VALUE })
    void rootsAndPeersOutOfRange(final int root) {
        Worlds.run(SIZE, c -> {
            final MemorySegment some = c.allocate(DataType.FLOAT32, 4).segment();
            final String range = "out of range: ranks are 0..2";
            assertRefused(IllegalArgumentException.class,
                    () -> c.broadcast(some, some, 1, DataType.FLOAT32, root), "root " + root, range);
            assertRefused(IllegalArgumentException.class,
                    () -> c.reduce(some, some, 1, DataType.FLOAT32, ReduceOp.SUM, root), "root " + root, range);
            assertRefused(IllegalArgumentException.class, () -> c.gather(some, some, 1, DataType.FLOAT32, root),
                    "root " + root, range);
            assertRefused(IllegalArgumentException.class, () -> c.scatterAsync(some, some, 1, DataType.FLOAT32, root),
                    "root " + root, range);
            assertRefused(IllegalArgumentException.class, () -> c.send(some, 1, DataType.FLOAT32, root),
                    "peer " + root, range);
            assertRefused(IllegalArgumentException.class, () -> c.recv(some, 1, DataType.FLOAT32, root),
                    "peer " + root, range);
            assertRefused(IllegalArgumentException.class, () -> c.group().send(some, 1, DataType.FLOAT32, root),
                    "peer " + root, range);
            Worlds.assertUsable(c);
        });
    }

    @Test
    void aMessageToOneselfNeedsAGroupWithBothEnds() {
        Worlds.run(2, c -> {
            final MemorySegment some = c.allocate(DataType.FLOAT32, 4).segment();
            final MemorySegment more = c.allocate(DataType.FLOAT32, 4).segment();
            assertRefused(IllegalArgumentException.class, () -> c.send(some, 1, DataType.FLOAT32, c.rank()),
                    "rank " + c.rank(), "group");
            assertRefused(IllegalArgumentException.class, () -> c.recv(some, 1, DataType.FLOAT32, c.rank()),
                    "rank " + c.rank(), "group");
            assertRefused(IllegalArgumentException.class,
                    () -> c.group().send(some, 1, DataType.FLOAT32, c.rank()).run(), "without the other end");
            assertRefused(IllegalArgumentException.class,
                    () -> c.group()
                            .send(some, 2, DataType.FLOAT32, c.rank())
                            .recv(more, 1, DataType.FLOAT32, c.rank())
                            .run(),
                    "sends 2 float");
            assertRefused(IllegalArgumentException.class,
                    () -> c.group()
                            .recv(some, 1, DataType.FLOAT32, c.rank())
                            .send(more, 1, DataType.INT32, c.rank())
                            .run(),
                    "receives 1 float");
            Worlds.assertUsable(c);
        });
    }

    @Test
    void aClosedBuffer() {
        Worlds.run(SIZE, c -> {
            final Buffer closed = c.allocate(DataType.FLOAT32, 4);
            final Buffer open = c.allocate(DataType.FLOAT32, 4);
            closed.close();
            closed.close();
            final MemorySegment freed;
            try (Arena arena = Arena.ofShared()) {
                freed = arena.allocate(16);
            }
            assertRefused(IllegalStateException.class, () -> c.allReduce(closed, ReduceOp.SUM), "all_reduce", "closed");
            assertRefused(IllegalStateException.class, () -> c.allReduce(open, closed, ReduceOp.SUM), "recv", "closed");
            assertRefused(IllegalStateException.class, () -> c.allReduceAsync(closed, open, ReduceOp.SUM), "send",
                    "closed");
            assertRefused(IllegalStateException.class,
                    () -> c.allReduce(freed, freed, 4, DataType.FLOAT32, ReduceOp.SUM), "closed");
            assertRefused(IllegalStateException.class,
                    () -> c.send(closed.segment(), 4, DataType.FLOAT32, (c.rank() + 1) % SIZE), "closed");
            assertRefused(IllegalStateException.class,
                    () -> c.group().recv(closed.segment(), 4, DataType.FLOAT32, (c.rank() + 1) % SIZE).run(),
                    "closed");
            Worlds.assertUsable(c);
        });
    }

    @Test
    void aSliceSharesItsBuffersEnd() {
        Worlds.run(2, c -> {
            final Buffer whole = c.allocate(DataType.INT32, 10);
            final Buffer part = whole.slice(3, 4);
            Worlds.fill(part, c.rank() + 1);
            c.allReduce(part, ReduceOp.SUM);
            Worlds.assertFilled(3, whole.slice(3, 4));
            Worlds.assertFilled(0, whole.slice(0, 3));
            Worlds.assertFilled(0, whole.slice(7, 3));
            assertThrows(IndexOutOfBoundsException.class, () -> whole.slice(7, 4));
            assertThrows(IndexOutOfBoundsException.class, () -> whole.slice(-1, 1));
            assertThrows(IndexOutOfBoundsException.class, () -> part.slice(0, 5));
            assertThrows(IndexOutOfBoundsException.class, () -> part.slice(1, Long.MAX_VALUE));
            part.close();
            assertRefused(IllegalStateException.class, () -> c.allReduce(whole, ReduceOp.SUM), "closed");
            Worlds.assertUsable(c);
        });
    }

    @Test
    void buffersOfDifferentTypeOrCount() {
        Worlds.run(SIZE, c -> {
            final Buffer floats = c.allocate(DataType.FLOAT32, 4);
            for (final Buffer other : new Buffer[]{c.allocate(DataType.INT32, 4), c.allocate(DataType.FLOAT32, 5) }) {
                assertRefused(IllegalArgumentException.class, () -> c.allReduce(floats, other, ReduceOp.SUM),
                        "4 float", "same type and count");
                assertRefused(IllegalArgumentException.class, () -> c.allReduceAsync(floats, other, ReduceOp.SUM),
                        "4 float", "same type and count");
            }
            Worlds.assertUsable(c);
        });
    }

    @Test
    void nullsAreNamed() {
        Worlds.run(2, c -> {
            final MemorySegment some = c.allocate(DataType.FLOAT32, 4).segment();
            assertRefused(NullPointerException.class, () -> c.allReduce(some, some, 1, DataType.FLOAT32, null), "op");
            assertRefused(NullPointerException.class, () -> c.allReduce(some, some, 1, null, ReduceOp.SUM), "type");
            assertRefused(NullPointerException.class, () -> c.send(some, 1, null, 1 - c.rank()), "type");
            Worlds.assertUsable(c);
        });
    }

    @Test
    void aScalarThatATypeCannotHold() {
        Worlds.run(2, c -> {
            final Buffer buffer = c.allocate(DataType.INT32, 4);
            assertRefused(IllegalArgumentException.class, () -> c.allReduce(buffer, ReduceOp.preMulSum(0.5)), "0.5");
            Worlds.assertUsable(c);
        });
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, Long.MIN_VALUE })
    void negativeBuffers(final long count) {
        Worlds.run(1, c -> {
            for (final DataType type : DataType.values()) {
                assertRefused(IllegalArgumentException.class, () -> c.allocate(type, count), "count " + count);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE, Long.MAX_VALUE / 2, 1L << 50 })
    void buffersLargerThanTheMachine(final long count) {
        Worlds.run(1, c -> {
            for (final DataType type : new DataType[]{DataType.UINT8, DataType.FLOAT16, DataType.FLOAT64 }) {
                final String message = assertThrows(RuntimeException.class, () -> c.allocate(type, count)).getMessage();
                assertTrue(message.contains("" + count) || message.contains("no room for "), message);
            }
            Worlds.assertUsable(c);
        });
    }

    @Test
    void aClosedCommunicator() {
        final World world = World.threads(2, Map.of());
        final Communicator[] ranks = new Communicator[2];
        final Buffer[] buffers = new Buffer[2];
        world.run(c -> {
            ranks[c.rank()] = c;
            buffers[c.rank()] = c.allocate(DataType.FLOAT32, 4);
        });
        world.close();
        world.close();
        for (final Communicator c : ranks) {
            c.close();
            final MemorySegment heap = MemorySegment.ofArray(new float[4]);
            final String closed = "closed";
            assertRefused(IllegalStateException.class, c::barrier, closed);
            assertRefused(IllegalStateException.class, c::barrierAsync, closed);
            assertRefused(IllegalStateException.class, () -> c.allReduce(new float[1], ReduceOp.SUM), closed);
            assertRefused(IllegalStateException.class, () -> c.allReduce(buffers[0], ReduceOp.SUM), closed);
            assertRefused(IllegalStateException.class, () -> c.send(heap, 4, DataType.FLOAT32, 1 - c.rank()), closed);
            assertRefused(IllegalStateException.class,
                    () -> c.group().send(heap, 4, DataType.FLOAT32, 1 - c.rank()).run(), closed);
            assertRefused(IllegalStateException.class, () -> c.allocate(DataType.INT8, 1), closed);
            assertRefused(IllegalStateException.class, () -> c.split(0, 0), closed);
            assertRefused(IllegalStateException.class, c::splitNone, closed);
            assertFalse(buffers[c.rank()].segment().scope().isAlive());
            buffers[c.rank()].close();
        }
    }

    @Test
    void aWorldOfNoRanks() {
        for (final int size : new int[]{0, -1 }) {
            assertRefused(IllegalArgumentException.class, () -> World.threads(size, Map.of()), "world of " + size);
        }
        assertRefused(IllegalArgumentException.class, () -> Chagres.join(Map.of("RANK", "0", "WORLD_SIZE", "0")),
                "WORLD_SIZE=0", "1..2147483647");
        assertRefused(IllegalArgumentException.class, () -> Chagres.join(Map.of()), "RANK is not set");
        assertRefused(IllegalArgumentException.class, () -> Chagres.join(Map.of("RANK", "2", "WORLD_SIZE", "2")),
                "RANK=2 contradicts WORLD_SIZE=2");
    }

    @ParameterizedTest
    @CsvSource({"CHAGRES_TIMEOUT, soon, not a number", "CHAGRES_TIMEOUT, 0, out of range",
            "CHAGRES_TIMEOUT, -1, out of range", "CHAGRES_TIMEOUT, NaN, out of range",
            "CHAGRES_PROGRESS, other, use caller or thread", "CHAGRES_HUGE_PAGES, 2, use 0 or 1",
            "CHAGRES_HUGE_PAGES, yes, use 0 or 1", "CHAGRES_IDLE, sleep, 'spin, yield or backoff'",
            "CHAGRES_SHM_DIR, /no/such/directory, not a directory", "CHAGRES_JOIN_TIMEOUT, x, not a number" })
    void settingsThatMakeNoSense(final String name, final String value, final String rule) {
        final Map<String, String> alone = Map.of("RANK", "0", "WORLD_SIZE", "1", name, value);
        assertRefused(IllegalArgumentException.class, () -> Chagres.join(alone), name + "=" + value, rule);
        if (!"CHAGRES_JOIN_TIMEOUT".equals(name)) {
            assertRefused(IllegalArgumentException.class, () -> World.threads(2, alone), name + "=" + value, rule);
        }
    }

    @Test
    void sharedMemoryThatCannotBeWritten() {
        assertRefused(IllegalStateException.class, () -> World.threads(2, Map.of("CHAGRES_SHM_DIR", "/proc")),
                "CHAGRES_SHM_DIR=/proc");
    }

    @Test
    void namesThatAreUnknown() {
        assertRefused(IllegalArgumentException.class, () -> DataType.parse("float31"), "'float31'", "float");
        assertRefused(IllegalArgumentException.class, () -> ReduceOp.parse("xor"), "'xor'", "sum");
        assertRefused(IllegalArgumentException.class, () -> Collective.parse("all_reduces"), "'all_reduces'",
                "all_reduce");
    }

    @Test
    void nothingAtAllWorks() {
        for (int size = 1; size <= 3; size++) {
            Worlds.run(size, c -> {
                for (final Collective collective : Collective.values()) {
                    if (collective != Collective.SEND_RECV) {
                        final Shape shape = new Shape(collective, c.size(), 0, 0, 4);
                        final Operation o = new Operation(shape, DataType.FLOAT32,
                                collective.reduces() ? ReduceOp.SUM : null);
                        o.call(c, null, null);
                        o.submit(c, null, null).await();
                        o.call(c, MemorySegment.ofArray(new byte[0]), MemorySegment.ofArray(new byte[0]));
                    }
                }
                try (Buffer none = c.allocate(DataType.FLOAT64, 0)) {
                    c.allReduce(none, ReduceOp.SUM);
                    c.broadcast(none, c.size() - 1);
                }
                if (c.size() > 1) {
                    c.group()
                            .send(null, 0, DataType.INT8, (c.rank() + 1) % c.size())
                            .recv(null, 0, DataType.INT8, (c.rank() + c.size() - 1) % c.size())
                            .run();
                }
                Worlds.assertUsable(c);
            });
        }
    }

    @Test
    void aFullSharedMemoryIsAnExceptionThatLeavesTheWorldUsable() {
        Worlds.run(2, c -> {
            assertThrows(MemoryExhaustedException.class, () -> c.allocate(DataType.UINT8, 1L << 46));
            Worlds.assertUsable(c);
        });
    }

    @Test
    void theWrongCoordinatorIsAJoinException() {
        assertRefused(JoinException.class,
                () -> Chagres.join(Map.of("RANK", "1", "WORLD_SIZE", "2", "MASTER_ADDR", "127.0.0.1", "MASTER_PORT",
                        "1", "CHAGRES_JOIN_TIMEOUT", "0.1")),
                "127.0.0.1:1");
    }
}
