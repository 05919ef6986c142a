package org.chagres.verbs.rdmacore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.chagres.bindings.Errno;
import org.chagres.verbs.Access;
import org.chagres.verbs.AddressVector;
import org.chagres.verbs.CompletionChannel;
import org.chagres.verbs.CompletionQueue;
import org.chagres.verbs.ConnectionOptions;
import org.chagres.verbs.Context;
import org.chagres.verbs.Gid;
import org.chagres.verbs.IllegalTransitionException;
import org.chagres.verbs.MemoryRegion;
import org.chagres.verbs.Mtu;
import org.chagres.verbs.PortState;
import org.chagres.verbs.QueuePair;
import org.chagres.verbs.QueuePairAttribute;
import org.chagres.verbs.QueuePairAttributes;
import org.chagres.verbs.QueuePairOptions;
import org.chagres.verbs.QueuePairState;
import org.chagres.verbs.QueuePairType;
import org.chagres.verbs.ReceiveRequest;
import org.chagres.verbs.RemoteMemory;
import org.chagres.verbs.SendFlag;
import org.chagres.verbs.SendRequest;
import org.chagres.verbs.SharedReceiveQueue;
import org.chagres.verbs.VerbsException;
import org.chagres.verbs.VerbsObject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Objects come, go in the right order, and refuse what does not fit, over a device. */
@Tag("rdma")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class LifecycleTest {
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

    @Test
    void tellsWhatTheDeviceIs() {
        final Context context = rig.context;
        assertTrue(context.attributes().ports() >= 1);
        assertEquals(context.device().guid(), context.attributes().nodeGuid());
        assertEquals(PortState.ACTIVE, context.port(1).state());
        assertFalse(context.gids(1).isEmpty());
        assertFalse(context.device().networkDevices().isEmpty());
        assertTrue(context.pkeys(1).contains(0xffff));
        assertTrue(
                assertThrows(IllegalArgumentException.class, () -> context.port(9)).getMessage().contains("no port 9"));
        assertThrows(IllegalArgumentException.class, () -> context.gids(0));
        final String message = assertThrows(VerbsException.class, () -> context.gid(1, 200)).getMessage();
        assertTrue(message.contains("empty") && message.contains("RoCE v2"), message);
        assertTrue(context.pollEvent().isEmpty());
    }

    /** Closing the root closes everything, in an order that no device minds. */
    @Test
    void closingAParentClosesItsChildren() {
        final CompletionChannel channel = rig.context.createCompletionChannel();
        final CompletionQueue told = rig.context.createCompletionQueue(16, channel);
        final SharedReceiveQueue shared = rig.domain.createSharedReceiveQueue(16, 1);
        final QueuePair queuePair = rig.domain
                .createQueuePair(QueuePairOptions.rc(told).receiveQueue(rig.queue).sharedReceiveQueue(shared));
        final int index = rig.context.gids(1).getFirst().index();
        final List<VerbsObject> all = List.of(rig.context, rig.domain, rig.queue, rig.region, channel, told, shared,
                queuePair,
                told.prepareBatch(3), queuePair.prepareSends(4, 1), shared.prepareReceives(4, 1),
                rig.domain.createAddressHandle(AddressVector.of(1, index, rig.context.gid(1, index).gid())));
        rig.context.close();
        for (final VerbsObject object : all) {
            assertTrue(object.isClosed(), object::toString);
            object.close();
        }
        for (final Runnable use : List.<Runnable>of(rig.context::attributes, rig.context::allocateProtectionDomain,
                () -> rig.context.gids(1),
                rig.context::pollEvent, () -> rig.domain.register(rig.memory, Access.LOCAL), rig.queue::poll,
                rig.queue::entries,
                () -> told.requestNotification(false), channel::pollEvent, queuePair::query, queuePair::reset,
                queuePair::state,
                () -> shared.armLimit(1), () -> queuePair.prepareSends(1, 1),
                () -> shared.postReceive(ReceiveRequest.of(1)))) {
            assertTrue(assertThrows(IllegalStateException.class, use::run).getMessage().contains("is closed"));
        }
    }

    @Test
    void closingAQueueClosesTheQueuePairsThatUseIt() {
        final CompletionQueue other = rig.context.createCompletionQueue(4);
        final SharedReceiveQueue shared = rig.domain.createSharedReceiveQueue(4, 1);
        final QueuePair a = rig.domain.createQueuePair(QueuePairOptions.rc(other));
        final QueuePair b = rig.domain.createQueuePair(QueuePairOptions.rc(rig.queue).sharedReceiveQueue(shared));
        final QueuePair c = rig.queuePair(QueuePairType.RC);
        other.close();
        assertTrue(a.isClosed());
        assertFalse(b.isClosed());
        shared.close();
        assertTrue(b.isClosed());
        assertFalse(c.isClosed());
        assertTrue(
                assertThrows(IllegalStateException.class, () -> rig.domain.createQueuePair(QueuePairOptions.rc(other)))
                        .getMessage()
                        .contains("completion queue"));
    }

    @Test
    void objectsOfTwoContextsDoNotMix() {
        try (Rig other = new Rig()) {
            assertThrows(IllegalArgumentException.class,
                    () -> rig.domain.createQueuePair(QueuePairOptions.rc(other.queue)));
            assertThrows(IllegalArgumentException.class,
                    () -> rig.context.createCompletionQueue(4, other.context.createCompletionChannel()));
            final QueuePair[] pair = rig.pair(QueuePairType.RC);
            assertThrows(IllegalArgumentException.class,
                    () -> pair[0].post(SendRequest.write(1, other.region.slice(0, 8), rig.region.remote(0))));
        }
    }

    @Test
    void walksThroughAllStates() {
        final QueuePair queuePair = rig.queuePair(QueuePairType.RC);
        final ConnectionOptions options = ConnectionOptions.defaults();
        assertEquals(QueuePairState.RESET, queuePair.state());
        queuePair.initialize(options);
        assertEquals(QueuePairState.INIT, queuePair.query().state());
        final var end = queuePair.endpoint(options);
        queuePair.readyToReceive(end, options);
        assertEquals(QueuePairState.RTR, queuePair.query().state());
        queuePair.readyToSend(end.packetSequenceNumber(), options);
        assertEquals(QueuePairState.RTS, queuePair.query().state());
        assertEquals(end.packetSequenceNumber(), queuePair.query().sqPsn());
        assertEquals(end.gid(), queuePair.query().addressVector().route().orElseThrow().destination());
        queuePair.modify(QueuePairAttributes.none().minRnrTimer(20));
        assertEquals(20, queuePair.query().minRnrTimer());
        queuePair.error();
        assertEquals(QueuePairState.ERR, queuePair.query().state());
        queuePair.reset();
        assertEquals(QueuePairState.RESET, queuePair.query().state());
        queuePair.connectLoopback();
        assertEquals(QueuePairState.RTS, queuePair.state());
    }

    @Test
    void refusesIllegalTransitionsWithWords() {
        final QueuePair queuePair = rig.queuePair(QueuePairType.RC);
        final var skipped = assertThrows(IllegalTransitionException.class,
                () -> queuePair.modify(QueuePairAttributes.to(QueuePairState.RTS)));
        assertTrue(skipped.getMessage().contains("cannot go from RESET to RTS"), skipped.getMessage());
        final var incomplete = assertThrows(IllegalTransitionException.class,
                () -> queuePair.modify(QueuePairAttributes.to(QueuePairState.INIT).port(1).qkey(5)));
        assertEquals(Set.of(QueuePairAttribute.PKEY_INDEX, QueuePairAttribute.ACCESS_FLAGS), incomplete.missing());
        assertEquals(Set.of(QueuePairAttribute.QKEY), incomplete.extra());
        assertEquals(QueuePairState.RESET, queuePair.query().state());
    }

    /** The device moved it to ERR by itself: what is then asked for is checked against that, not against what was last known here. */
    @Test
    void noticesWhatTheDeviceDid() throws InterruptedException {
        final QueuePair[] pair = rig.pair(QueuePairType.RC);
        pair[0].post(SendRequest.write(1, rig.region.slice(0, 8), new RemoteMemory(0, 0)));
        assertFalse(rig.next().succeeded());
        final var refused = assertThrows(IllegalTransitionException.class,
                () -> pair[0].modify(QueuePairAttributes.none().minRnrTimer(1)));
        assertEquals(QueuePairState.ERR, refused.from());
        pair[0].reset();
    }

    @Test
    void aWrongGidIndexOrMtuIsNamed() {
        final QueuePair queuePair = rig.queuePair(QueuePairType.RC);
        final ConnectionOptions wrong = ConnectionOptions.defaults().gidIndex(200);
        final var end = queuePair.endpoint(ConnectionOptions.defaults());
        queuePair.initialize(wrong);
        final var refused = assertThrows(VerbsException.class, () -> queuePair.readyToReceive(end, wrong));
        assertTrue(refused.getMessage().contains("GID index 200 is empty: in use are"), refused.getMessage());
        assertEquals("ibv_modify_qp", refused.call());
        assertTrue(refused.errno() != 0);
    }

    @Test
    void refusesPostsThatDoNotFit() {
        final QueuePair fresh = rig.queuePair(QueuePairType.RC);
        final SendRequest write = SendRequest.write(1, rig.region.slice(0, 8), rig.region.remote(0));
        assertTrue(assertThrows(IllegalStateException.class, () -> fresh.post(write)).getMessage().contains("RESET"));
        assertThrows(IllegalStateException.class, () -> fresh.postReceive(ReceiveRequest.of(1)));
        final QueuePair rc = rig.pair(QueuePairType.RC)[0];
        final QueuePair uc = rig.pair(QueuePairType.UC)[0];
        final MemoryRegion readOnly = rig.domain.register(rig.memory, Set.of());
        assertRefused(uc, SendRequest.read(1, rig.region.slice(0, 8), rig.region.remote(0)), "type UC");
        assertRefused(uc, SendRequest.fetchAndAdd(1, rig.region.slice(0, 8), rig.region.remote(0), 1), "type UC");
        assertRefused(rc, SendRequest.fetchAndAdd(1, rig.region.slice(0, 4), rig.region.remote(0), 1), "must be 8");
        assertRefused(rc, SendRequest.compareAndSwap(1, rig.region.slice(0, 8), rig.region.remote(4), 1, 2),
                "multiple of 8");
        assertRefused(rc, SendRequest.read(1, readOnly.slice(0, 8), rig.region.remote(0)), "LOCAL_WRITE");
        assertRefused(rc, SendRequest.write(1, rig.region.slice(0, 4096), rig.region.remote(0)).with(SendFlag.INLINE),
                "cannot be inline");
        final var slice = rig.region.slice(0, 8);
        assertRefused(rc,
                new SendRequest.Write(1, java.util.Collections.nCopies(40, slice), rig.region.remote(0), Set.of()),
                "40 entries");
        assertThrows(IndexOutOfBoundsException.class, () -> rig.region.slice(rig.region.length() - 4, 8));
        assertThrows(IndexOutOfBoundsException.class, () -> rig.region.slice(-1, 8));
        readOnly.close();
        assertThrows(IllegalStateException.class,
                () -> rc.post(SendRequest.write(1, readOnly.slice(0, 8), rig.region.remote(0))));
        assertTrue(rig.queue.poll().isEmpty());
    }

    private static void assertRefused(final QueuePair queuePair, final SendRequest request, final String word) {
        final String message = assertThrows(IllegalArgumentException.class, () -> queuePair.post(request)).getMessage();
        assertTrue(message.contains(word), message);
    }

    @Test
    void refusesMemoryThatCannotBeRegistered() {
        final MemorySegment heap = MemorySegment.ofArray(new byte[4096]);
        assertTrue(
                assertThrows(IllegalArgumentException.class, () -> rig.domain.register(heap, Access.ALL)).getMessage()
                        .contains("Java heap"));
        assertThrows(IllegalArgumentException.class, () -> rig.domain.register(rig.memory.asSlice(0, 0), Access.ALL));
        assertThrows(IllegalArgumentException.class,
                () -> rig.domain.register(rig.memory, Set.of(Access.REMOTE_WRITE)));
        assertThrows(IllegalArgumentException.class, () -> rig.domain.register(rig.memory.asReadOnly(), Access.ALL));
        final var unmapped = assertThrows(VerbsException.class, () -> rig.domain.register(1L << 40, 4096, Access.ALL));
        assertEquals(Errno.EFAULT, unmapped.errno());
        assertTrue(unmapped.getMessage().contains("not mapped"), unmapped.getMessage());
        final var noDmabuf = assertThrows(VerbsException.class,
                () -> rig.domain.registerDmabuf(0, 4096, 0, 0, Access.ALL));
        assertTrue(noDmabuf.getMessage().contains("host memory"), noDmabuf.getMessage());
    }

    @Test
    void aRegionOfFreedMemoryIsNotPosted() {
        final QueuePair rc = rig.pair(QueuePairType.RC)[0];
        final MemoryRegion region;
        try (Arena gone = Arena.ofConfined()) {
            region = rig.domain.register(gone.allocate(4096, 4096), Access.ALL);
        }
        assertTrue(assertThrows(IllegalStateException.class,
                () -> rc.post(SendRequest.write(1, region.slice(), rig.region.remote(0)))).getMessage()
                .contains("freed with its arena"));
    }

    @Test
    void relaxedOrderingIsOptional() {
        try (MemoryRegion region = rig.domain.register(rig.memory,
                Set.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.RELAXED_ORDERING))) {
            assertEquals(rig.memory.byteSize(), region.length());
            assertTrue(region.remoteKey() != rig.region.remoteKey());
        }
    }

    @Test
    void refusesSizesBeyondTheDevice() {
        assertThrows(IllegalArgumentException.class, () -> rig.context.createCompletionQueue(0));
        assertThrows(IllegalArgumentException.class, () -> rig.context.createCompletionQueue(Integer.MAX_VALUE));
        assertThrows(IllegalArgumentException.class, () -> rig.domain.createSharedReceiveQueue(0, 1));
        assertThrows(IllegalArgumentException.class, () -> rig.domain.createSharedReceiveQueue(16, 10_000));
        final String message = assertThrows(IllegalArgumentException.class,
                () -> rig.domain.createQueuePair(QueuePairOptions.rc(rig.queue).sends(Integer.MAX_VALUE, 1)))
                .getMessage();
        assertTrue(message.contains("at most"), message);
        final var inline = assertThrows(VerbsException.class,
                () -> rig.domain.createQueuePair(QueuePairOptions.rc(rig.queue).inline(1 << 20)));
        assertTrue(inline.getMessage().contains("inline"), inline.getMessage());
    }

    @Test
    void resizesAQueue() {
        final CompletionQueue small = rig.context.createCompletionQueue(4);
        small.resize(100);
        assertTrue(small.entries() >= 100);
        assertThrows(IllegalArgumentException.class, () -> small.resize(0));
    }

    @Test
    void sharedReceiveQueuesTellWhenFewAreLeft() throws InterruptedException {
        final SharedReceiveQueue shared = rig.domain.createSharedReceiveQueue(16, 1);
        final QueuePair loop = rig.domain.createQueuePair(rig.options(QueuePairType.RC).sharedReceiveQueue(shared));
        loop.connectLoopback();
        shared.postReceive(ReceiveRequest.of(1, rig.region.slice(0, 8)), ReceiveRequest.of(2, rig.region.slice(0, 8)));
        shared.armLimit(2);
        assertEquals(2, shared.limit());
        loop.post(SendRequest.send(3, rig.region.slice(64, 8)));
        final var event = rig.context.awaitEvent(Rig.SOON).orElseThrow();
        assertEquals(org.chagres.verbs.AsyncEventType.SRQ_LIMIT_REACHED, event.type());
        assertEquals(shared, event.source());
        assertEquals(0, shared.limit());
    }

    @Test
    void waitsForEventsWithADeadlineAndLeavesOnInterrupt() throws InterruptedException {
        final long start = System.nanoTime();
        assertTrue(rig.context.awaitEvent(Duration.ofMillis(120)).isEmpty());
        assertTrue(System.nanoTime() - start >= 120_000_000L);
        assertTrue(rig.context.createCompletionChannel().awaitEvent(Duration.ZERO).isEmpty());
        Thread.currentThread().interrupt();
        assertThrows(InterruptedException.class, () -> rig.context.awaitEvent(Duration.ofSeconds(60)));
        Thread.currentThread().interrupt();
        assertThrows(InterruptedException.class, () -> rig.queue.await(Duration.ofSeconds(60)));
    }

    @Test
    void whoWaitsIsToldWhenTheContextIsClosed() throws InterruptedException {
        final Throwable[] thrown = new Throwable[1];
        final Thread waiter = Thread.ofPlatform().start(() -> {
            try {
                rig.context.awaitEvent(Duration.ofSeconds(60));
            } catch (final InterruptedException | IllegalStateException e) {
                thrown[0] = e;
            }
        });
        Thread.sleep(100);
        rig.context.close();
        waiter.join(Rig.SOON);
        assertTrue(thrown[0] instanceof IllegalStateException, () -> String.valueOf(thrown[0]));
    }

    /** Nothing is left in the kernel: descriptors of this process are as many as before. */
    @Test
    void leavesNoDescriptors() throws Exception {
        try (Rig warm = new Rig()) {
            warm.pair(QueuePairType.RC);
        }
        final long before = descriptors();
        for (int i = 0; i < 20; i++) {
            try (Rig once = new Rig()) {
                once.context.createCompletionQueue(4, once.context.createCompletionChannel());
                once.pair(QueuePairType.UC);
            }
        }
        assertEquals(before, descriptors());
    }

    private static long descriptors() throws java.io.IOException {
        try (var files = Files.list(Path.of("/proc/self/fd"))) {
            return files.count();
        }
    }

    @Test
    void endpointsCarryWhatThePeerNeeds() {
        final QueuePair queuePair = rig.queuePair(QueuePairType.RC);
        final var end = queuePair.endpoint(ConnectionOptions.defaults());
        assertEquals(queuePair.number(), end.queuePairNumber());
        assertTrue(rig.context.gids(1).stream().anyMatch(e -> e.gid().equals(end.gid())));
        assertEquals(rig.context.port(1).activeMtu(), end.mtu());
        assertFalse(end.gid().equals(Gid.ZERO));
        assertEquals(Mtu.min(end.mtu(), Mtu.MTU_256), Mtu.MTU_256);
    }
}
