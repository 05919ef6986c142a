package org.chagres.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 30, unit = TimeUnit.SECONDS)
class WorldInfoTest {
    private static final Map<String, String> COMPLETE = Map.of("RANK", "3", "WORLD_SIZE", "8", "LOCAL_RANK", "1",
            "LOCAL_WORLD_SIZE", "2", "MASTER_ADDR", "10.0.0.1", "MASTER_PORT", "29500");

    private static Map<String, String> with(final String name, final String value) {
        final Map<String, String> changed = new HashMap<>(COMPLETE);
        if (value == null) {
            changed.remove(name);
        } else {
            changed.put(name, value);
        }
        return changed;
    }

    private static String refusal(final Map<String, String> environment) {
        return assertThrows(IllegalArgumentException.class, () -> WorldInfo.fromEnvironment(environment)).getMessage();
    }

    @Test
    void readsWhatTorchrunSets() {
        assertEquals(new WorldInfo(3, 8, 1, 2, "10.0.0.1", 29500), WorldInfo.fromEnvironment(COMPLETE));
        assertEquals(new WorldInfo(3, 8, 1, 2, "10.0.0.1", 29500), WorldInfo.fromEnvironment(with("RANK", " 3 ")));
    }

    @Test
    void placesOnTheHostMayBeUnset() {
        assertEquals(new WorldInfo(3, 8, -1, 2, "10.0.0.1", 29500),
                WorldInfo.fromEnvironment(with("LOCAL_RANK", null)));
        assertEquals(new WorldInfo(3, 8, 1, -1, "10.0.0.1", 29500),
                WorldInfo.fromEnvironment(with("LOCAL_WORLD_SIZE", null)));
    }

    @Test
    void aWorldOfOneNeedsNoCoordinator() {
        assertEquals(new WorldInfo(0, 1, -1, -1, "localhost", 0),
                WorldInfo.fromEnvironment(Map.of("RANK", "0", "WORLD_SIZE", "1")));
        final Map<String, String> halfSet = Map.of("RANK", "0", "WORLD_SIZE", "1", "MASTER_ADDR", "localhost");
        assertTrue(refusal(halfSet).startsWith("MASTER_PORT is not set"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT" })
    void namesWhatIsMissing(final String name) {
        for (final String absent : new String[]{null, "", "  " }) {
            final String message = refusal(with(name, absent));
            assertTrue(message.startsWith(name + " is not set") && message.contains("World.threads"), message);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE", "MASTER_PORT" })
    void namesWhatIsNotANumber(final String name) {
        for (final String wrong : new String[]{"one", "1.0", "0x1", "1 2", "99999999999999999999", "٣x" }) {
            final String message = refusal(with(name, wrong));
            assertTrue(message.startsWith(name + "=" + wrong + " is not a number"), message);
        }
    }

    @ParameterizedTest
    @CsvSource({"RANK, -1, 0..2147483647", "WORLD_SIZE, 0, 1..2147483647", "WORLD_SIZE, -4, 1..2147483647",
            "WORLD_SIZE, 99999999999, 1..2147483647", "LOCAL_RANK, -1, 0..2147483647",
            "LOCAL_WORLD_SIZE, 0, 1..2147483647", "MASTER_PORT, 0, 1..65535",
            "MASTER_PORT, 65536, 1..65535", "MASTER_PORT, -1, 1..65535" })
    void namesWhatIsOutOfRangeAndTheRange(final String name, final String value, final String range) {
        assertEquals(name + "=" + value + " is out of range: it must be " + range, refusal(with(name, value)));
    }

    @ParameterizedTest
    @CsvSource({"RANK, 8, RANK=8 contradicts WORLD_SIZE=8", "RANK, 9, RANK=9 contradicts WORLD_SIZE=8",
            "WORLD_SIZE, 3, RANK=3 contradicts WORLD_SIZE=3",
            "LOCAL_RANK, 2, LOCAL_RANK=2 contradicts LOCAL_WORLD_SIZE=2",
            "LOCAL_WORLD_SIZE, 9, LOCAL_WORLD_SIZE=9 contradicts WORLD_SIZE=8",
            "LOCAL_WORLD_SIZE, 1, LOCAL_RANK=1 contradicts LOCAL_WORLD_SIZE=1" })
    void namesBothSidesOfAContradiction(final String name, final String value, final String expected) {
        final String message = refusal(with(name, value));
        assertTrue(message.startsWith(expected), message);
    }

    @Test
    void aLocalRankBeyondTheWorldIsRefusedWithoutALocalSizeToo() {
        final Map<String, String> environment = new HashMap<>(with("LOCAL_WORLD_SIZE", null));
        environment.put("LOCAL_RANK", "8");
        assertTrue(refusal(environment).startsWith("LOCAL_RANK=8 contradicts WORLD_SIZE=8"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"False", "false", "", "yes" })
    void thePortIsRankZerosUnlessTorchrunSaysOtherwise(final String agentStore) {
        final Map<String, String> environment = new HashMap<>(COMPLETE);
        environment.put("TORCHELASTIC_USE_AGENT_STORE", agentStore);
        assertEquals(29500, WorldInfo.fromEnvironment(environment).masterPort());
    }

    @Test
    void besideTorchrunsStoreEveryPortGivesALegalOtherOneAndAdjacentOnesDiffer() {
        int last = -1;
        for (int port = 1; port <= 65535; port++) {
            final Map<String, String> environment = new HashMap<>(with("MASTER_PORT", Integer.toString(port)));
            environment.put("TORCHELASTIC_USE_AGENT_STORE", port % 2 == 0 ? "True" : "true");
            final WorldInfo info = WorldInfo.fromEnvironment(environment);
            assertTrue(info.masterPort() >= 20_000 && info.masterPort() < 29_000, "port " + info.masterPort());
            assertNotEquals(port, info.masterPort());
            assertNotEquals(last, info.masterPort());
            assertTrue(info.source().contains("MASTER_PORT=" + port), info.source());
            assertTrue(info.portRemedy().contains("--master-port"), info.portRemedy());
            last = info.masterPort();
        }
    }

    @Test
    void withoutALauncherTheErrorListsThoseUnderstood() {
        final String message = refusal(Map.of("PATH", "/bin", "SLURM_NTASKS", "2"));
        for (final String launcher : new String[]{"RANK is not set", "torchrun", "chagres launch", "mpirun", "mpiexec",
                "srun", "Kubernetes", "World.threads(n)" }) {
            assertTrue(message.contains(launcher), message);
        }
        assertEquals(Optional.empty(), WorldInfo.find(Map.of("WORLD_SIZE", "8")));
        assertTrue(refusal(Map.of("WORLD_SIZE", "8")).startsWith("RANK is not set, but WORLD_SIZE=8 is"));
    }
}
