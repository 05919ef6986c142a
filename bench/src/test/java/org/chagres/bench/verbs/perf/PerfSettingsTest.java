package org.chagres.bench.verbs.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import org.chagres.bench.UsageException;
import org.junit.jupiter.api.Test;

class PerfSettingsTest {
    private static PerfSettings bandwidth(final int size, final int queuePairs, final int txDepth, final int moderation,
            final int postList) {
        return new PerfSettings(Verb.WRITE, false, false, List.of(size), 1000, queuePairs, txDepth, moderation,
                postList);
    }

    @Test
    void areasDoNotOverlap() {
        final PerfSettings settings = bandwidth(100, 5, 128, 0, 1);
        for (int q = 0; q < 5; q++) {
            assertEquals(settings.sendOffset(q) + settings.stride(), settings.receiveOffset(q));
            assertEquals(q == 4 ? settings.memoryBytes() : settings.sendOffset(q + 1),
                    settings.receiveOffset(q) + settings.stride());
        }
        assertTrue(settings.stride() >= 100 && settings.stride() % 64 == 0);
        assertTrue(bandwidth(1 << 26, 16, 128, 0, 1).memoryBytes() == 2L << 30, "offsets are long");
    }

    @Test
    void moderationIsPerftests() {
        assertEquals(100, bandwidth(8192, 1, 128, 0, 1).moderation(8192));
        assertEquals(1, bandwidth(8193, 1, 128, 0, 1).moderation(8193));
        assertEquals(16, bandwidth(2, 1, 16, 0, 1).moderation(2));
        assertEquals(7, bandwidth(65536, 1, 16, 7, 1).moderation(65536));
    }

    /** Whatever is in flight, among the last {@code txDepth} operations one makes a completion: else a full window would wait for ever. */
    @Test
    void everyWindowHasACompletion() {
        final Random random = new Random(11);
        for (int round = 0; round < 500; round++) {
            final int txDepth = 1 + random.nextInt(200);
            final int moderation = 1 + random.nextInt(txDepth);
            final int slots = Ring.slots(moderation, 1 + random.nextInt(txDepth));
            int since = 0;
            for (int operation = 0; operation < 3 * slots; operation++) {
                since = Ring.signalled(operation % slots, moderation) ? 0 : since + 1;
                assertTrue(since < txDepth, "moderation " + moderation + ", slots " + slots + ", depth " + txDepth);
                assertEquals(since == 0, (operation + 1) % moderation == 0);
            }
        }
    }

    @Test
    void idsCarryQueuePairAndOperations() {
        final long id = Ring.id(16383, 32768);
        assertEquals(16383, Ring.queuePair(id));
        assertEquals(32768, Ring.operations(id));
    }

    @Test
    void whatIsImpossibleIsRefused() {
        assertRefused("-n 4", () -> new PerfSettings(Verb.WRITE, true, false, List.of(2), 4, 1, 1, 0, 1));
        assertRefused("-q 2", () -> new PerfSettings(Verb.WRITE, true, false, List.of(2), 10, 2, 1, 0, 1));
        assertRefused("-s 4", () -> new PerfSettings(Verb.ATOMIC, true, false, List.of(4), 10, 1, 1, 0, 1));
        assertRefused("-s 0", () -> bandwidth(0, 1, 128, 0, 1));
        assertRefused("-t 0", () -> bandwidth(2, 1, 0, 0, 1));
        assertRefused("-Q 129", () -> bandwidth(2, 1, 128, 129, 1));
        assertRefused("-l 129", () -> bandwidth(2, 1, 128, 0, 129));
        assertRefused("MiB", () -> bandwidth(Integer.MAX_VALUE, 16384, 128, 0, 1));
        assertRefused("-a", () -> PerfSettings.sizes(Verb.WRITE, true, true, 64));
    }

    private static void assertRefused(final String named, final Runnable what) {
        final UsageException refused = assertThrows(UsageException.class, what::run);
        assertTrue(refused.getMessage().contains(named), refused.getMessage());
    }
}
