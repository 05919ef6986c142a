package org.chagres.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.chagres.collectives.plan.Collective;
import org.chagres.collectives.plan.Shape;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every pair of calls that differ, of which some ranks make one and the rest the other: all ranks throw, none hangs, none returns. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class EveryMismatchTest {
    private static final int SMALL = 3;
    /** Too much for an inbox, so that plans with buffers of peers run. */
    private static final int LARGE = 6_000;

    /** What ranks call, one after another. */
    private record Call(List<String> names, Consumer<Communicator> action) {
        static Call of(final Collective collective, final int count, final DataType type, final ReduceOp op,
                final int root) {
            final String name = collective.label() + ' ' + count + ' ' + type.label() + ' ' + op + " root " + root;
            return new Call(List.of(name), c -> {
                final MemorySegment send = MemorySegment.ofArray(new byte[c.size() * count * type.size()]);
                final MemorySegment recv = MemorySegment.ofArray(new byte[c.size() * count * type.size()]);
                new Operation(new Shape(collective, c.size(), root, count, type.size()), type, op).call(c, send, recv);
            });
        }

        Call then(final Call second) {
            return new Call(Stream.concat(names.stream(), second.names.stream()).toList(), c -> {
                action.accept(c);
                second.action.accept(c);
            });
        }

        /** The first operation that differs, from 0; -1 if there is none that both make. */
        int difference(final Call other) {
            for (int i = 0; i < Math.min(names.size(), other.names.size()); i++) {
                if (!names.get(i).equals(other.names.get(i))) {
                    return i;
                }
            }
            return -1;
        }
    }

    private static List<Call> calls() {
        final List<Call> calls = new ArrayList<>();
        calls.add(Call.of(Collective.BARRIER, 0, DataType.UINT8, null, 0));
        for (final int count : new int[]{SMALL, LARGE }) {
            for (final Collective collective : Collective.values()) {
                if (collective != Collective.BARRIER && collective != Collective.SEND_RECV) {
                    calls.add(Call.of(collective, count, DataType.INT32, op(collective, ReduceOp.SUM), 0));
                }
            }
            calls.add(Call.of(Collective.BROADCAST, count, DataType.INT32, null, 1));
        }
        calls.add(Call.of(Collective.ALL_REDUCE, 0, DataType.INT32, ReduceOp.SUM, 0));
        calls.add(Call.of(Collective.BROADCAST, 0, DataType.INT32, null, 0));
        calls.add(Call.of(Collective.GATHER, SMALL, DataType.INT32, null, 1));
        calls.add(Call.of(Collective.SCATTER, SMALL, DataType.INT32, null, 1));
        calls.add(Call.of(Collective.REDUCE, SMALL, DataType.INT32, ReduceOp.SUM, 1));
        calls.add(Call.of(Collective.REDUCE, SMALL, DataType.INT32, ReduceOp.MAX, 0));
        calls.add(Call.of(Collective.ALL_REDUCE, SMALL, DataType.FLOAT32, ReduceOp.SUM, 0));
        calls.add(Call.of(Collective.BROADCAST, SMALL, DataType.UINT32, null, 0));
        // The same in another order.
        final Call broadcast = Call.of(Collective.BROADCAST, SMALL, DataType.INT8, null, 0);
        final Call gather = Call.of(Collective.GATHER, SMALL, DataType.INT8, null, 0);
        calls.add(broadcast.then(gather).then(broadcast));
        calls.add(broadcast.then(broadcast).then(gather));
        calls.add(gather.then(broadcast).then(broadcast));
        return calls;
    }

    private static ReduceOp op(final Collective collective, final ReduceOp op) {
        return switch (collective) {
            case ALL_REDUCE, REDUCE, REDUCE_SCATTER -> op;
            case BROADCAST, ALL_GATHER, ALL_TO_ALL, GATHER, SCATTER, BARRIER, SEND_RECV -> null;
        };
    }

    @ParameterizedTest
    @CsvSource({"2, shm", "2, tcp", "3, tcp", "4, shm", "5, shm" })
    void everyPairOfDifferingCallsEndsOnAllRanks(final int size, final String transport) throws Exception {
        final List<Call> calls = calls();
        final Random random = new Random(size);
        // A deadline so long that whoever reaches it hangs for the test.
        try (Ranks ranks = new Ranks(size, Map.of("CHAGRES_TIMEOUT", "20", "CHAGRES_TRANSPORT", transport))) {
            for (int a = 0; a < calls.size(); a++) {
                for (int b = 0; b < a; b++) {
                    if (calls.get(a).difference(calls.get(b)) >= 0) {
                        // Neither all nor none.
                        final int others = 1 + random.nextInt((1 << size) - 2);
                        assertAllThrow(ranks, calls.get(a), calls.get(b), others, random.nextInt(4));
                    }
                }
            }
        }
    }

    /** @param before calls that agree before, so that both generations and all states of knowledge about peers are met */
    private static void assertAllThrow(final Ranks ranks, final Call one, final Call other, final int others,
            final int before) throws Exception {
        final AtomicReferenceArray<Throwable> thrown = new AtomicReferenceArray<>(ranks.size());
        ranks.run(world -> {
            try (Communicator c = world.split(0, 0)) {
                try {
                    for (int i = 0; i < before; i++) {
                        c.broadcast(MemorySegment.ofArray(new byte[1]), MemorySegment.ofArray(new byte[1]), 1,
                                DataType.INT8, i % c.size());
                    }
                    ((others >> c.rank() & 1) == 0 ? one : other).action().accept(c);
                } catch (final RuntimeException e) {
                    thrown.set(c.rank(), e);
                }
                // Whoever closes at once would be one who left, for those that look late.
                world.barrier();
            }
        });
        for (int r = 0; r < ranks.size(); r++) {
            final int rank = r;
            final Throwable e = thrown.get(r);
            assertEquals(CollectiveMismatchException.class, e == null ? null : e.getClass(), () -> "rank " + rank
                    + " of " + ranks.size() + ": " + one.names() + " / " + other.names() + " by ranks "
                    + Integer.toBinaryString(others) + " after " + before + ": " + e);
            final String message = e.getMessage();
            final int number = 1 + before + one.difference(other);
            assertTrue(message.split(" called ").length == 3 && message.contains("operation " + number), message);
        }
    }
}
