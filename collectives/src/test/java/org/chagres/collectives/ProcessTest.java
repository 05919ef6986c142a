package org.chagres.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranks that are real processes. */
@Timeout(value = 90, unit = TimeUnit.SECONDS)
class ProcessTest {
    private static final int SIZE = 3;
    private static final int FAILED = 3;
    private static final long SOON_S = 5;

    private static List<String> sharedMemory() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/dev/shm"))) {
            return files.map(Path::toString).sorted().toList();
        }
    }

    private static void end(final List<Process> ranks) {
        ranks.forEach(Process::destroyForcibly);
        ranks.forEach(rank -> rank.onExit().join());
    }

    @Test
    void processesComputeTogether() throws Exception {
        final List<Process> ranks = RankProcess.start(SIZE, "work");
        try {
            for (final Process rank : ranks) {
                final String said = new String(rank.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                assertEquals(0, rank.waitFor(), said);
                assertTrue(said.endsWith("done\n"), said);
            }
        } finally {
            end(ranks);
        }
    }

    /** SIGKILL in the middle of operations: the others name the dead within seconds, and nothing remains. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1 })
    void theOthersEndSoonAfterOneIsKilledAndNothingRemains(final int victim) throws Exception {
        final List<String> before = sharedMemory();
        final List<Process> ranks = RankProcess.start(SIZE, "loop");
        try {
            for (final Process rank : ranks) {
                awaitLooping(rank);
            }
            Thread.sleep(200);
            ranks.get(victim).destroyForcibly();
            assertOthersName(victim, ranks);
        } finally {
            end(ranks);
        }
        assertEquals(before, sharedMemory());
        ranks.forEach(rank -> assertFalse(rank.isAlive()));
    }

    /** Killed, or stopped for longer than the deadline: it does not respond, is expelled, and learns of it when it wakes up. */
    @ParameterizedTest
    @CsvSource({"KILL, shm", "STOP, tcp" })
    void theOthersShrinkAndGoOn(final String signal, final String transport) throws Exception {
        final List<String> before = sharedMemory();
        final List<Process> ranks = RankProcess.start(SIZE, "survive", Map.of("CHAGRES_TRANSPORT", transport));
        try {
            for (final Process rank : ranks) {
                awaitLooping(rank);
            }
            Thread.sleep(200);
            signal(signal, ranks.get(1));
            final StringBuilder said = new StringBuilder();
            for (final int survivor : new int[]{0, 2 }) {
                final String line = ranks.get(survivor).inputReader(StandardCharsets.UTF_8).readLine();
                said.append(line).append('\n');
                assertTrue(line.startsWith("2 left after "), line);
                assertEquals(0, ranks.get(survivor).waitFor(), line);
            }
            // Who stops is late, and at first only for those that wait for it.
            assertTrue(said.indexOf("rank 1 (host ") > 0 && said.indexOf("KILL".equals(signal)
                    ? "PeerFailedException"
                    : "its process does not respond") > 0, said::toString);
            signal("CONT", ranks.get(1));
            if ("STOP".equals(signal)) {
                final String line = ranks.get(1).inputReader(StandardCharsets.UTF_8).readLine();
                assertTrue(line.startsWith("failed 1: ") && line.contains("counts as failed for the others"), line);
            }
        } finally {
            end(ranks);
        }
        assertEquals(before, sharedMemory());
    }

    private static void signal(final String name, final Process rank) throws Exception {
        new ProcessBuilder("kill", "-" + name, "" + rank.pid()).start().waitFor();
    }

    @Test
    void theOthersEndSoonAfterOneHasLeft() throws Exception {
        final List<Process> ranks = RankProcess.start(SIZE, "leave");
        try {
            for (final Process rank : ranks) {
                awaitLooping(rank);
            }
            assertOthersName(1, ranks);
        } finally {
            end(ranks);
        }
    }

    private static void awaitLooping(final Process rank) throws IOException {
        final BufferedReader said = rank.inputReader(StandardCharsets.UTF_8);
        for (String line = said.readLine(); !"looping".equals(line); line = said.readLine()) {
            assertTrue(line != null, "the rank ended before it began");
        }
    }

    private static void assertOthersName(final int gone, final List<Process> ranks) throws Exception {
        for (int r = 0; r < SIZE; r++) {
            if (r != gone) {
                assertTrue(ranks.get(r).waitFor(SOON_S, TimeUnit.SECONDS), "rank " + r + " has not ended");
                final String line = ranks.get(r).inputReader(StandardCharsets.UTF_8).readLine();
                assertEquals(FAILED, ranks.get(r).exitValue(), line);
                // Whoever ends by this error leaves in turn, and a third rank may hear of that first.
                assertTrue(line.startsWith("failed "), line);
            }
        }
    }
}
