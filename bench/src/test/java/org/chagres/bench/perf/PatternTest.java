package org.chagres.bench.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.chagres.collectives.DataType;
import org.chagres.collectives.ReduceOp;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class PatternTest {
    @ParameterizedTest
    @EnumSource(DataType.class)
    void countsEachWrongElementOnce(final DataType type) {
        final long count = 3 * Pattern.PERIOD + 17;
        final Pattern pattern = new TestData(type, ReduceOp.SUM, 3, 5).moved(2);
        final MemorySegment segment = MemorySegment.ofArray(new byte[(int) count * type.size()]);
        pattern.fill(segment, 12345, count);
        assertEquals(0, pattern.wrong(segment, 12345, count));
        final long[] broken = {0, 1, Pattern.PERIOD - 1, Pattern.PERIOD, 2 * Pattern.PERIOD + 3, count - 1 };
        for (final long element : broken) {
            for (long b = element * type.size(); b < (element + 1) * type.size(); b++) {
                segment.set(ValueLayout.JAVA_BYTE, b, (byte) ~segment.get(ValueLayout.JAVA_BYTE, b));
            }
        }
        assertEquals(broken.length, pattern.wrong(segment, 12345, count));
    }

    /** A chunk at the place of another, as an algorithm with a wrong offset would leave it. */
    @ParameterizedTest
    @ValueSource(longs = {1, 16, 1024, 4096, 65536, 1 << 20 })
    void aShiftedTensorIsWrong(final long shift) {
        final Pattern pattern = new TestData(DataType.FLOAT8_E5M2, ReduceOp.SUM, 3, 5).input(1);
        final MemorySegment segment = MemorySegment.ofArray(new byte[4096]);
        pattern.fill(segment, shift, 4096);
        assertNotEquals(0, pattern.wrong(segment, 0, 4096));
    }
}
