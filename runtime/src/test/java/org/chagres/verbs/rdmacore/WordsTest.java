package org.chagres.verbs.rdmacore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.chagres.bindings.Errno;
import org.chagres.verbs.VerbsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Errors say what was tried, what happened, and what to do. */
class WordsTest {
    private static void assertWords(final String text, final String... words) {
        for (final String word : words) {
            assertTrue(text.contains(word), () -> "'" + word + "' is not in: " + text);
        }
    }

    @Test
    void aLowLimitOfLockedMemoryIsNamedWithItsRemedies() {
        final String advice = LockedMemory.advice(
                List.of("Limit                     Soft Limit           Hard Limit           Units     ",
                        "Max locked memory         65536                8388608              bytes     "),
                List.of("VmLck:\t      12 kB", "VmPin:\t     2048 kB"));
        assertWords(advice, "65536 bytes", "pinned for devices 2048 KiB", "locked 12 KiB", "ulimit -l unlimited",
                "limits.conf", "LimitMEMLOCK",
                "--ulimit memlock=-1", "CAP_IPC_LOCK");
    }

    @Test
    void withoutALimitTheAdviceIsAnother() {
        final String advice = LockedMemory.advice(
                List.of("Max locked memory         unlimited            unlimited            bytes"), List.of());
        assertWords(advice, "is unlimited", "out of memory", "pinned for devices unknown");
        assertTrue(!advice.contains("ulimit -l unlimited"), advice);
    }

    @Test
    void thisProcessHasFigures() {
        assertTrue(!LockedMemory.advice().contains("unknown"), LockedMemory::advice);
    }

    @Test
    void aFailedCallCarriesCallErrnoAndCause() {
        final VerbsException failure = Failures.of("4096 bytes cannot be registered", "ibv_reg_mr", Errno.ENOMEM);
        assertEquals("ibv_reg_mr", failure.call());
        assertEquals(Errno.ENOMEM, failure.errno());
        assertWords(failure.getMessage(), "4096 bytes", "ibv_reg_mr failed with ENOMEM (12", "locked memory");
        assertWords(Failures.of("x", "y", Errno.EBUSY).getMessage(), "still uses it");
        assertWords(Failures.of("x", "y", Errno.ENODEV, "a hint").getMessage(), "a hint");
        Failures.check(0, "x", "y");
    }

    @Test
    void anUnusableDeviceFileIsDescribed(@TempDir final Path folder) throws java.io.IOException {
        final Path file = java.nio.file.Files.createFile(folder.resolve("uverbs0"),
                java.nio.file.attribute.PosixFilePermissions
                        .asFileAttribute(java.nio.file.attribute.PosixFilePermissions.fromString("rw-r-----")));
        assertWords(DeviceFile.advice(Optional.of(file)), file.toString(), "mode rw-r-----", "group ", "0666",
                "may not open it", "--device");
        assertWords(DeviceFile.advice(Optional.of(folder.resolve("absent"))), "does not exist", "ib_uverbs");
        assertWords(DeviceFile.advice(Optional.empty()), "ib_uverbs");
    }

    @Test
    void aDeviceThatOnlyTheKernelHasIsNamed() {
        assertWords(RdmaCoreProvider.noDevice(List.of()), "no RDMA device", "modprobe rdma_rxe");
        assertWords(RdmaCoreProvider.noDevice(List.of("mlx5_0")), "[mlx5_0]", "/dev/infiniband/uverbs",
                "ibverbs-providers");
    }

    @Test
    void connectionManagerSaysWhyItIsNotThere() {
        new RdmaCoreProvider().connectionManagerUnavailable()
                .ifPresent(reason -> assertTrue(reason.length() > 20, reason));
    }
}
