package org.chagres.bench.verbs.pingpong;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.chagres.verbs.Mtu;
import org.junit.jupiter.api.Test;

class PingpongCommandTest {
    @Test
    void theResultIsTheCProgramsTwoLines() {
        final PingpongSettings settings = new PingpongSettings(4096, Mtu.MTU_1024, 500, 1000, 0, false, false);
        assertEquals(
                List.of("8192000 bytes in 7.58 seconds = 8.65 Mbit/sec",
                        "1000 iters in 7.58 seconds = 7577.88 usec/iter"),
                PingpongCommand.result(settings, 7_577_880_000L));
    }
}
