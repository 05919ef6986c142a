package org.chagres.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class MemoryTest {
    private static final int GUARD = 64;

    /** Every length around the limits between the ways of copying, at odd alignments of both ends. */
    @Test
    void copiesExactlyTheBytesAskedFor() {
        final Random random = new Random(11);
        try (Arena arena = Arena.ofConfined()) {
            final long most = (512 << 10) + 1;
            final MemorySegment from = arena.allocate(most + 2 * GUARD);
            final MemorySegment to = arena.allocate(most + 2 * GUARD);
            final byte[] pattern = new byte[(int) from.byteSize()];
            random.nextBytes(pattern);
            MemorySegment.copy(MemorySegment.ofArray(pattern), 0, from, 0, from.byteSize());
            for (int bytes = 0; bytes <= 130; bytes++) {
                check(from, to, bytes, random);
            }
            for (final int bytes : new int[]{4095, (256 << 10) - 1, 256 << 10, (256 << 10) + 1, (int) most }) {
                check(from, to, bytes, random);
            }
        }
    }

    private static void check(final MemorySegment from, final MemorySegment to, final long bytes, final Random random) {
        final long source = random.nextInt(GUARD);
        final long target = 1L + random.nextInt(GUARD);
        to.fill((byte) 0x5a);
        Memory.copy(to.address() + target, from.address() + source, bytes);
        assertEquals(-1, MemorySegment.mismatch(to, target, target + bytes, from, source, source + bytes), "" + bytes);
        assertEquals(0x5a, to.get(java.lang.foreign.ValueLayout.JAVA_BYTE, target - 1));
        assertEquals(0x5a, to.get(java.lang.foreign.ValueLayout.JAVA_BYTE, target + bytes));
    }
}
