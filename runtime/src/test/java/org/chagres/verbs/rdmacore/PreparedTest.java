package org.chagres.verbs.rdmacore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import org.chagres.bindings.Errno;
import org.chagres.verbs.AddressHandle;
import org.chagres.verbs.AddressVector;
import org.chagres.verbs.CompletionBatch;
import org.chagres.verbs.CompletionStatus;
import org.chagres.verbs.PreparedReceives;
import org.chagres.verbs.PreparedSends;
import org.chagres.verbs.QueuePair;
import org.chagres.verbs.QueuePairType;
import org.chagres.verbs.SharedReceiveQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The hot path: every prepared request, rings, batches, and what happens after close. */
@Tag("rdma")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class PreparedTest {
    private static final int SIGNALED = PreparedSends.SIGNALED;

    private Rig rig;
    private QueuePair[] pair;
    private PreparedSends sends;
    private PreparedReceives receives;
    private CompletionBatch batch;

    @BeforeAll
    static void device() {
        Rig.assumeDevice();
    }

    @BeforeEach
    void open() {
        rig = new Rig();
        pair = rig.pair(QueuePairType.RC);
        sends = pair[0].prepareSends(4, 3);
        receives = pair[1].prepareReceives(4, 2);
        batch = rig.queue.prepareBatch(8);
    }

    @AfterEach
    void close() {
        rig.close();
    }

    /** Polls until so many have come; asserts that all succeeded. */
    private void await(final int count) {
        final long deadline = System.nanoTime() + Rig.SOON.toNanos();
        int got = rig.queue.poll(batch);
        while (got == 0 && System.nanoTime() < deadline) {
            got = rig.queue.poll(batch);
        }
        for (int i = 0; i < got; i++) {
            assertEquals(0, batch.status(i), () -> batch.completion(0).toString());
        }
        assertTrue(got >= 1, "no completion");
        if (got < count) {
            await(count - got);
        }
    }

    private long local(final long offset) {
        return rig.region.address() + offset;
    }

    private void post(final int first, final int count) {
        assertEquals(0, sends.post(first, count));
    }

    @Test
    void writes() {
        rig.fill(0, 3000, 1);
        sends.write(0, 77, local(0), rig.region.localKey(), 3000, local(8192), rig.region.remoteKey(), SIGNALED);
        post(0, 1);
        await(1);
        assertEquals(77, batch.id(0));
        assertEquals(CompletionBatch.RDMA_WRITE, batch.opcode(0));
        assertEquals(pair[0].number(), batch.queuePairNumber(0));
        rig.assertSame(0, 8192, 3000);
    }

    @Test
    void writesWithImmediateAndSignals() {
        rig.fill(0, 100, 2);
        receives.receive(0, 5);
        receives.receive(1, 6);
        assertEquals(0, receives.post(0, 2));
        sends.writeWithImmediate(0, 1, local(0), rig.region.localKey(), 100, local(8192), rig.region.remoteKey(),
                0x01020304, 0);
        sends.signal(1, 2, -2, PreparedSends.SOLICITED);
        batch = rig.queue.prepareBatch(1);
        post(0, 2);
        await(1);
        assertEquals(5, batch.id(0));
        assertEquals(CompletionBatch.RECV_RDMA_WITH_IMM, batch.opcode(0));
        assertTrue(batch.hasImmediate(0));
        assertEquals(0x01020304, batch.immediate(0));
        rig.assertSame(0, 8192, 100);
        await(1);
        assertEquals(6, batch.id(0));
        assertEquals(-2, batch.immediate(0));
    }

    @Test
    void sendsAndGathersAndScatters() {
        rig.fill(0, 90, 3);
        receives.receive(3, 9, local(4096), rig.region.localKey(), 50);
        receives.entry(3, 1, local(8192), rig.region.localKey(), 50);
        assertEquals(0, receives.post(3, 1));
        sends.send(2, 1, local(0), rig.region.localKey(), 30, 0);
        sends.entry(2, 1, local(30), rig.region.localKey(), 30);
        sends.entry(2, 2, local(60), rig.region.localKey(), 30);
        post(2, 1);
        await(1);
        assertEquals(9, batch.id(0));
        assertEquals(CompletionBatch.RECV, batch.opcode(0));
        assertEquals(90, batch.byteLength(0));
        rig.assertSame(0, 4096, 50);
        rig.assertSame(50, 8192, 40);
    }

    @Test
    void readsAndAtomics() {
        rig.fill(8192, 1000, 4);
        sends.read(0, 1, local(0), rig.region.localKey(), 1000, local(8192), rig.region.remoteKey(), SIGNALED);
        post(0, 1);
        await(1);
        rig.assertSame(8192, 0, 1000);

        rig.memory.set(ValueLayout.JAVA_LONG, 16_384, 5);
        sends.fetchAndAdd(1, 2, local(2048), rig.region.localKey(), local(16_384), rig.region.remoteKey(), -6,
                SIGNALED);
        post(1, 1);
        await(1);
        assertEquals(5, rig.memory.get(ValueLayout.JAVA_LONG, 2048));
        assertEquals(-1, rig.memory.get(ValueLayout.JAVA_LONG, 16_384));

        sends.compareAndSwap(2, 3, local(2048), rig.region.localKey(), local(16_384), rig.region.remoteKey(), -1, 123,
                SIGNALED);
        post(2, 1);
        await(1);
        assertEquals(CompletionBatch.COMP_SWAP, batch.opcode(0));
        assertEquals(-1, rig.memory.get(ValueLayout.JAVA_LONG, 2048));
        assertEquals(123, rig.memory.get(ValueLayout.JAVA_LONG, 16_384));
    }

    @Test
    void sendsWithImmediateInline() {
        rig.fill(0, 20, 6);
        receives.receive(0, 1, local(4096), rig.region.localKey(), 64);
        receives.post(0, 1);
        sends.sendWithImmediate(0, 2, local(0), 0, 20, 42, PreparedSends.INLINE | PreparedSends.FENCE);
        post(0, 1);
        rig.memory.asSlice(0, 20).fill((byte) 0);
        await(1);
        assertEquals(42, batch.immediate(0));
        rig.fill(0, 20, 6);
        rig.assertSame(0, 4096, 20);
    }

    /** Ranges of every start and length go around the ring, and the links are whole afterwards. */
    @Test
    void postsAnyRangeOfTheRing() {
        for (int first = 0; first < 4; first++) {
            for (int count = 1; count <= 4; count++) {
                for (int i = 0; i < count; i++) {
                    sends.write((first + i) % 4, 10L * first + i, local(0), rig.region.localKey(), 8, local(4096),
                            rig.region.remoteKey(), SIGNALED);
                }
                post(first, count);
                int seen = 0;
                while (seen < count) {
                    final int got = rig.queue.poll(batch);
                    for (int i = 0; i < got; i++) {
                        assertEquals(10L * first + seen++, batch.id(i));
                    }
                }
                assertEquals(0, rig.queue.poll(batch));
            }
        }
    }

    @Test
    void aFullQueueSaysHowManyItTook() {
        final QueuePair small = rig.domain.createQueuePair(rig.options(QueuePairType.RC).sends(4, 1));
        small.connectLoopback();
        final int holds = small.capacities().maxSendWr();
        final PreparedSends many = small.prepareSends(holds + 8, 1);
        for (int i = 0; i < many.slots(); i++) {
            many.write(i, i, local(0), rig.region.localKey(), 8, local(4096), rig.region.remoteKey(), SIGNALED);
        }
        final int errno = many.post(3, many.slots());
        assertEquals(Errno.ENOMEM, errno);
        assertTrue(many.posted() >= 4 && many.posted() < many.slots(), () -> many.posted() + " posted");
        int completed = 0;
        final long deadline = System.nanoTime() + Rig.SOON.toNanos();
        while (completed < many.posted() && System.nanoTime() < deadline) {
            completed += Math.max(0, rig.queue.poll(batch));
        }
        assertEquals(many.posted(), completed);
    }

    @Test
    void failuresComeAsNumbers() {
        sends.write(0, 1, local(0), rig.region.localKey(), 8, local(4096), ~rig.region.remoteKey(), 0);
        post(0, 1);
        int got = 0;
        while (got == 0) {
            got = rig.queue.poll(batch);
        }
        assertEquals(CompletionStatus.REM_ACCESS_ERR.code(), batch.status(0));
        assertEquals(1, batch.id(0));
        assertTrue(assertThrows(org.chagres.verbs.CompletionErrorException.class, () -> batch.completion(0).orThrow())
                .getMessage()
                .contains("remote key is stale or wrong"));
    }

    @Test
    void datagramsNeedAnOpenDestination() {
        final QueuePair ud = rig.queuePair(QueuePairType.UD);
        ud.activate(1, 3);
        final PreparedSends datagrams = ud.prepareSends(2, 1);
        final int index = rig.context.gids(1).getLast().index();
        final AddressHandle handle = rig.domain
                .createAddressHandle(AddressVector.of(1, index, rig.context.gid(1, index).gid()));
        datagrams.send(0, 1, local(0), rig.region.localKey(), 30, SIGNALED);
        assertThrows(IllegalStateException.class, () -> datagrams.post(0, 1));
        datagrams.destination(0, handle, ud.number(), 3);
        final PreparedReceives to = ud.prepareReceives(1, 1);
        to.receive(0, 2, local(4096), rig.region.localKey(), 128);
        assertEquals(0, to.post(0, 1));
        assertEquals(0, datagrams.post(0, 1));
        await(2);
        handle.close();
        assertThrows(IllegalStateException.class, () -> datagrams.post(0, 1));
        assertThrows(IllegalStateException.class, () -> sends.destination(0, handle, 1, 1));
    }

    @Test
    void receivesFromASharedQueue() {
        final SharedReceiveQueue shared = rig.domain.createSharedReceiveQueue(8, 1);
        final QueuePair loop = rig.domain.createQueuePair(rig.options(QueuePairType.RC).sharedReceiveQueue(shared));
        loop.connectLoopback();
        final PreparedReceives prepared = shared.prepareReceives(8, 1);
        for (int i = 0; i < 8; i++) {
            prepared.receive(i, 50 + i, local(4096 + 64L * i), rig.region.localKey(), 64);
        }
        assertEquals(0, prepared.post(6, 8));
        final PreparedSends out = loop.prepareSends(1, 1);
        for (int i = 0; i < 8; i++) {
            out.send(0, i, local(0), rig.region.localKey(), 8, 0);
            assertEquals(0, out.post(0, 1));
            await(1);
            assertEquals(50 + (6 + i) % 8, batch.id(0));
        }
    }

    @Test
    void refusesSlotsThatDoNotExist() {
        assertThrows(IndexOutOfBoundsException.class, () -> sends.write(4, 0, 0, 0, 0, 0, 0, 0));
        assertThrows(IndexOutOfBoundsException.class, () -> sends.signal(-1, 0, 0, 0));
        assertThrows(IndexOutOfBoundsException.class, () -> sends.entry(0, 3, 0, 0, 0));
        assertThrows(IndexOutOfBoundsException.class, () -> sends.entry(9, 0, 0, 0, 0));
        assertThrows(IndexOutOfBoundsException.class, () -> sends.post(0, 5));
        assertThrows(IndexOutOfBoundsException.class, () -> sends.post(4, 1));
        assertThrows(IndexOutOfBoundsException.class, () -> sends.post(0, 0));
        assertThrows(IndexOutOfBoundsException.class, () -> receives.receive(4, 0));
        assertThrows(IndexOutOfBoundsException.class, () -> receives.post(-1, 1));
        assertThrows(IndexOutOfBoundsException.class, () -> batch.id(8));
        assertThrows(IndexOutOfBoundsException.class, () -> batch.status(-1));
        assertThrows(IllegalArgumentException.class, () -> pair[0].prepareSends(0, 1));
        assertThrows(IllegalArgumentException.class, () -> pair[0].prepareSends(1, 1000));
        assertThrows(IllegalArgumentException.class, () -> rig.queue.prepareBatch(0));
        final CompletionBatch other = rig.context.createCompletionQueue(4).prepareBatch(1);
        assertThrows(IllegalArgumentException.class, () -> rig.queue.poll(other));
    }

    @Test
    void useAfterCloseIsAnException() {
        sends.write(0, 1, local(0), rig.region.localKey(), 8, local(4096), rig.region.remoteKey(), SIGNALED);
        pair[0].close();
        assertTrue(sends.isClosed());
        assertThrows(IllegalStateException.class, () -> sends.write(0, 1, 0, 0, 0, 0, 0, 0));
        assertTrue(
                assertThrows(IllegalStateException.class, () -> sends.post(0, 1)).getMessage().contains("is closed"));
        rig.context.close();
        assertThrows(IllegalStateException.class, () -> receives.post(0, 1));
        assertThrows(IllegalStateException.class, () -> receives.receive(0, 1));
        assertThrows(IllegalStateException.class, () -> rig.queue.poll(batch));
        assertThrows(IllegalStateException.class, () -> batch.id(0));
    }

    @Test
    void theHotPathAllocatesNothing() {
        final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        final long thread = Thread.currentThread().threadId();
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 20 && least > 0; round++) {
            final long before = threads.getThreadAllocatedBytes(thread);
            for (int i = 0; i < 200; i++) {
                sends.write(i & 3, i, local(0), rig.region.localKey(), 8, local(4096), rig.region.remoteKey(),
                        SIGNALED);
                sends.post(i & 3, 1);
                while (rig.queue.poll(batch) == 0) {
                    Thread.onSpinWait();
                }
            }
            least = Math.min(least, threads.getThreadAllocatedBytes(thread) - before);
        }
        assertEquals(0, least, "bytes allocated in 200 writes");
    }
}
