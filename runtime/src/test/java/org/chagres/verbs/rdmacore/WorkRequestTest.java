package org.chagres.verbs.rdmacore;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.chagres.verbs.AddressHandle;
import org.chagres.verbs.AddressVector;
import org.chagres.verbs.Completion;
import org.chagres.verbs.CompletionOpcode;
import org.chagres.verbs.ConnectionOptions;
import org.chagres.verbs.Destination;
import org.chagres.verbs.QueuePair;
import org.chagres.verbs.QueuePairType;
import org.chagres.verbs.ReceiveRequest;
import org.chagres.verbs.SendFlag;
import org.chagres.verbs.SendRequest;
import org.chagres.verbs.SharedReceiveQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every kind of request that a person can make, over a device. */
@Tag("rdma")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class WorkRequestTest {
    private static final int IMMEDIATE = 0x89abcdef;
    private static final int QKEY = 0x11111111;

    private Rig rig;

    @BeforeAll
    static void device() {
        Rig.assumeDevice();
    }

    @BeforeEach
    void open() {
        rig = new Rig();
    }

    @AfterEach
    void close() {
        rig.close();
    }

    @ParameterizedTest
    @EnumSource(value = QueuePairType.class, names = {"RC", "UC" })
    void sendsToTheNextReceive(final QueuePairType type) throws InterruptedException {
        final QueuePair[] pair = rig.pair(type);
        rig.fill(0, 100, 1);
        pair[1].postReceive(ReceiveRequest.of(11, rig.region.slice(1024, 128)));
        pair[0].post(SendRequest.send(12, rig.region.slice(0, 100)));
        final List<Completion> both = List.of(rig.next(), rig.next());
        final Completion.Success received = find(both, 11);
        assertEquals(CompletionOpcode.RECV, received.opcode());
        assertEquals(100, received.byteLength());
        assertEquals(OptionalInt.empty(), received.immediate());
        assertEquals(pair[1].number(), received.queuePairNumber());
        assertEquals(CompletionOpcode.SEND, find(both, 12).opcode());
        rig.assertSame(0, 1024, 100);
    }

    @ParameterizedTest
    @EnumSource(value = QueuePairType.class, names = {"RC", "UC" })
    void gathersAndScattersAndBringsTheImmediate(final QueuePairType type) throws InterruptedException {
        final QueuePair[] pair = rig.pair(type);
        rig.fill(0, 60, 2);
        pair[1].postReceive(new ReceiveRequest(1,
                List.of(rig.region.slice(2000, 10), rig.region.slice(3000, 20), rig.region.slice(4000, 100))));
        pair[0].post(new SendRequest.SendWithImmediate(2,
                List.of(rig.region.slice(0, 5), rig.region.slice(5, 30), rig.region.slice(35, 25)), IMMEDIATE,
                java.util.Optional.empty(),
                SendRequest.DEFAULT_FLAGS));
        final List<Completion> both = List.of(rig.next(), rig.next());
        assertEquals(OptionalInt.of(IMMEDIATE), find(both, 1).immediate());
        assertEquals(60, find(both, 1).byteLength());
        rig.assertSame(0, 2000, 10);
        rig.assertSame(10, 3000, 20);
        rig.assertSame(30, 4000, 30);
    }

    @ParameterizedTest
    @EnumSource(value = QueuePairType.class, names = {"RC", "UC" })
    void writesIntoThePeersMemory(final QueuePairType type) throws InterruptedException {
        final QueuePair[] pair = rig.pair(type);
        rig.fill(0, 5000, 3);
        pair[0].post(SendRequest.write(1, rig.region.slice(0, 5000), rig.region.remote(8192)));
        assertEquals(CompletionOpcode.RDMA_WRITE, rig.success(1).opcode());
        // Of an unreliable write the completion says only that it is on its way.
        pair[1].postReceive(ReceiveRequest.of(2));
        pair[0].post(SendRequest.writeWithImmediate(3, rig.region.slice(0, 0), rig.region.remote(0), IMMEDIATE));
        final Completion.Success told = find(List.of(rig.next(), rig.next()), 2);
        assertEquals(CompletionOpcode.RECV_RDMA_WITH_IMM, told.opcode());
        assertTrue(told.opcode().isReceive());
        assertEquals(OptionalInt.of(IMMEDIATE), told.immediate());
        rig.assertSame(0, 8192, 5000);
    }

    @Test
    void readsFromThePeersMemory() throws InterruptedException {
        final QueuePair[] pair = rig.pair(QueuePairType.RC);
        rig.fill(8192, 5000, 4);
        pair[0].post(new SendRequest.Read(1, List.of(rig.region.slice(100, 1000), rig.region.slice(20_000, 4000)),
                rig.region.remote(8192),
                SendRequest.DEFAULT_FLAGS));
        final Completion.Success read = rig.success(1);
        assertEquals(CompletionOpcode.RDMA_READ, read.opcode());
        rig.assertSame(8192, 100, 1000);
        rig.assertSame(9192, 20_000, 4000);
    }

    @Test
    void atomicsChangeThePeersMemoryAndBringTheValueBefore() throws InterruptedException {
        final QueuePair[] pair = rig.pair(QueuePairType.RC);
        rig.memory.set(ValueLayout.JAVA_LONG, 64, 40);
        pair[0].post(SendRequest.fetchAndAdd(1, rig.region.slice(0, 8), rig.region.remote(64), 0x1_0000_0002L));
        assertEquals(CompletionOpcode.FETCH_ADD, rig.success(1).opcode());
        assertEquals(40, rig.memory.get(ValueLayout.JAVA_LONG, 0));
        assertEquals(0x1_0000_002aL, rig.memory.get(ValueLayout.JAVA_LONG, 64));

        pair[0].post(SendRequest.compareAndSwap(2, rig.region.slice(0, 8), rig.region.remote(64), 41, 7));
        assertEquals(CompletionOpcode.COMP_SWAP, rig.success(2).opcode());
        assertEquals(0x1_0000_002aL, rig.memory.get(ValueLayout.JAVA_LONG, 0));
        assertEquals(0x1_0000_002aL, rig.memory.get(ValueLayout.JAVA_LONG, 64));

        pair[0].post(SendRequest.compareAndSwap(3, rig.region.slice(0, 8), rig.region.remote(64), 0x1_0000_002aL, -7));
        rig.success(3);
        assertEquals(-7, rig.memory.get(ValueLayout.JAVA_LONG, 64));
    }

    /** Inline data are copied while posting, so that overwriting them at once does no harm; what is unsignalled makes no completion. */
    @Test
    void postsABatchInlineOfWhichOnlyTheLastIsSignalled() throws InterruptedException {
        final QueuePair[] pair = rig.pair(QueuePairType.RC);
        final SendRequest[] batch = new SendRequest[16];
        for (int i = 0; i < batch.length; i++) {
            rig.fill(64L * i, 64, i);
            final SendRequest write = SendRequest.write(i, rig.region.slice(64L * i, 64),
                    rig.region.remote(8192 + 64L * i));
            batch[i] = i < 15
                    ? write.with(SendFlag.INLINE)
                    : write.with(SendFlag.INLINE, SendFlag.SIGNALED, SendFlag.FENCE);
        }
        final byte[] expected = rig.memory.asSlice(0, 1024).toArray(ValueLayout.JAVA_BYTE);
        pair[0].post(batch);
        rig.memory.asSlice(0, 1024).fill((byte) 0);
        rig.success(15);
        assertTrue(rig.queue.poll().isEmpty());
        assertArrayEquals(expected, rig.memory.asSlice(8192, 1024).toArray(ValueLayout.JAVA_BYTE));
    }

    @Test
    void aQueuePairThatSignalsAllIgnoresTheFlag() throws InterruptedException {
        final QueuePair loop = rig.domain.createQueuePair(rig.options(QueuePairType.RC).signalAll(true));
        loop.connectLoopback();
        loop.post(SendRequest.write(5, rig.region.slice(0, 8), rig.region.remote(64)).with());
        rig.success(5);
    }

    @Test
    void datagramsGoToAnyQueuePairAndBack() throws InterruptedException {
        final QueuePair a = rig.queuePair(QueuePairType.UD);
        final QueuePair b = rig.queuePair(QueuePairType.UD);
        a.activate(1, QKEY);
        b.activate(1, QKEY);
        final int index = rig.context.gids(1).getLast().index();
        final AddressHandle handle = rig.domain
                .createAddressHandle(AddressVector.of(1, index, rig.context.gid(1, index).gid()));
        rig.fill(0, 200, 5);
        b.postReceive(ReceiveRequest.of(1, rig.region.slice(4096, 40 + 256)));
        a.post(new SendRequest.SendWithImmediate(2, List.of(rig.region.slice(0, 200)), IMMEDIATE,
                java.util.Optional.of(new Destination(handle, b.number(), QKEY)), SendRequest.DEFAULT_FLAGS));
        final Completion.Success received = find(List.of(rig.next(), rig.next()), 1);
        assertEquals(240, received.byteLength());
        assertEquals(a.number(), received.sourceQueuePair());
        assertEquals(OptionalInt.of(IMMEDIATE), received.immediate());
        assertTrue(received.routingHeader());
        rig.assertSame(0, 4096 + AddressHandle.ROUTING_HEADER_BYTES, 200);

        final AddressHandle back = rig.domain.createAddressHandle(received, rig.memory.asSlice(4096, 40), 1);
        a.postReceive(ReceiveRequest.of(3, rig.region.slice(8192, 40 + 256)));
        b.post(SendRequest.send(4, rig.region.slice(100, 50), new Destination(back, received.sourceQueuePair(), QKEY)));
        assertEquals(90, find(List.of(rig.next(), rig.next()), 3).byteLength());
        rig.assertSame(100, 8192 + 40, 50);
    }

    @Test
    void severalQueuePairsTakeFromASharedReceiveQueue() throws InterruptedException {
        final SharedReceiveQueue shared = rig.domain.createSharedReceiveQueue(16, 2);
        final QueuePair[] receivers = {
                rig.domain.createQueuePair(rig.options(QueuePairType.RC).sharedReceiveQueue(shared)),
                rig.domain.createQueuePair(rig.options(QueuePairType.RC).sharedReceiveQueue(shared)) };
        shared.postReceive(ReceiveRequest.of(100, rig.region.slice(4096, 64)),
                ReceiveRequest.of(101, rig.region.slice(4160, 64)));
        for (final QueuePair receiver : receivers) {
            final QueuePair sender = rig.queuePair(QueuePairType.RC);
            org.chagres.verbs.QueuePairs.connect(sender, receiver);
            sender.post(SendRequest.send(1, rig.region.slice(0, 32)).with());
            final Completion.Success received = rig.next().orThrow();
            assertEquals(receiver.number(), received.queuePairNumber());
            assertEquals(receiver == receivers[0] ? 100 : 101, received.id());
        }
    }

    /** Slices are checked against the region, not against what the arena would allow. */
    @Test
    void dataOutsideTheSliceStayAsTheyWere() throws InterruptedException {
        final QueuePair[] pair = rig.pair(QueuePairType.RC);
        rig.memory.fill((byte) 9);
        rig.fill(0, 33, 1);
        pair[0].post(SendRequest.write(1, rig.region.slice(0, 33), rig.region.remote(4099)));
        rig.success(1);
        final MemorySegment around = rig.memory.asSlice(4090, 60);
        for (int i = 0; i < 60; i++) {
            assertEquals(i >= 9 && i < 42, around.get(ValueLayout.JAVA_BYTE, i) == (byte) (31 + (i - 9) * 7),
                    "byte " + i);
        }
    }

    @Test
    void connectsWithEveryMtuAndSendsThroughIt() throws InterruptedException {
        for (final org.chagres.verbs.Mtu mtu : org.chagres.verbs.Mtu.values()) {
            final QueuePair a = rig.queuePair(QueuePairType.RC);
            final QueuePair b = rig.queuePair(QueuePairType.RC);
            org.chagres.verbs.QueuePairs.connect(a, b, ConnectionOptions.defaults().mtu(mtu));
            assertEquals(mtu, a.query().pathMtu());
            rig.fill(0, 9000, mtu.code());
            a.post(SendRequest.write(1, rig.region.slice(0, 9000), rig.region.remote(16_384)));
            rig.success(1);
            rig.assertSame(0, 16_384, 9000);
            assertFalse(a.isClosed());
            a.close();
            b.close();
        }
    }

    private static Completion.Success find(final List<Completion> completions, final long id) {
        return completions.stream()
                .map(Completion::orThrow)
                .filter(c -> c.id() == id)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no completion of " + id + " among " + completions));
    }
}
