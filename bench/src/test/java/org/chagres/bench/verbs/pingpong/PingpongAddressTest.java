package org.chagres.bench.verbs.pingpong;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.chagres.verbs.Gid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PingpongAddressTest {
    /** What {@code ibv_rc_pingpong} of rdma-core 44 sent for LID 0, QPN 0x17, PSN 0x347e02, GID ::ffff:192.0.2.1. */
    private static final String OF_THE_C_PROGRAM = "0000:000017:347e02:00000000000000000000ffffc0000201\0";

    @Test
    void writesAndReadsWhatTheCProgramDoes() throws ExchangeException {
        final PingpongAddress address = new PingpongAddress(0, 0x17, 0x347e02, Gid.parse("::ffff:192.0.2.1"));
        assertEquals(52, PingpongAddress.BYTES);
        assertEquals(OF_THE_C_PROGRAM, new String(address.message(), StandardCharsets.ISO_8859_1));
        assertEquals(address, PingpongAddress.parse(OF_THE_C_PROGRAM.getBytes(StandardCharsets.ISO_8859_1)));
        assertEquals("LID 0x0000, QPN 0x000017, PSN 0x347e02, GID ::ffff:192.0.2.1", address.toString());
    }

    @Test
    void readsBackWhateverItWrites() throws ExchangeException {
        final Random random = new Random(7);
        for (int i = 0; i < 1000; i++) {
            final PingpongAddress address = new PingpongAddress(random.nextInt(1 << 16), random.nextInt(1 << 24),
                    random.nextInt(1 << 24), new Gid(random.nextLong(), random.nextLong()));
            assertEquals(PingpongAddress.BYTES, address.message().length);
            assertEquals(address, PingpongAddress.parse(address.message()));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0000:000017", "0000:000017:347e02:00000000000000000000ffffc0000201",
            "0000:000017:347e02:00000000000000000000ffffc000020g\0",
            "0000-000017:347e02:00000000000000000000ffffc0000201\0",
            " 000:000017:347e02:00000000000000000000ffffc0000201\0",
            "-001:000017:347e02:00000000000000000000ffffc0000201\0",
            "0000:000017:347e02:00000000000000000000ffffc0000201\0\0",
            "GET / HTTP/1.1\r\nHost: localhost:18515\r\nAccept: */*\r\n" })
    void refusesEverythingElse(final String text) {
        final ExchangeException refused = assertThrows(ExchangeException.class,
                () -> PingpongAddress.parse(text.getBytes(StandardCharsets.ISO_8859_1)));
        assertTrue(refused.getMessage().contains("LID:QPN:PSN:GID"), refused.getMessage());
        assertTrue(refused.getMessage().chars().allMatch(c -> c >= ' ' && c <= '~'), refused.getMessage());
    }
}
