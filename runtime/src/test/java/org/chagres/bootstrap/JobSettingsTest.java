package org.chagres.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.chagres.logs.RecordedLogs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The secret, the world's name and the host's identity, as the environment sets them. */
class JobSettingsTest {
    @TempDir
    Path directory;

    private static String refusal(final Map<String, String> environment) {
        return assertThrows(IllegalArgumentException.class, () -> Secret.of(environment)).getMessage();
    }

    private Path file(final String content, final String permissions) throws IOException {
        final Path file = directory.resolve("secret");
        Files.writeString(file, content);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
        return file;
    }

    @Test
    void aFileIsReadWithoutTheSpaceAroundIt() throws Exception {
        RecordedLogs.clear();
        final Path file = file("  a b\n", "rw-r-----");
        try (Ranked job = new Ranked(2)) {
            final var zero = job.join(0, "CHAGRES_SECRET_FILE", file.toString());
            final var one = job.join(1, "CHAGRES_SECRET", "a b");
            assertEquals(1, one.join().rank());
            assertEquals(0, zero.join().rank());
        }
        assertTrue(Secret.of(Map.of("CHAGRES_SECRET_FILE", file.toString(), "CHAGRES_REQUIRE_SECRET", "1")).set());
        assertEquals(0, RecordedLogs.lines("").size());
    }

    @Test
    void aFileThatEverybodyCanReadIsWarnedOf() throws IOException {
        RecordedLogs.clear();
        Secret.of(Map.of("CHAGRES_SECRET_FILE", file("x", "rw-r--r--").toString()));
        assertEquals(1, RecordedLogs.lines("readable by everybody").size());
    }

    @Test
    void unusableSecretsAreRefused() throws IOException {
        assertTrue(refusal(Map.of("CHAGRES_SECRET_FILE", directory.resolve("absent").toString()))
                .contains("absent cannot be read"));
        assertTrue(refusal(Map.of("CHAGRES_SECRET_FILE", file(" \n", "rw-------").toString())).contains("is empty"));
        assertTrue(refusal(Map.of("CHAGRES_SECRET", "")).contains("is empty"));
        assertTrue(refusal(Map.of("CHAGRES_SECRET", "a", "CHAGRES_SECRET_FILE", "b")).contains("both set"));
        assertTrue(refusal(Map.of("CHAGRES_REQUIRE_SECRET", "1")).contains("CHAGRES_SECRET_FILE"));
        assertFalse(Secret.of(Map.of("CHAGRES_REQUIRE_SECRET", "0")).set());
        assertFalse(Secret.of(Map.of()).set());
    }

    @Test
    void theWorldIsNamedByTheLauncher() {
        assertEquals("default", WorldName.of(Map.of()));
        assertEquals("ns", WorldName.of(Map.of("PMIX_NAMESPACE", "ns")));
        assertEquals("7", WorldName.of(Map.of("SLURM_JOB_ID", "7")));
        assertEquals("7.2", WorldName.of(Map.of("SLURM_JOB_ID", "7", "SLURM_STEP_ID", "2", "PMIX_NAMESPACE", "ns")));
        assertEquals("7.3", WorldName.of(Map.of("SLURM_JOB_ID", "7", "SLURM_STEPID", "3")));
        assertEquals("t", WorldName.of(Map.of("SLURM_JOB_ID", "7", "TORCHELASTIC_RUN_ID", "t")));
        assertEquals("w", WorldName.of(Map.of("CHAGRES_WORLD", " w ", "TORCHELASTIC_RUN_ID", "t")));
    }

    @Test
    void theHostIsKernelAndNamespaces() throws IOException {
        final String here = HostIdentity.of(Map.of());
        assertTrue(here.contains("pid:[") && here.contains("net:["), here);
        assertEquals(here, HostIdentity.of(Map.of("CHAGRES_HOSTID", "")));
        assertEquals("n", HostIdentity.of(Map.of("NCCL_HOSTID", "n")));
        assertEquals("c", HostIdentity.of(Map.of("NCCL_HOSTID", "n", "CHAGRES_HOSTID", " c ")));
        assertNotEquals(here, HostIdentity.of(Map.of("NCCL_HOSTID", "n")));
        assertThrows(IllegalArgumentException.class,
                () -> HostIdentity.of(Map.of("CHAGRES_HOSTID", "x".repeat(513))));
        assertFalse(HostIdentity.hostName().isBlank());
    }
}
