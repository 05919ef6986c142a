package org.chagres.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.YieldingIdleStrategy;
import org.chagres.memory.Memory;
import org.chagres.memory.MemoryDomain;
import org.chagres.memory.PageSize;
import org.chagres.memory.Region;
import org.chagres.memory.StaleTokenException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What every transport must do: a subclass connects two ranks, 0 and 1, and this suite tests the two links between them. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
abstract class LinkContract {
    static final int CHANNELS = 3;
    static final long INBOX_BYTES = 1024;
    static final long SCRATCH_BYTES = 8192;
    private static final long GUARD = 64;

    /**
     * The two ends of a connection.
     *
     * @param domains the memory of rank 0 and 1
     * @param controls their control regions
     * @param links rank 0's link to 1 and rank 1's link to 0
     * @param transports what moves rank 0's and rank 1's end
     * @param close frees what the subclass made
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Pair(MemoryDomain[] domains, Region[] controls, Link[] links, Transport[] transports, Runnable close) {}

    private volatile boolean stop;
    private Pair pair;
    private Region source;
    private Region target;

    /** Connects two ranks with {@link #CHANNELS}, {@link #INBOX_BYTES} and {@link #SCRATCH_BYTES}. */
    abstract Pair connect();

    Pair pair() {
        return pair;
    }

    abstract String transport();

    @BeforeEach
    void open() {
        pair = connect();
        source = pair.domains[0].allocate(1 << 20, PageSize.BASE);
        target = pair.domains[1].allocate(1 << 20, PageSize.BASE);
    }

    @AfterEach
    void close() {
        pair.close.run();
    }

    final Link up() {
        return pair.links[0];
    }

    final Link down() {
        return pair.links[1];
    }

