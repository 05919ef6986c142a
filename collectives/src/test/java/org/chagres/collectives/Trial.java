package org.chagres.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/**
 * One rank's buffers for one operation, and what must lie in them afterwards.
 *
 * @param send null if this rank reads none
 * @param recv null if this rank writes none
 */
record Trial(MemorySegment send, MemorySegment recv, List<Expectation> expectations) {
    static final byte GUARD = (byte) 0xA5;
    static final int GUARD_BYTES = 80;

    /**
     * What must lie at a place, between guards.
     *
     * @param memory the place and its surroundings
     * @param start where in {@code memory} the place starts
     */
    record Expectation(String name, MemorySegment memory, long start, MemorySegment contents) {
        void check(final String what) {
            final long bytes = contents.byteSize();
            assertGuard(start - GUARD_BYTES, what + ": before " + name);
            assertGuard(start + bytes, what + ": after " + name);
            final long wrong = memory.asSlice(start, bytes).mismatch(contents);
            assertEquals(-1, wrong, () -> what + ": " + name + " at byte " + wrong);
        }

        private void assertGuard(final long from, final String where) {
            for (long i = Math.max(0, from); i < from + GUARD_BYTES; i++) {
                assertEquals(GUARD, memory.get(ValueLayout.JAVA_BYTE, i), where);
            }
        }
    }

    void check(final String what) {
        expectations.forEach(expectation -> expectation.check(what));
    }
}
