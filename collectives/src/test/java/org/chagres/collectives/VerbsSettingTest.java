package org.chagres.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What happens where verbs cannot be used; needs no device. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class VerbsSettingTest {
    private static String refusal(final Map<String, String> environment) {
        return assertThrows(RuntimeException.class, () -> Worlds.run(2, environment, Worlds::assertUsable))
                .getMessage();
    }

    @Test
    void whoDemandsVerbsIsToldWhichRanksCannotAndWhy() {
        final String message = refusal(Map.of("CHAGRES_TRANSPORT", "verbs", "NCCL_IB_DISABLE", "1"));
        assertTrue(message.contains("CHAGRES_TRANSPORT=verbs, but verbs cannot be used by rank 0 ("), message);
        assertTrue(message.contains("NCCL_IB_DISABLE=1 switches it off; rank 1 ("), message);
    }

    @Test
    void malformedSettingsAreErrorsWhereverVerbsMayBeUsed() {
        final String message = refusal(Map.of("CHAGRES_IB_TIMEOUT", "long"));
        assertTrue(message.contains("CHAGRES_IB_TIMEOUT=long is not a number: it must be 1..31"), message);
        final String transport = refusal(Map.of("CHAGRES_TRANSPORT", "rdma"));
        assertTrue(transport.contains("use auto, shm, tcp or verbs"), transport);
    }

    @Test
    void hostsThatDoWithoutVerbsUseTcp() throws Exception {
        HostsTest.run("ab", Map.of("CHAGRES_IB_DISABLE", "1"), c -> {
            assertEquals("tcp", c.transports());
            Worlds.assertUsable(c);
        });
    }
}