    /** Waits for something that the peer has already done, which a transport may take its time to show. */
    final void await(final BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            for (final Transport transport : pair.transports) {
                transport.poll();
            }
        }
    }

    /** Tells rank 0 where rank 1's output lies, as ranks do before anything is put there. */
    private void announce(final long sequence, final Region output) {
        down().announce(sequence, 1, output.token(), 0);
        await(() -> up().announcedSequence(sequence) == sequence);
    }

    /** Lets both ends move until what was given to them has been read and has arrived. */
    private void settle(final Link link) {
        await(link::flushed);
    }

    private void fill(final Random random, final long bytes) {
        for (long i = 0; i < bytes; i++) {
            source.segment().set(ValueLayout.JAVA_BYTE, i, (byte) random.nextInt());
        }
    }

    @Test
    void knowsItsPeerAndItsLimits() {
        assertEquals(1, up().peer());
        assertEquals(0, down().peer());
        assertEquals(transport(), up().transport());
        assertEquals(INBOX_BYTES, up().inboxBytes());
    }

    @Test
    void everythingStartsAtZero() {
        for (final Link link : pair.links) {
            for (int channel = 0; channel < CHANNELS; channel++) {
                assertEquals(0, link.raised(1, channel));
                assertEquals(0, link.raised(2, channel));
            }
            for (int sequence = 1; sequence <= 2; sequence++) {
                assertEquals(0, link.announcedSequence(sequence));
                assertFalse(link.delivered(sequence));
                assertEquals(0, link.deliveredFingerprint(sequence));
            }
            assertEquals(0, link.completed());
        }
    }

    @Test
    void signalsOfChannelsAndDirectionsAreIndependent() {
        for (int round = 1; round < 50; round++) {
            final long now = round;
            for (int channel = 0; channel < CHANNELS; channel++) {
                final long value = round * 10L + channel;
                final int on = channel;
                up().signal(round, channel, value);
                await(() -> down().raised(now, on) == value);
            }
            down().signal(round, 1, -round);
            final long expected = -round;
            await(() -> up().raised(now, 1) == expected);
            for (int channel = 0; channel < CHANNELS; channel++) {
                assertEquals(round * 10L + channel, down().raised(round, channel));
            }
            assertEquals(0, up().raised(round, 0));
            assertEquals(0, up().raised(round, 2));
        }
    }

    @Test
    void aPutPlacesItsBytesAndNoOthers() {
        announce(1, target);
        final Random random = new Random(5);
        final int[] sizes = {0, 1, 7, 8, 47, 48, 49, 63, 64, 65, 4095, 4097, (256 << 10) + 3, 1 << 20 };
        long signal = 0;
        for (final int bytes : sizes) {
            fill(random, bytes);
            final long from = bytes == 1 << 20 ? 0 : random.nextInt(100);
            final long offset = bytes == 1 << 20 ? 0 : GUARD + random.nextInt(100);
            target.segment().fill((byte) 0x33);
            await(up()::writable);
            up().put(source.address() + from, target.token(), offset, bytes);
            final long value = ++signal;
            up().signal(1, 0, value);
            await(() -> down().raised(1, 0) == value);
            settle(up());
            assertEquals(-1, MemorySegment.mismatch(source.segment(), from, from + bytes, target.segment(), offset,
                    offset + bytes), "bytes " + bytes);
            if (bytes < 1 << 20) {
                assertEquals(0x33, target.segment().get(ValueLayout.JAVA_BYTE, offset - 1), "bytes " + bytes);
                assertEquals(0x33, target.segment().get(ValueLayout.JAVA_BYTE, offset + bytes), "bytes " + bytes);
            }
        }
    }

    /** Whether a put to a place that the peer does not have is refused where it is made; else it breaks the connection at the peer. */
    abstract boolean refusesAtOnce();

    @Test
    void aPutOutsideARegionOrIntoAClosedOneWritesNothing() {
        final long token = target.token();
        announce(1, target);
        for (final long[] range : new long[][]{{0, (1 << 20) + 1 }, {1 << 20, 1 }, {-1, 1 }, {8, -1 } }) {
            target.segment().fill((byte) 1);
            assertRefused(() -> up().put(source.address(), token, range[0], range[1]));
            for (long i = 0; i < 1 << 20; i += 4096) {
                assertEquals(1, target.segment().get(ValueLayout.JAVA_BYTE, i));
            }
            if (!refusesAtOnce()) {
                return;
            }
        }
    }

    @Test
    void aPutIntoAClosedRegionWritesNothing() {
        final long token = target.token();
        target.close();
        final Region next = pair.domains[1].allocate(4096, PageSize.BASE);
        announce(1, next);
        up().put(source.address(), next.token(), 0, 4096);
        up().signal(1, 0, 1);
        await(() -> down().raised(1, 0) == 1);
        assertRefused(() -> up().put(source.address(), token, 0, 1));
    }

    private void assertRefused(final Runnable put) {
        if (refusesAtOnce()) {
            assertThrows(StaleTokenException.class, put::run);
        } else {
            put.run();
            up().signal(1, 0, 77);
            final String message = assertThrows(LinkException.class, () -> await(() -> down().raised(1, 0) == 77))
                    .getMessage();
            assertTrue(message.contains("rank 0 sent data for bytes"), message);
        }
    }

    @Test
    void scratchGenerationsAlternateAndDoNotOverlap() {
        final Random random = new Random(8);
        fill(random, SCRATCH_BYTES);
        final long first = up().scratchOffset(1);
        final long second = up().scratchOffset(2);
        assertEquals(first, up().scratchOffset(3));
        assertNotEquals(first, second);
        assertTrue(Math.abs(first - second) >= SCRATCH_BYTES);
        up().put(source.address(), up().scratchToken(), second, SCRATCH_BYTES);
        pair.controls[1].segment().asSlice(first, SCRATCH_BYTES).fill((byte) 9);
        up().signal(1, 0, 1);
        await(() -> down().raised(1, 0) == 1);
        assertEquals(-1, MemorySegment.mismatch(source.segment(), 0, SCRATCH_BYTES, pair.controls[1].segment(), second,
                second + SCRATCH_BYTES));
    }

    @Test
    void announcementsOfTwoOperationsStandSideBySide() {
        up().announce(7, 70, 71, 72);
        await(() -> down().announcedSequence(7) == 7);
        assertEquals(0, down().announcedSequence(8));
        up().announce(8, 80, 81, 82);
        await(() -> down().announcedSequence(8) == 8);
        assertEquals(7, down().announcedSequence(7));
        for (final long sequence : new long[]{7, 8 }) {
            assertEquals(sequence * 10, down().announcedFingerprint(sequence));
            assertEquals(sequence * 10 + 1, down().announcedToken(sequence));
            assertEquals(sequence * 10 + 2, down().announcedOffset(sequence));
        }
        up().announce(9, -1, Long.MIN_VALUE, Long.MAX_VALUE);
        await(() -> down().announcedSequence(9) == 9);
        assertEquals(-1, down().announcedFingerprint(9));
        assertEquals(Long.MIN_VALUE, down().announcedToken(9));
        assertEquals(Long.MAX_VALUE, down().announcedOffset(9));
        assertEquals(80, down().announcedFingerprint(8));
        assertEquals(0, up().announcedSequence(9));
    }

    @Test
    void sequencesBeyond32BitsKeepTheirGenerations() {
        final long large = (5L << 38) + 1;
        up().announce(large, 1, 2, 3);
        await(() -> down().announcedSequence(large) == large);
        assertEquals(0, down().announcedSequence(large + 1));
        source.segment().set(ValueLayout.JAVA_LONG, 0, 42);
        up().deliver(large + 1, source.address(), 8, 4);
        await(() -> down().delivered(large + 1));
        assertEquals(42, Memory.getLong(down().deliveredAddress(large + 1)));
    }

    @Test
    void everySizeOfMessageArrivesWholeWithItsFingerprint() {
        final Random random = new Random(6);
        long sequence = 0;
        for (int bytes = 0; bytes <= INBOX_BYTES; bytes++) {
            final long now = ++sequence;
            settle(up());
            fill(random, INBOX_BYTES);
            final long from = random.nextInt(9);
            up().deliver(now, source.address() + from, bytes, ~now);
            await(() -> down().delivered(now));
            assertEquals(~now, down().deliveredFingerprint(now));
            assertEquals(bytes, down().deliveredBytes(now));
            final MemorySegment arrived = MemorySegment.ofAddress(down().deliveredAddress(now))
                    .reinterpret(bytes);
            assertEquals(-1, MemorySegment.mismatch(source.segment(), from, from + bytes, arrived, 0, bytes),
                    "bytes " + bytes);
        }
    }

    @Test
    void theLargestMessagesOfTwoGenerationsAndDirectionsDoNotTouchEachOther() {
        final Random random = new Random(9);
        fill(random, 4 * INBOX_BYTES);
        for (int i = 0; i < 2; i++) {
            up().deliver(i + 1, source.address() + i * INBOX_BYTES, INBOX_BYTES, 10 + i);
            final MemorySegment other = target.segment();
            MemorySegment.copy(source.segment(), (2 + i) * INBOX_BYTES, other, i * INBOX_BYTES, INBOX_BYTES);
            down().deliver(i + 1, target.address() + i * INBOX_BYTES, INBOX_BYTES, 20 + i);
        }
        up().signal(1, 0, 5);
        up().announce(1, 6, 7, 8);
        down().complete(77, true);
        for (int i = 0; i < 2; i++) {
            final int sequence = i + 1;
            await(() -> down().delivered(sequence));
            await(() -> up().delivered(sequence));
            assertEquals(10 + i, down().deliveredFingerprint(sequence));
            assertEquals(20 + i, up().deliveredFingerprint(sequence));
            assertMessage(i, down().deliveredAddress(sequence));
            assertMessage(2 + i, up().deliveredAddress(sequence));
        }
        assertEquals(5, down().raised(1, 0));
        await(() -> up().completed() == 77);
    }

    private void assertMessage(final int block, final long address) {
        assertEquals(-1,
                MemorySegment.mismatch(source.segment(), block * INBOX_BYTES, (block + 1) * INBOX_BYTES,
                        MemorySegment.ofAddress(address).reinterpret(INBOX_BYTES), 0, INBOX_BYTES),
                "block " + block);
    }

    @Test
    void completionIsSeenByThePeerOnly() {
        up().complete(3, true);
        await(() -> down().completed() == 3);
        assertEquals(0, up().completed());
        down().complete(1L << 50, true);
        await(() -> up().completed() == 1L << 50);
        assertEquals(3, down().completed());
    }

    /** How many rounds the next test takes. */
    int rounds() {
        return 4000;
    }

    /** One rank puts random lengths of a new value and signals; the other checks every byte after the signal. Then the same by messages. */
    @RepeatedTest(3)
    void whatComesBeforeASignalIsVisibleAfterIt(final RepetitionInfo repetition) {
        final long seed = 1000L + repetition.getCurrentRepetition();
        final int rounds = rounds();
        final CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> write(seed, rounds), this::start);
        final CompletableFuture<Void> reader = CompletableFuture.runAsync(() -> check(seed, rounds), this::start);
        // Both must end before the memory goes, also when one of them has failed and the other waits for it.
        final CompletableFuture<Object> first = CompletableFuture.anyOf(reader, writer)
                .whenComplete((_, why) -> stop = why != null);
        first.exceptionally(_ -> null).join();
        reader.exceptionally(_ -> null).thenCombine(writer.exceptionally(_ -> null), (_, _) -> null).join();
        reader.join();
        writer.join();
    }

    private void start(final Runnable task) {
        Thread.ofPlatform().daemon().start(task);
    }

    private void write(final long seed, final int rounds) {
        final Random random = new Random(seed);
        for (int round = 1; round <= rounds; round++) {
            final int bytes = random.nextInt(random.nextInt(8) == 0 ? (int) SCRATCH_BYTES : 200);
            final byte value = (byte) random.nextInt();
            final int last = round - Link.GENERATIONS;
            while (up().completed() < last || !up().flushed() || !up().writable()) {
                pause(0);
            }
            source.segment().asSlice(0, SCRATCH_BYTES).fill(value);
            if (round % 3 == 0) {
                up().deliver(round, source.address(), Math.min(bytes, INBOX_BYTES), round);
            } else {
                up().announce(round, value, bytes, round);
                up().put(source.address(), up().scratchToken(), up().scratchOffset(round), bytes);
                up().signal(round, 1, round);
            }
        }
    }

    private void check(final long seed, final int rounds) {
        final Random random = new Random(seed);
        for (int round = 1; round <= rounds; round++) {
            final int bytes = random.nextInt(random.nextInt(8) == 0 ? (int) SCRATCH_BYTES : 200);
            final byte value = (byte) random.nextInt();
            if (round % 3 == 0) {
                while (!down().delivered(round)) {
                    pause(1);
                }
                assertEquals(round, down().deliveredFingerprint(round));
                final long length = Math.min(bytes, INBOX_BYTES);
                assertAll(round, down().deliveredAddress(round), length, value);
            } else {
                while (down().raised(round, 1) < round) {
                    pause(1);
                }
                assertEquals(round, down().announcedSequence(round));
                assertEquals(value, down().announcedFingerprint(round));
                assertEquals(bytes, down().announcedToken(round));
                assertEquals(round, down().announcedOffset(round));
                assertAll(round, pair.controls[1].address() + up().scratchOffset(round), bytes, value);
            }
            down().complete(round, true);
        }
    }

    private void pause(final int rank) {
        if (stop) {
            throw new IllegalStateException("the other thread failed");
        }
        if (!pair.transports[rank].poll()) {
            YieldingIdleStrategy.INSTANCE.idle();
        }
    }

    private static void assertAll(final int round, final long address, final long bytes, final byte value) {
        for (long i = 0; i < bytes; i++) {
            assertEquals(value, Memory.ALL.get(ValueLayout.JAVA_BYTE, address + i), "round " + round + ", byte " + i);
        }
    }
}
