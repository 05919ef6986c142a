package org.chagres.collectives;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.chagres.collectives.plan.Collective;
import org.chagres.collectives.plan.Shape;
import org.chagres.collectives.planner.Planners;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages between two ranks, blocking and grouped. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class MessageTest {
    private static boolean supported(final DataType type, final long count) {
        final Shape shape = new Shape(Collective.SEND_RECV, 2, 0, count, type.size());
        return Planners.ALL.stream().anyMatch(planner -> planner.supports(shape, Fabric.MESSAGE_LIMITS));
    }

    private static byte[] noise(final long seed, final int bytes) {
        final byte[] noise = new byte[bytes];
        new Random(seed).nextBytes(noise);
        return noise;
    }

    @ParameterizedTest
    @EnumSource(DataType.class)
    void everySizeArrivesInEveryDirection(final DataType type) {
        final long inbox = Fabric.MESSAGE_LIMITS.inboxBytes() / type.size();
        final long chunk = Fabric.MESSAGE_LIMITS.chunkBytes() / type.size();
        Worlds.run(3, c -> {
            final int next = (c.rank() + 1) % 3;
            final int previous = (c.rank() + 2) % 3;
            final Random random = new Random(type.code() * 3L + c.rank());
            for (final long count : new long[]{0, 1, 2, 3, 7, 63, inbox - 1, inbox, inbox + 1, chunk + 1, 3 * chunk }) {
                if (!supported(type, count)) {
                    continue;
                }
                final int bytes = (int) (count * type.size());
                final byte[] sent = noise(count * 3 + c.rank(), bytes);
                final MemorySegment send = random.nextBoolean()
                        ? MemorySegment.ofArray(sent)
                        : c.allocate(DataType.UINT8, bytes).segment().copyFrom(MemorySegment.ofArray(sent));
                final MemorySegment recv = random.nextBoolean()
                        ? MemorySegment.ofArray(new byte[bytes])
                        : c.allocate(DataType.UINT8, bytes).segment();
                if (c.rank() == 0) {
                    c.send(send, count, type, next);
                    c.recv(recv, count, type, previous);
                } else {
                    c.recv(recv, count, type, previous);
                    c.send(send, count, type, next);
                }
                assertArrayEquals(noise(count * 3 + previous, bytes), recv.toArray(ValueLayout.JAVA_BYTE),
                        "count " + count);
            }
        });
    }

    @Test
    void messagesKeepTheirOrder() {
        Worlds.run(2, c -> {
            final Buffer buffer = c.allocate(DataType.INT64, 1);
            for (int i = 0; i < 1000; i++) {
                if (c.rank() == 0) {
                    buffer.segment().set(ValueLayout.JAVA_LONG, 0, i);
                    c.send(buffer.segment(), 1, DataType.INT64, 1);
                } else {
                    c.recv(buffer.segment(), 1, DataType.INT64, 0);
                    assertEquals(i, buffer.segment().get(ValueLayout.JAVA_LONG, 0));
                }
            }
        });
    }

    @Test
    void messagesAndCollectivesAlternate() {
        Worlds.run(3, c -> {
            for (int i = 0; i < 50; i++) {
                final int[] box = {i };
                if (c.rank() == i % 3) {
                    c.send(MemorySegment.ofArray(box), 1, DataType.INT32, (i + 1) % 3);
                } else if (c.rank() == (i + 1) % 3) {
                    box[0] = -1;
                    c.recv(MemorySegment.ofArray(box), 1, DataType.INT32, i % 3);
                    assertEquals(i, box[0]);
                }
                Worlds.assertUsable(c);
            }
        });
    }

    /** Everyone sends several messages to everyone, itself included, and adds them in an order of its own; then the same again. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5 })
    void aGroupExchangesInAnyOrderAndAgain(final int size) {
        final int each = 4;
        Worlds.run(size, c -> {
            final Random random = new Random(c.rank());
            final MemorySegment[][] send = new MemorySegment[size][each];
            final MemorySegment[][] recv = new MemorySegment[size][each];
            final List<Integer> order = new ArrayList<>();
            for (int peer = 0; peer < size; peer++) {
                for (int i = 0; i < each; i++) {
                    order.add(peer);
                    order.add(~peer);
                    final int length = length(i);
                    send[peer][i] = random.nextBoolean()
                            ? MemorySegment.ofArray(new int[length])
                            : c.allocate(DataType.INT32, length).segment();
                    recv[peer][i] = random.nextBoolean()
                            ? MemorySegment.ofArray(new int[length])
                            : c.allocate(DataType.INT32, length).segment();
                }
            }
            Collections.shuffle(order, random);
            final Group group = c.group();
            final int[] sends = new int[size];
            final int[] recvs = new int[size];
            for (final int entry : order) {
                if (entry >= 0) {
                    final int i = sends[entry]++;
                    group.send(send[entry][i], length(i), DataType.INT32, entry);
                } else {
                    final int i = recvs[~entry]++;
                    group.recv(recv[~entry][i], length(i), DataType.INT32, ~entry);
                }
            }
            for (int round = 0; round < 20; round++) {
                for (int peer = 0; peer < size; peer++) {
                    for (int i = 0; i < each; i++) {
                        fill(send[peer][i], length(i), value(c.rank(), peer, i, round));
                        fill(recv[peer][i], length(i), -1);
                    }
                }
                group.run();
                for (int peer = 0; peer < size; peer++) {
                    for (int i = 0; i < each; i++) {
                        for (int e = 0; e < length(i); e++) {
                            assertEquals(value(peer, c.rank(), i, round),
                                    recv[peer][i].get(ValueLayout.JAVA_INT_UNALIGNED, e * 4L));
                        }
                    }
                }
            }
        });
    }

    private static int length(final int message) {
        return message * 7 + 1;
    }

    private static int value(final int from, final int to, final int message, final int round) {
        return ((from * 10 + to) * 10 + message) * 100 + round;
    }

    private static void fill(final MemorySegment segment, final int length, final int value) {
        for (int e = 0; e < length; e++) {
            segment.set(ValueLayout.JAVA_INT_UNALIGNED, e * 4L, value);
        }
    }

    @Test
    void aGroupOnOneSideMeetsBlockingCallsOnTheOther() {
        Worlds.run(2, c -> {
            final int[] a = {c.rank() + 1 };
            final int[] b = new int[1];
            if (c.rank() == 0) {
                c.group()
                        .recv(MemorySegment.ofArray(b), 1, DataType.INT32, 1)
                        .send(MemorySegment.ofArray(a), 1, DataType.INT32, 1)
                        .run();
            } else {
                c.recv(MemorySegment.ofArray(b), 1, DataType.INT32, 0);
                c.send(MemorySegment.ofArray(a), 1, DataType.INT32, 0);
            }
            assertEquals(2 - c.rank(), b[0]);
        });
    }

    @Test
    void anEmptyGroupDoesNothing() {
        Worlds.run(2, c -> {
            c.group().run();
            Worlds.assertUsable(c);
        });
    }

    /** More groups than a rank may have regions, with memory that must be staged. */
    @Test
    void groupsOfHeapMemoryGiveBackTheirStaging() {
        Worlds.run(2, c -> {
            for (int i = 0; i < 2200; i++) {
                final int[] a = {i };
                final int[] b = new int[1];
                c.group()
                        .send(MemorySegment.ofArray(a), 1, DataType.INT32, 1 - c.rank())
                        .recv(MemorySegment.ofArray(b), 1, DataType.INT32, 1 - c.rank())
                        .run();
                assertEquals(i, b[0]);
            }
        });
    }
}
