package org.chagres.bench.perf;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.chagres.bench.UsageException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SizesTest {
    @ParameterizedTest
    @CsvSource({"0, 0", "8, 8", "64K, 65536", "64k, 65536", "1.5M, 1572864", "2G, 2147483648", " 4 M, 4194304" })
    void readsSizes(final String text, final long bytes) {
        assertEquals(bytes, Sizes.parse(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "K", "-8", "8KB", "0x10", "1e3", "8T", "NaN", "9007199254740992", "8388608G" })
    void refusesWhatIsNoSize(final String text) {
        assertThrows(UsageException.class, () -> Sizes.parse(text));
    }

    @Test
    void stepsByFactorOrByIncrement() {
        assertArrayEquals(new long[]{8, 16, 32, 64 }, new Sizes(8, 127, 0, 2).toArray());
        assertArrayEquals(new long[]{8, 18, 28 }, new Sizes(8, 28, 10, 1).toArray());
        assertArrayEquals(new long[]{0, 4, 8 }, new Sizes(0, 8, 4, 1).toArray());
    }

    @Test
    void aSingleSizeNeedsNoStep() {
        assertArrayEquals(new long[]{0 }, new Sizes(0, 0, 0, 2).toArray());
        assertArrayEquals(new long[]{5 }, new Sizes(5, 5, 0, 1).toArray());
    }

    @Test
    void neverOverflows() {
        assertArrayEquals(new long[]{Long.MAX_VALUE / 2 },
                new Sizes(Long.MAX_VALUE / 2, Long.MAX_VALUE, 1, 3).toArray());
    }
}
