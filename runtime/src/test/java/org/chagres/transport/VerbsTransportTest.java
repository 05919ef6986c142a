package org.chagres.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.chagres.memory.Memory;
import org.chagres.memory.PageSize;
import org.chagres.memory.Region;
import org.chagres.transport.fake.FakeDevice;
import org.chagres.transport.verbs.VerbsSettings;
import org.chagres.verbs.AsyncEventType;
import org.chagres.verbs.VerbsException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What only verbs has: completions that say what may be seen, credits, registration, failures, over a device in memory. */
@Timeout(60)
class VerbsTransportTest {
    private static final ControlLayout LAYOUT = new ControlLayout(0, 2, 2, 16 << 10, 8192);
    private final FakeDevice device = new FakeDevice(7, 100);
    private VerbsPair pair;

    private void connect(final String... settings) {
        pair = new VerbsPair(VerbsSettings.of(settings.length == 0 ? Map.of() : Map.of(settings[0], settings[1])),
                List.of(device.port(1 << 20)),
                LAYOUT, 1);
    }

    @AfterEach
    void nothingIsHeld() {
        device.stop(false);
        device.tell();
        if (pair != null) {
            pair.close();
        }
        assertEquals(0, device.held(), "queue pairs and registered regions that are left");
    }

    private Link up() {
        return pair.links[0];
    }

    private Link down() {
        return pair.links[1];
    }

