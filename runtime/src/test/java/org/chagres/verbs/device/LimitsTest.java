package org.chagres.verbs.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.chagres.verbs.Access;
import org.chagres.verbs.AddressVector;
import org.chagres.verbs.AsyncEvent;
import org.chagres.verbs.AsyncEventType;
import org.chagres.verbs.CompletionQueue;
import org.chagres.verbs.ConnectionOptions;
import org.chagres.verbs.Context;
import org.chagres.verbs.DeviceAttributes;
import org.chagres.verbs.Gid;
import org.chagres.verbs.MemoryRegion;
import org.chagres.verbs.PreparedSends;
import org.chagres.verbs.ProtectionDomain;
import org.chagres.verbs.QueuePair;
import org.chagres.verbs.QueuePairAttributes;
import org.chagres.verbs.QueuePairOptions;
import org.chagres.verbs.QueuePairState;
import org.chagres.verbs.QueuePairType;
import org.chagres.verbs.ReceiveRequest;
import org.chagres.verbs.SendFlag;
import org.chagres.verbs.SendRequest;
import org.chagres.verbs.Slice;
import org.chagres.verbs.VerbsException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Queues that are full, sizes that do not fit, and arguments that make no sense: each is refused with words. */
@Tag("rdma")
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class LimitsTest {
    private static final int ENOMEM = 12;
    private static final int EINVAL = 22;

    private static void says(final Exception refusal, final Object... words) {
        for (final Object word : words) {
            assertTrue(refusal.getMessage().contains(String.valueOf(word)), refusal.getMessage() + " lacks " + word);
        }
    }

    /** A peer that never answers, and a queue pair that waits for it for ever: what is posted stays. */
    private static Couple stuck() {
        final Couple couple = Couple.unconnected(QueuePairType.RC, o -> o.sends(8, 1));
        couple.connect(ConnectionOptions.defaults().timeout(0));
        couple.b.pair().reset();
        return couple;
    }

    @Test
    void aFullSendQueueRefusesAndSaysWhich() {
        try (Couple couple = stuck()) {
            final int fit = couple.a.pair().capacities().maxSendWr();
            final SendRequest[] requests = new SendRequest[fit + 40];
            for (int i = 0; i < requests.length; i++) {
                requests[i] = SendRequest.write(i, couple.a.region().slice(0, 8), couple.b.region().remote(0));
            }
            final VerbsException full = assertThrows(VerbsException.class, () -> couple.a.pair().post(requests));
            assertEquals(ENOMEM, full.errno());
            assertEquals("ibv_post_send", full.call());
            says(full, "send queue is full", fit, "poll");
            // Those before the refused one are posted: they are flushed.
            couple.a.pair().error();
            int flushed = 0;
            while (flushed < fit) {
                assertEquals(flushed++, Rdma.next(couple.a.queue()).id());
            }
        }
    }

    @Test
    void aFullSendQueueIsANumberOnTheHotPath() {
        try (Couple couple = stuck()) {
            final int slots = couple.a.pair().capacities().maxSendWr() + 50;
            final PreparedSends sends = couple.a.pair().prepareSends(slots, 1);
            for (int i = 0; i < slots; i++) {
                sends.write(i, i, couple.a.region().address(), couple.a.region().localKey(), 8,
                        couple.b.region().address(), couple.b.region().remoteKey(), PreparedSends.SIGNALED);
            }
            // Around the end of the ring.
            assertEquals(ENOMEM, sends.post(slots - 3, slots));
            final int posted = sends.posted();
            assertTrue(posted >= couple.a.pair().capacities().maxSendWr() && posted < slots, posted + " of " + slots);
            assertEquals(ENOMEM, sends.post(0, 1));
            assertEquals(0, sends.posted());
            couple.a.pair().error();
            for (int i = 0; i < posted; i++) {
                assertEquals((slots - 3 + i) % slots, Rdma.next(couple.a.queue()).id());
            }
        }
    }

    @Test
    void aFullReceiveQueueRefuses() {
        try (Couple couple = Couple.of(QueuePairType.RC, o -> o.receives(8, 1), Access.ALL)) {
            final int fit = couple.a.pair().capacities().maxRecvWr();
            final ReceiveRequest[] requests = new ReceiveRequest[fit + 40];
            for (int i = 0; i < requests.length; i++) {
                requests[i] = ReceiveRequest.of(i, couple.a.region().slice(0, 8));
            }
            final VerbsException full = assertThrows(VerbsException.class, () -> couple.a.pair().postReceive(requests));
            assertEquals(ENOMEM, full.errno());
            says(full, "full");
        }
    }

    @Test
    void aCompletionQueueThatOverrunsIsToldOf() throws InterruptedException {
        try (Context context = Rdma.open()) {
            final CompletionQueue tiny = context.createCompletionQueue(4);
            final ProtectionDomain domain = context.allocateProtectionDomain();
            final MemoryRegion region = domain.register(Arena.ofAuto().allocate(64), Access.ALL);
            final QueuePair pair = domain.createQueuePair(QueuePairOptions.rc(tiny).sends(256, 1));
            pair.connectLoopback();
            for (int i = 0; i < 64; i++) {
                pair.post(SendRequest.write(i, region.slice(0, 8), region.remote(8)));
            }
            final AsyncEvent event = context.awaitEvent(Rdma.PATIENCE).orElseThrow();
            assertEquals(AsyncEventType.CQ_ERR, event.type());
            assertSame(tiny, event.source());
            assertTrue(event.toString().contains("overran"), event::toString);
        }
    }

    @Test
    void aCompletionQueueCanBeResized() {
        try (Couple couple = Couple.of(QueuePairType.RC)) {
            final CompletionQueue queue = couple.a.queue();
            for (int i = 0; i < 20; i++) {
                couple.a.pair().post(SendRequest.write(i, couple.a.region().slice(0, 8), couple.b.region().remote(0)));
            }
            queue.resize(1000);
            assertTrue(queue.entries() >= 1000);
            for (int i = 0; i < 20; i++) {
                Rdma.success(queue, i);
            }
            assertThrows(IllegalArgumentException.class, () -> queue.resize(0));
            assertThrows(IllegalArgumentException.class,
                    () -> queue.resize(couple.context.attributes().maxCqe() + 1));
        }
    }

    @Test
    void queuesBeyondTheDevice() {
        try (Context context = Rdma.open()) {
            final DeviceAttributes device = context.attributes();
            says(assertThrows(IllegalArgumentException.class,
                    () -> context.createCompletionQueue(device.maxCqe() + 1)), device.maxCqe());
            assertThrows(IllegalArgumentException.class, () -> context.createCompletionQueue(0));
            assertThrows(IllegalArgumentException.class, () -> context.createCompletionQueue(-1));
            final CompletionQueue queue = context.createCompletionQueue(1);
            assertThrows(IllegalArgumentException.class, () -> queue.prepareBatch(0));
            final ProtectionDomain domain = context.allocateProtectionDomain();
            final QueuePairOptions options = QueuePairOptions.rc(queue);
            for (final QueuePairOptions tooMuch : List.of(options.sends(device.maxQpWr() + 1, 1),
                    options.sends(1, device.maxSge() + 1), options.receives(device.maxQpWr() + 1, 1),
                    options.receives(1, device.maxSge() + 1))) {
                final RuntimeException refusal = assertThrows(RuntimeException.class,
                        () -> domain.createQueuePair(tooMuch));
                assertTrue(refusal instanceof VerbsException || refusal instanceof IllegalArgumentException,
                        refusal::toString);
                says(refusal, context.device().name());
            }
            says(assertThrows(VerbsException.class, () -> domain.createQueuePair(options.inline(1 << 20))), 1 << 20);
        }
    }

    @Test
    void queuePairsOfSeveralContexts() {
        try (Context context = Rdma.open(); Context other = Rdma.open()) {
            final CompletionQueue strange = other.createCompletionQueue(1);
            final ProtectionDomain domain = context.allocateProtectionDomain();
            assertThrows(IllegalArgumentException.class, () -> domain.createQueuePair(QueuePairOptions.rc(strange)));
        }
    }

    @Test
    void requestsThatDoNotFitTheQueuePair() {
        try (Couple couple = Couple.of(QueuePairType.RC, o -> o.sends(4, 1).receives(4, 1).inline(16), Access.ALL);
                Context other = Rdma.open()) {
            final QueuePair pair = couple.a.pair();
            final Slice slice = couple.a.region().slice(0, 8);
            final int most = pair.capacities().maxSendSge();
            final Slice[] many = java.util.stream.Stream.generate(() -> slice).limit(most + 1).toArray(Slice[]::new);
            says(assertThrows(IllegalArgumentException.class,
                    () -> pair.post(new SendRequest.Send(1, List.of(many), Optional.empty(), Set.of()))), most + 1,
                    most);
            assertThrows(IllegalArgumentException.class, () -> pair.postReceive(ReceiveRequest.of(1, many)));
            final int inline = pair.capacities().maxInlineData();
            says(assertThrows(IllegalArgumentException.class,
                    () -> pair.post(SendRequest.send(1, couple.a.region().slice(0, inline + 1)).with(SendFlag.INLINE))),
                    inline + 1, inline);
            final MemoryRegion strange = other.allocateProtectionDomain().register(couple.a.memory(), Access.ALL);
            assertThrows(IllegalArgumentException.class, () -> pair.post(SendRequest.send(1, strange.slice(0, 8))));
            final MemoryRegion closed = couple.domain.register(couple.a.memory(), Access.ALL);
            final Slice stale = closed.slice(0, 8);
            closed.close();
            assertThrows(IllegalStateException.class, () -> pair.post(SendRequest.send(1, stale)));
            final MemoryRegion freed;
            try (Arena arena = Arena.ofConfined()) {
                freed = couple.domain.register(arena.allocate(4096, 4096), Access.ALL);
            }
            says(assertThrows(IllegalStateException.class, () -> pair.post(SendRequest.send(1, freed.slice(0, 8)))),
                    "freed");
            Rdma.nothing(couple.a.queue());
        }
    }

    @Test
    void slotsThatDoNotExist() {
        try (Couple couple = Couple.of(QueuePairType.RC)) {
            final PreparedSends sends = couple.a.pair().prepareSends(4, 2);
            for (final int slot : new int[]{-1, 4, Integer.MAX_VALUE, Integer.MIN_VALUE }) {
                assertThrows(IndexOutOfBoundsException.class, () -> sends.send(slot, 1, 0, 0, 0, 0));
                assertThrows(IndexOutOfBoundsException.class, () -> sends.signal(slot, 1, 0, 0));
                assertThrows(IndexOutOfBoundsException.class, () -> sends.entry(slot, 1, 0, 0, 0));
                assertThrows(IndexOutOfBoundsException.class, () -> sends.entry(0, slot, 0, 0, 0));
                assertThrows(IndexOutOfBoundsException.class, () -> sends.post(slot, 1));
            }
            assertThrows(IndexOutOfBoundsException.class, () -> sends.post(0, 5));
            assertThrows(IndexOutOfBoundsException.class, () -> sends.post(0, 0));
            assertThrows(IndexOutOfBoundsException.class, () -> sends.post(0, -1));
            assertThrows(IllegalArgumentException.class, () -> couple.a.pair().prepareSends(0, 1));
            assertThrows(IllegalArgumentException.class, () -> couple.a.pair().prepareSends(-1, 1));
            assertThrows(IllegalArgumentException.class, () -> couple.a.pair().prepareSends(Integer.MAX_VALUE, 1));
            assertThrows(IllegalArgumentException.class, () -> couple.a.pair().prepareSends(1, 1000));
            final var batch = couple.a.queue().prepareBatch(4);
            assertThrows(IndexOutOfBoundsException.class, () -> batch.id(4));
            assertThrows(IndexOutOfBoundsException.class, () -> batch.status(-1));
        }
    }

    @Test
    void memoryThatCannotBeRegistered() {
        try (Context context = Rdma.open(); Arena arena = Arena.ofConfined()) {
            final ProtectionDomain domain = context.allocateProtectionDomain();
            final MemorySegment page = arena.allocate(4096, 4096);
            says(assertThrows(IllegalArgumentException.class,
                    () -> domain.register(MemorySegment.ofArray(new byte[64]), Access.ALL)), "heap");
            assertThrows(IllegalArgumentException.class, () -> domain.register(page.asSlice(0, 0), Access.ALL));
            assertThrows(IllegalArgumentException.class, () -> domain.register(page.address(), -1, Access.ALL));
            says(assertThrows(IllegalArgumentException.class, () -> domain.register(page, Set.of(Access.REMOTE_WRITE))),
                    "LOCAL_WRITE");
            says(assertThrows(VerbsException.class, () -> domain.register(1L << 40, 4096, Access.ALL)), "ibv_reg_mr",
                    "not mapped");
            says(assertThrows(VerbsException.class, () -> domain.register(page, Set.of(Access.ON_DEMAND))),
                    "ON_DEMAND");
            assertThrows(VerbsException.class, () -> domain.registerDmabuf(0, 4096, 0, 0, Access.LOCAL));
            final MemoryRegion region = domain.register(page.asSlice(100, 1000), Access.LOCAL);
            assertEquals(page.address() + 100, region.address());
            assertThrows(IndexOutOfBoundsException.class, () -> region.slice(1, 1000));
            assertThrows(IndexOutOfBoundsException.class, () -> region.slice(-1, 1));
            assertThrows(IndexOutOfBoundsException.class, () -> region.slice(0, -1));
            assertThrows(IndexOutOfBoundsException.class, () -> region.slice(Long.MAX_VALUE, 1));
        }
    }

    /** Relaxed ordering is a wish: devices that do not know it register all the same. */
    @Test
    void relaxedOrderingIsAcceptedEverywhere() {
        try (Context context = Rdma.open(); Arena arena = Arena.ofConfined()) {
            final MemoryRegion region = context.allocateProtectionDomain()
                    .register(arena.allocate(4096, 4096), Set.of(Access.LOCAL_WRITE, Access.RELAXED_ORDERING));
            assertTrue(region.access().contains(Access.RELAXED_ORDERING));
        }
    }

    @Test
    void rowsAndPortsThatDoNotExist() {
        try (Context context = Rdma.open()) {
            assertThrows(IllegalArgumentException.class, () -> context.port(0));
            assertThrows(IllegalArgumentException.class, () -> context.port(2));
            assertThrows(IllegalArgumentException.class, () -> context.gids(2));
            assertThrows(IllegalArgumentException.class, () -> context.pkeys(2));
            says(assertThrows(VerbsException.class, () -> context.gid(1, 200)), "row 200", "empty",
                    context.gids(1).getFirst().gid());
            assertEquals(List.of(0xffff), context.pkeys(1).subList(0, 1));
        }
    }

    @Test
    void connectingFromAnEmptyRow() {
        try (Couple couple = Couple.unconnected(QueuePairType.RC, o -> o)) {
            final ConnectionOptions empty = ConnectionOptions.defaults().gidIndex(200);
            says(assertThrows(VerbsException.class, () -> couple.a.pair().endpoint(empty)), "row 200", "empty");
            final var end = couple.a.pair().endpoint(ConnectionOptions.defaults());
            couple.a.pair().initialize(empty);
            final VerbsException refusal = assertThrows(VerbsException.class,
                    () -> couple.a.pair().readyToReceive(end, empty));
            says(refusal, "200", "GID", couple.context.gids(1).getFirst().gid());
            assertEquals("ibv_modify_qp", refusal.call());
            // Nothing has changed: it can be connected properly still.
            assertEquals(QueuePairState.INIT, couple.a.pair().query().state());
            couple.a.pair().readyToReceive(end, ConnectionOptions.defaults());
        }
    }

    /** Soft-RoCE has one type only; what differs here is IPv4 at one end and IPv6 at the other. */
    @Test
    void connectingBetweenRowsOfDifferentFamilies() {
        try (Couple couple = Couple.unconnected(QueuePairType.RC, o -> o)) {
            final var rows = couple.context.gids(1);
            final int four = rows.stream().filter(row -> row.gid().isIpv4Mapped()).findFirst().orElseThrow().index();
            final int six = rows.stream().filter(row -> !row.gid().isIpv4Mapped()).findFirst().orElseThrow().index();
            final ConnectionOptions here = ConnectionOptions.defaults().gidIndex(four).timeout(8).retryCount(0);
            final var end = couple.b.pair().endpoint(here.gidIndex(six));
            couple.a.pair().initialize(here);
            final VerbsException refusal = assertThrows(VerbsException.class, () -> {
                couple.a.pair().readyToReceive(end, here);
                couple.a.pair().readyToSend(1, here);
                couple.a.pair().post(SendRequest.send(1, couple.a.region().slice(0, 8)));
                Rdma.next(couple.a.queue()).orThrow();
            });
            says(refusal, "GID");
        }
    }

    @Test
    void aDestinationThatIsNoneIsRefused() {
        try (Context context = Rdma.open()) {
            final ProtectionDomain domain = context.allocateProtectionDomain();
            final VerbsException refusal = assertThrows(VerbsException.class,
                    () -> domain.createAddressHandle(AddressVector.of(1, 200, Gid.parse("::ffff:192.0.2.1"))));
            says(refusal, "200");
            assertThrows(RuntimeException.class,
                    () -> domain.createAddressHandle(AddressVector.of(9, 0, Gid.parse("::ffff:192.0.2.1"))));
        }
    }

    @Test
    void datagramsLongerThanTheMtu() {
        try (Couple couple = Couple.of(QueuePairType.UD)) {
            final var to = couple.toB();
            assertThrows(IllegalArgumentException.class,
                    () -> couple.a.pair().post(SendRequest.send(1, couple.a.region().slice(0, 4097), to)));
            couple.b.receive(1, 0, 8000);
            couple.a.pair().post(SendRequest.send(1, couple.a.region().slice(0, 4096), to));
            assertEquals(4096 + 40, Rdma.success(couple.b.queue(), 1).byteLength());
        }
    }

    @Test
    void aKeyThatDoesNotFitDropsTheDatagram() {
        try (Couple couple = Couple.of(QueuePairType.UD)) {
            final var to = couple.toB();
            couple.b.receive(1, 0, 100);
            couple.a.pair()
                    .post(SendRequest.send(1, couple.a.region().slice(0, 8),
                            new org.chagres.verbs.Destination(to.address(), to.queuePairNumber(), Couple.QKEY + 1)));
            Rdma.success(couple.a.queue(), 1);
            Rdma.nothing(couple.b.queue());
        }
    }

    /** The way back, from what was received. */
    @Test
    void aDatagramCanBeAnswered() {
        try (Couple couple = Couple.of(QueuePairType.UD)) {
            couple.b.receive(1, 0, 100);
            couple.a.pair().post(SendRequest.send(1, couple.a.region().slice(0, 8), couple.toB()));
            Rdma.success(couple.a.queue(), 1);
            final var received = Rdma.success(couple.b.queue(), 1);
            final var back = couple.domain.createAddressHandle(received, couple.b.memory().asSlice(0, 40), 1);
            couple.a.receive(2, 1000, 100);
            couple.b.memory().set(ValueLayout.JAVA_LONG, 2048, 77);
            couple.b.pair()
                    .post(SendRequest.send(3, couple.b.region().slice(2048, 8),
                            new org.chagres.verbs.Destination(back, received.sourceQueuePair(), Couple.QKEY)));
            Rdma.success(couple.a.queue(), 2);
            assertEquals(77, couple.a.memory().get(ValueLayout.JAVA_LONG_UNALIGNED, 1040));
        }
    }

    @Test
    void everyIllegalTransitionIsNamed() {
        try (Context context = Rdma.open()) {
            final CompletionQueue queue = context.createCompletionQueue(1);
            final ProtectionDomain domain = context.allocateProtectionDomain();
            for (final QueuePairType type : QueuePairType.values()) {
                final QueuePair pair = domain.createQueuePair(QueuePairOptions.of(type, queue));
                for (final QueuePairState to : List.of(QueuePairState.RTR, QueuePairState.RTS, QueuePairState.SQD)) {
                    says(assertThrows(org.chagres.verbs.IllegalTransitionException.class,
                            () -> pair.modify(QueuePairAttributes.to(to))), type, "RESET", to, "INIT");
                }
                says(assertThrows(org.chagres.verbs.IllegalTransitionException.class,
                        () -> pair.modify(QueuePairAttributes.to(QueuePairState.INIT).pkeyIndex(0))), "PORT");
                assertEquals(QueuePairState.RESET, pair.query().state());
            }
        }
    }

    /** What the library lets pass, the device refuses: the error number is there, and the advice. */
    @Test
    void attributesThatTheDeviceRefuses() {
        try (Couple couple = Couple.unconnected(QueuePairType.RC, o -> o)) {
            final VerbsException port = assertThrows(VerbsException.class,
                    () -> couple.a.pair().initialize(ConnectionOptions.defaults().port(7)));
            assertEquals(EINVAL, port.errno());
            says(port, "PORT=7", "port that does not exist");
        }
    }
}
