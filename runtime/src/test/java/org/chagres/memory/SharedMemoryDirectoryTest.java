package org.chagres.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code CHAGRES_SHM_DIR}: a directory that is missing, no directory, full, or fine. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SharedMemoryDirectoryTest {
    private static final Path SHM = Path.of("/dev/shm");

    private final Holdings before = Holdings.now();

    @TempDir
    private Path directory;

    @Test
    void aMissingDirectoryAndAFileAreRefused() throws Exception {
        for (final Path wrong : List.of(directory.resolve("missing"), Files.createFile(directory.resolve("file")))) {
            final String message = assertThrows(IllegalArgumentException.class, () -> new MemoryDomain(in(wrong)))
                    .getMessage();
            assertTrue(message.contains("CHAGRES_SHM_DIR=" + wrong) && message.contains("not a directory"), message);
        }
        assertEquals(before, Holdings.now());
    }

    @Test
    void aFileSystemThatCannotBeWrittenIsRefused() {
        final String message = assertThrows(IllegalStateException.class, () -> new MemoryDomain(in(Path.of("/proc"))))
                .getMessage();
        assertTrue(message.contains("CHAGRES_SHM_DIR=/proc") && message.contains("unset it"), message);
        assertEquals(before, Holdings.now());
    }

    @Test
    void worksInATmpfsAndLeavesNothingThere() throws Exception {
        assumeTrue(Files.isWritable(SHM), "there is no writable /dev/shm");
        final List<String> files = list(SHM);
        try (MemoryDomain domain = new MemoryDomain(in(SHM))) {
            final Region region = domain.allocate(5000, PageSize.BASE);
            region.segment().set(ValueLayout.JAVA_BYTE, 4999, (byte) 1);
            assertEquals(files, list(SHM), "the files have no name even while they are open");
            try (PeerMemory peer = new PeerMemory(domain.address())) {
                assertEquals(1 << 24, Memory.getInt(peer.resolve(region.token(), 4996, 4)));
            }
        }
        assertEquals(files, list(SHM));
        assertEquals(before, Holdings.now());
    }

    @Test
    void aFullTmpfsIsAnExceptionThatSaysHowMuchAndWhere() throws Exception {
        final Path mount = Files.createDirectory(directory.resolve("tiny"));
        assumeTrue(run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", mount.toString()) == 0,
                "mounting a small tmpfs needs root");
        try {
            try (MemoryDomain domain = new MemoryDomain(in(mount))) {
                final Region fits = domain.allocate(512 << 10, PageSize.BASE);
                for (final PageSize pages : PageSize.values()) {
                    final String message = assertThrows(MemoryExhaustedException.class,
                            () -> domain.allocate(2 << 20, pages)).getMessage();
                    assertTrue(
                            message.contains("2097152") && message.contains("CHAGRES_SHM_DIR=" + mount)
                                    && message.contains("remount"),
                            message);
                }
                fits.segment().fill((byte) 1);
                assertSame(fits, domain.find(fits.address(), fits.length()));
                fits.close();
                domain.allocate(512 << 10, PageSize.BASE).close();
            }
            assertEquals(before, Holdings.now());
        } finally {
            run("umount", mount.toString());
        }
    }

    @Test
    void aTmpfsTooSmallForEvenTheTableIsAnException() throws Exception {
        final Path mount = Files.createDirectory(directory.resolve("tiny"));
        assumeTrue(run("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", mount.toString()) == 0,
                "mounting a small tmpfs needs root");
        try {
            final String message = assertThrows(MemoryExhaustedException.class, () -> new MemoryDomain(in(mount)))
                    .getMessage();
            assertTrue(message.contains("CHAGRES_SHM_DIR=" + mount), message);
            assertEquals(before, Holdings.now());
        } finally {
            run("umount", mount.toString());
        }
    }

    private static Map<String, String> in(final Path directory) {
        return Map.of("CHAGRES_SHM_DIR", directory.toString());
    }

    private static List<String> list(final Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(Path::toString).sorted().toList();
        }
    }

    private static int run(final String... command) throws Exception {
        try {
            return new ProcessBuilder(command).redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (final IOException e) {
            return -1;
        }
    }
}