    private void await(final BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            pair.transports[0].poll();
            pair.transports[1].poll();
        }
    }

    private void announce(final long sequence, final Region target) {
        down().announce(sequence, 1, target.token(), 0);
        await(() -> up().announcedSequence(sequence) == sequence);
    }

    /** All bytes have arrived, those of the messages too, and yet nothing is seen before the completions come: who looked at memory would see it. */
    @ParameterizedTest
    @ValueSource(ints = {8, 200, 100_000 })
    void nothingIsSeenBeforeItsCompletion(final int bytes) {
        connect();
        try (Region source = pair.domains[0].allocate(1 << 20, PageSize.BASE);
                Region target = pair.domains[1].allocate(1 << 20, PageSize.BASE)) {
            announce(1, target);
            device.silence();
            source.segment().fill((byte) 77);
            up().put(source.address(), target.token(), 0, bytes);
            up().announce(1, 11, 12, 13);
            up().signal(1, 0, 5);
            up().signal(1, 1, 6);
            up().deliver(2, source.address(), Math.min(bytes, LAYOUT.inboxBytes()), 99);
            up().complete(1, true);
            while (target.segment().get(ValueLayout.JAVA_BYTE, bytes - 1) != 77
                    || Memory.getLong(pair.controls[1].address() + LAYOUT.inboxBulk(0, 0)) != 0x4D4D4D4D4D4D4D4DL) {
                pair.transports[0].poll();
                pair.transports[1].poll();
            }
            for (int i = 0; i < 100; i++) {
                pair.transports[1].poll();
                assertEquals(0, down().raised(1, 0));
                assertEquals(0, down().raised(1, 1));
                assertEquals(0, down().announcedSequence(1));
                assertFalse(down().delivered(2));
                assertEquals(0, down().deliveredFingerprint(2));
                assertEquals(0, down().completed());
            }
            device.tell();
            await(() -> down().completed() == 1);
            assertEquals(5, down().raised(1, 0));
            assertEquals(6, down().raised(1, 1));
            assertEquals(11, down().announcedFingerprint(1));
            assertEquals(99, down().deliveredFingerprint(2));
        }
    }

    /** The device fails the test when a message comes for which no receive request is posted, or a queue overruns. */
    @Test
    void aRankThatDoesNotPollStopsTheOtherInTimeAndForAsLong() {
        connect();
        final Random random = new Random(3);
        long sent = 0;
        for (int round = 0; round < 200; round++) {
            int messages = 0;
            while (up().writable()) {
                sent++;
                up().signal(1, 0, sent);
                assertTrue(++messages < 1000, "nothing bounds what is under way");
                device.move(random.nextInt(3));
                pair.transports[0].poll();
            }
            final long all = sent;
            await(() -> down().raised(1, 0) == all && up().writable());
        }
    }

    /** Both say more than a window at once, so that both must tell of credits while they have none themselves. */
    @Test
    void creditsReturnWhenBothWindowsAreUsedUp() {
        connect();
        long sent = 0;
        for (int round = 0; round < 300; round++) {
            while (up().writable() && down().writable()) {
                sent++;
                up().signal(1, 0, sent);
                down().signal(1, 0, -sent);
            }
            device.move(1000);
            final long all = sent;
            await(() -> down().raised(1, 0) == all && up().raised(1, 0) == -all && up().writable()
                    && down().writable());
        }
    }

    /** Completions are said whether the link is writable or not. */
    @Test
    void completionsNeverOverrunAndTheLastOneArrives() {
        connect();
        for (int i = 1; i <= 10_000; i++) {
            up().complete(i, true);
            if (i % 100 == 0) {
                pair.transports[1].poll();
            }
        }
        await(() -> down().completed() == 10_000);
    }

    @Test
    void memoryThatNobodyKnowsIsCopied() {
        connect();
        try (Arena arena = Arena.ofConfined(); Region target = pair.domains[1].allocate(3 << 20, PageSize.BASE)) {
            announce(1, target);
            final MemorySegment source = arena.allocate(3 << 20);
            for (final int bytes : new int[]{100, 101, 4096, 4097, 70_000, 3 << 20 }) {
                source.fill((byte) bytes);
                up().put(source.address(), target.token(), 0, bytes);
                assertTrue(up().flushed());
                source.fill((byte) 0);
                up().signal(1, 0, bytes);
                await(() -> down().raised(1, 0) == bytes && up().writable());
                assertEquals(-1,
                        target.segment().asSlice(0, bytes).mismatch(source.asSlice(0, bytes).fill((byte) bytes)));
            }
            source.fill((byte) 9);
            up().deliver(1, source.address(), LAYOUT.inboxBytes(), 4);
            assertTrue(up().flushed());
            source.fill((byte) 0);
            await(() -> down().delivered(1));
            assertEquals(LAYOUT.inboxBytes(), down().deliveredBytes(1));
            for (long i = 0; i < LAYOUT.inboxBytes(); i++) {
                assertEquals(9, Memory.ALL.get(ValueLayout.JAVA_BYTE, down().deliveredAddress(1) + i));
            }
        }
    }

    @Test
    void memoryThatTheDeviceDoesNotTakeIsCopiedButCannotBeWrittenTo() {
        connect();
        try (Region source = pair.domains[0].allocate(1 << 20, PageSize.BASE);
                Region target = pair.domains[1].allocate(1 << 20, PageSize.BASE)) {
            announce(1, target);
            device.refuseMemory(new VerbsException("too much is locked"));
            source.segment().fill((byte) 3);
            for (int i = 0; i < 3; i++) {
                up().put(source.address(), target.token(), 0, 1 << 20);
                up().signal(1, 0, i + 1);
                final long value = i + 1L;
                await(() -> down().raised(1, 0) == value && up().writable());
            }
            assertEquals(-1, target.segment().mismatch(source.segment()));
            final Region output = pair.domains[0].allocate(100, PageSize.BASE);
            assertEquals("too much is locked",
                    assertThrows(VerbsException.class, () -> up().announce(1, 2, output.token(), 0)).getMessage());
            device.refuseMemory(null);
        }
    }

    @Test
    void closedRegionsAreTakenBackAndNewOnesIntroduced() {
        connect();
        final int before = device.held();
        for (int i = 1; i <= 50; i++) {
            final long value = i;
            try (Region source = pair.domains[0].allocate(8192, PageSize.BASE);
                    Region target = pair.domains[1].allocate(8192, PageSize.BASE)) {
                source.segment().fill((byte) i);
                announce(i, target);
                up().put(source.address(), target.token(), 0, 8192);
                up().signal(i, 0, i);
                await(() -> down().raised(value, 0) == value && up().flushed());
                assertEquals(-1, target.segment().mismatch(source.segment()));
                assertEquals(before + 2, device.held());
            }
            assertEquals(before, device.held());
        }
    }

    @Test
    void aStaleKeyBreaksTheConnectionWithWords() {
        connect();
        final Region target = pair.domains[1].allocate(8192, PageSize.BASE);
        announce(1, target);
        target.close();
        try (Region source = pair.domains[0].allocate(8192, PageSize.BASE)) {
            up().put(source.address(), target.token(), 0, 8192);
            up().signal(1, 0, 1);
            final LinkException broken = assertThrows(LinkException.class, () -> await(() -> false));
            assertEquals(1, broken.peer());
            assertTrue(broken.getMessage().contains("an RDMA write of 8192 bytes from rank 0 (host host) to rank 1"),
                    broken.getMessage());
            assertTrue(broken.getMessage().contains("IBV_WC_REM_ACCESS_ERR, vendor error 0x7e"), broken.getMessage());
            assertTrue(broken.getMessage().contains("active MTU 1024, queue pair 0x11"), broken.getMessage());
        }
        abandon();
    }

    private void abandon() {
        pair.transports[0].abandon();
        pair.transports[1].abandon();
    }

    @Test
    void aPeerThatIsGoneWithoutAGoodbyeIsAFailure() {
        connect();
        pair.transports[1].abandon();
        up().signal(1, 0, 1);
        final String message = assertThrows(LinkException.class, () -> {
            while (true) {
                pair.transports[0].poll();
            }
        }).getMessage();
        assertTrue(message.contains("a message of 0 bytes") && message.contains("4.096 us * 2^16"), message);
        pair.transports[0].abandon();
    }

    @Test
    void whatWasSentBeforeAnOrderlyEndArrivesAndTheEndIsNoFailure() {
        connect();
        try (Region source = pair.domains[0].allocate(1 << 20, PageSize.BASE);
                Region target = pair.domains[1].allocate(1 << 20, PageSize.BASE)) {
            announce(1, target);
            source.segment().fill((byte) 42);
            down().signal(1, 1, 5);
            up().put(source.address(), target.token(), 0, 1 << 20);
            up().signal(1, 0, 9);
            pair.transports[0].close();
            while (down().raised(1, 0) != 9) {
                pair.transports[1].poll();
            }
            assertEquals(-1, target.segment().mismatch(source.segment()));
            for (int i = 1; i < 1000; i++) {
                pair.transports[1].poll();
                down().announce(i, 1, 2, 3);
                down().put(target.address(), down().scratchToken(), 0, 100);
                down().signal(i, 1, i);
                down().deliver(i, target.address(), 1000, 4);
                down().complete(i, true);
                assertTrue(down().writable() && down().flushed());
            }
        }
    }

    @Test
    void eventsReachTheRankThatUsesWhatTheyAreAbout() {
        connect();
        device.happens(AsyncEventType.GID_CHANGE, 1);
        device.happens(AsyncEventType.PORT_ERR, 1);
        up().signal(1, 0, 1);
        await(() -> down().raised(1, 0) == 1);
        device.happens(AsyncEventType.DEVICE_FATAL, 0);
        for (final VerbsRank rank : List.of(new VerbsRank(0), new VerbsRank(1))) {
            final LinkException broken = assertThrows(LinkException.class, () -> {
                while (true) {
                    pair.transports[rank.number].poll();
                }
            });
            assertEquals(rank.number, broken.peer());
            assertTrue(broken.getMessage().contains("rank " + rank.number + " (host host): fake7: the device broke"),
                    broken.getMessage());
        }
        abandon();
    }

    private record VerbsRank(int number) {}

    @Test
    void aPathIsProbedBeforeItIsUsed() {
        connect();
        assertTrue(pair.transports[0].probe(pair.connections[0]).isEmpty());
        assertEquals(Map.of(), pair.transports[0].awaitProbes(Duration.ofSeconds(20)));
        device.stop(true);
        assertTrue(pair.transports[1].probe(pair.connections[1]).isEmpty());
        assertTrue(pair.transports[1].awaitProbes(Duration.ofMillis(50)).get(0).contains("no packet was acknowledged"));
        device.stop(false);
        pair.transports[0].drop(pair.connections[0]);
        assertTrue(pair.transports[1].probe(pair.connections[1]).isEmpty());
        final String why = pair.transports[1].awaitProbes(Duration.ofSeconds(20)).get(0);
        assertTrue(why.contains("RETRY_EXC_ERR"), why);
        abandon();
    }

    /** Several queue pairs, every kind of message at random, until each has gone around its ring many times. */
    @ParameterizedTest
    @ValueSource(strings = {"1", "3" })
    void everythingAtRandomArrivesInOrder(final String queuePairs) {
        connect("CHAGRES_IB_QPS_PER_CONNECTION", queuePairs);
        final Random random = new Random(11);
        try (Region source = pair.domains[0].allocate(1 << 20, PageSize.BASE);
                Region target = pair.domains[1].allocate(1 << 20, PageSize.BASE)) {
            announce(1, target);
            announce(2, target);
            long value = 0;
            for (int round = 1; round <= 3000; round++) {
                final long sequence = round;
                await(() -> up().writable() && up().flushed());
                final int bytes = random.nextInt(4) == 0 ? random.nextInt(300_000) : random.nextInt(500);
                source.segment().set(ValueLayout.JAVA_LONG, bytes & ~7, round);
                up().announce(sequence, round, 3, 4);
                up().put(source.address(), target.token(), 0, bytes + 8);
                value += random.nextInt(5) == 0 ? random.nextInt(1 << 20) : 1;
                up().signal(sequence, 0, value);
                final long expected = value;
                if (random.nextInt(3) == 0) {
                    down().complete(round, true);
                    await(() -> up().completed() == sequence);
                }
                await(() -> down().raised(sequence, 0) == expected);
                assertEquals(round, down().announcedFingerprint(sequence));
                assertEquals(round, target.segment().get(ValueLayout.JAVA_LONG, bytes & ~7));
            }
        }
    }
}
