package org.chagres.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SplitTest {
    /** The world's ranks of a communicator, by its ranks. */
    private static int[] ranksOf(final Communicator c, final int worldRank) {
        final int[] all = new int[c.size()];
        c.allGather(MemorySegment.ofArray(new int[]{worldRank }), MemorySegment.ofArray(all), 1, DataType.INT32);
        return all;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 8 })
    void sameColorsComeTogetherInTheOrderOfTheirKeys(final int size) {
        Worlds.run(size, c -> {
            final int color = c.rank() % 3;
            try (Communicator part = c.split(color, -c.rank())) {
                final int[] ranks = ranksOf(part, c.rank());
                assertEquals((size - color + 2) / 3, ranks.length);
                for (int i = 0; i < ranks.length; i++) {
                    assertEquals(color, ranks[i] % 3);
                    assertTrue(i == 0 || ranks[i] < ranks[i - 1]);
                }
                assertEquals(c.rank(), ranks[part.rank()]);
                for (int round = 0; round < 3; round++) {
                    Worlds.assertUsable(part);
                    Worlds.assertUsable(c);
                }
            }
            Worlds.assertUsable(c);
        });
    }

    @Test
    void equalKeysKeepTheOrderOfRanks() {
        Worlds.run(4, c -> {
            final int[] ranks = ranksOf(c.split(Integer.MAX_VALUE, c.rank() / 2 == 0 ? 7 : Integer.MIN_VALUE),
                    c.rank());
            assertEquals("[2, 3, 0, 1]", java.util.Arrays.toString(ranks));
        });
    }

    @Test
    void aRankMayStandAside() {
        Worlds.run(4, c -> {
            if (c.rank() == 1) {
                c.splitNone();
            } else {
                final Communicator part = c.split(0, 0);
                assertEquals("[0, 2, 3]", java.util.Arrays.toString(ranksOf(part, c.rank())));
                Worlds.assertUsable(part);
            }
            Worlds.assertUsable(c);
        });
    }

    @Test
    void aNegativeColorIsRefusedBeforeAnythingIsSent() {
        Worlds.run(2, c -> {
            final String message = assertThrows(IllegalArgumentException.class, () -> c.split(-1, 0)).getMessage();
            assertTrue(message.contains("color -1") && message.contains("splitNone"), message);
            Worlds.assertUsable(c);
        });
    }

    /** Only the ranks of the part take part in splitting it. */
    @Test
    void aPartMayBeSplitAgainWithoutTheOthers() {
        Worlds.run(6, c -> {
            final Communicator half = c.split(c.rank() / 3, 0);
            if (c.rank() < 3) {
                final Communicator single = half.split(half.rank(), 0);
                assertEquals(1, single.size());
                Worlds.assertUsable(single);
                if (half.rank() == 2) {
                    half.splitNone();
                } else {
                    Worlds.assertUsable(half.split(0, 0));
                }
            }
            Worlds.assertUsable(half);
            Worlds.assertUsable(c);
        });
    }

    @Test
    void buffersOfTheWorldWorkInItsParts() {
        Worlds.run(4, c -> {
            final Communicator part = c.split(c.rank() % 2, 0);
            final Buffer ofWorld = c.allocate(DataType.INT64, 3000);
            final Buffer ofPart = part.allocate(DataType.INT64, 3000);
            Worlds.fill(ofWorld, 1 + c.rank());
            part.allReduce(ofWorld, ofPart, ReduceOp.SUM);
            part.close();
            Worlds.assertFilled(c.rank() % 2 == 0 ? 4 : 6, ofPart);
            c.allReduce(ofPart, ReduceOp.SUM);
            Worlds.assertFilled(20, ofPart);
            assertThrows(IllegalStateException.class, part::barrier);
            part.close();
            Worlds.assertUsable(c);
        });
    }

    @Test
    void closingTheWorldClosesItsParts() {
        final Communicator[] parts = new Communicator[3];
        Worlds.run(3, c -> parts[c.rank()] = c.split(0, 0).split(0, 0));
        for (final Communicator part : parts) {
            assertThrows(IllegalStateException.class, part::barrier);
        }
    }

    @Test
    void closedPartsGiveBackTheirMemory() {
        Worlds.run(2, c -> {
            long before = 0;
            for (int i = 0; i < 12; i++) {
                if (i == 2) {
                    c.barrier();
                    before = mappings();
                    c.barrier();
                }
                try (Communicator part = c.split(0, i)) {
                    part.barrier();
                }
            }
            c.barrier();
            assertEquals(before, mappings());
        });
    }

    /** Mappings of shared memory in this process. */
    private static long mappings() throws java.io.IOException {
        try (var lines = java.nio.file.Files.lines(java.nio.file.Path.of("/proc/self/maps"))) {
            return lines.filter(line -> line.contains("memfd:chagres")).count();
        }
    }

    @Test
    void messagesOfDifferentCommunicatorsDoNotMix() {
        Worlds.run(2, c -> {
            final Communicator twin = c.split(0, -c.rank());
            assertEquals(1 - c.rank(), twin.rank());
            final MemorySegment first = MemorySegment.ofArray(new int[]{10 * c.rank() + 1 });
            final MemorySegment second = MemorySegment.ofArray(new int[]{10 * c.rank() + 2 });
            final int[] one = new int[1];
            final int[] two = new int[1];
            if (c.rank() == 0) {
                c.send(first, 1, DataType.INT32, 1);
                twin.send(second, 1, DataType.INT32, 0);
            } else {
                twin.recv(MemorySegment.ofArray(two), 1, DataType.INT32, 1);
                c.recv(MemorySegment.ofArray(one), 1, DataType.INT32, 0);
                assertEquals(1, one[0]);
                assertEquals(2, two[0]);
            }
        });
    }
}
