package org.chagres.transport.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.chagres.verbs.VerbsException;
import org.junit.jupiter.api.Test;

class PathEndTest {
    private static final List<PathEnd> ENDS = List.of(Ends.roce(0, "::ffff:10.0.0.1"),
            Ends.infiniBand(7, 65535, "fe80::7"));

    @Test
    void whatIsToldArrives() {
        for (final PathEnd end : ENDS) {
            assertEquals(end, PathEnd.decode(end.encode()));
        }
    }

    @Test
    void whatIsCutOrLongerIsRefused() {
        for (final PathEnd end : ENDS) {
            final byte[] whole = end.encode();
            for (int length = 0; length <= whole.length + 1; length++) {
                final byte[] other = Arrays.copyOf(whole, length);
                if (length != whole.length) {
                    assertThrows(VerbsException.class, () -> PathEnd.decode(other));
                }
            }
        }
    }

    @Test
    void whatIsDamagedIsReadOrRefusedAndNothingElse() {
        final Random random = new Random(11);
        int refused = 0;
        for (int i = 0; i < 20_000; i++) {
            final byte[] damaged = ENDS.get(i & 1).encode();
            damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
            try {
                assertTrue(!PathEnd.decode(damaged).describe().isEmpty());
            } catch (final VerbsException e) {
                refused++;
            }
        }
        assertTrue(refused > 1000, "only " + refused + " of 20000 were refused");
    }

    @Test
    void anotherVersionSaysSo() {
        final byte[] other = ENDS.getFirst().encode();
        other[3]++;
        assertTrue(assertThrows(VerbsException.class, () -> PathEnd.decode(other)).getMessage()
                .contains("run the same version"));
    }
}
