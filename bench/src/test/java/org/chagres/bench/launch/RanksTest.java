package org.chagres.bench.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Real shells, here and behind a program that stands for ssh. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RanksTest {
    private static final Duration GRACE = Duration.ofSeconds(10);

    @TempDir
    private Path folder;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private Path ssh;

    @BeforeEach
    void makeSsh() throws IOException {
        ssh = folder.resolve("ssh");
        // As sshd does: a new session, the user's shell, nothing of the caller's environment.
        Files.writeString(ssh, "#!/bin/sh\necho \"$*\" >>" + folder
                + "/ssh.log\n[ \"$1\" != down ] || exit 255\nexec setsid -w env -i PATH=\"$PATH\" sh -c \"$2\"\n");
        Files.setPosixFilePermissions(ssh, PosixFilePermissions.fromString("rwx------"));
    }

    private int run(final int ranks, final String hosts, final Duration grace, final String... command) {
        return run(ranks, hosts, grace, out, command);
    }

    private int run(final int ranks, final String hosts, final Duration grace, final OutputStream stdout,
            final String... command) {
        final Job job = new Job(List.of(command), Placement.blocks(ranks, Host.list(hosts)), "h0", 7, "w", "s3cret",
                List.of(ssh.toString()), Map.of("DIR", folder.toString()), Map.of("CHAGRES_TIMEOUT", "9"));
        final Object lock = new Object();
        return new Ranks(job, new LineSink(stdout, lock), new LineSink(err, lock), true, grace).run();
    }

    private List<String> sorted(final ByteArrayOutputStream text) {
        return text.toString(StandardCharsets.UTF_8).lines().sorted().toList();
    }

    /** Whether a process that a rank noted down still runs; one that waits to be reaped does not. */
    private static boolean runs(final Path pidFile) throws IOException {
        final Path status = Path.of("/proc", Files.readString(pidFile).strip(), "stat");
        try {
            return !Files.readString(status).replaceFirst(".*\\) ", "").startsWith("Z");
        } catch (final IOException e) {
            return false;
        }
    }

    private static void assertEnds(final Path pidFile) throws IOException, InterruptedException {
        for (int i = 0; i < 100 && runs(pidFile); i++) {
            Thread.sleep(50);
        }
        assertFalse(runs(pidFile), pidFile + " still runs");
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "h0", "h0,h1", "h0,localhost" })
    void everyRankRunsAndItsLinesCarryItsNumber(final String hosts) {
        final int status = run(3, hosts, GRACE, "sh", "-c",
                "echo \"$RANK of $WORLD_SIZE: $CHAGRES_SECRET $1 $(pwd)\"; printf 'late %s' $RANK >&2", "sh",
                "it's $1 \"!");
        final String there = ": s3cret it's $1 \"! " + System.getProperty("user.dir");
        assertEquals(0, status, err.toString(StandardCharsets.UTF_8));
        assertEquals(List.of("[0] 0 of 3" + there, "[1] 1 of 3" + there, "[2] 2 of 3" + there), sorted(out));
        assertEquals(List.of("[0] late 0", "[1] late 1", "[2] late 2"), sorted(err));
    }

    @Test
    void noSecretIsOnACommandLine() throws IOException {
        run(2, "h0,localhost", GRACE, "sh", "-c",
                "ps -eo args | grep -c '[s]3cret' >$DIR/count$RANK; echo $CHAGRES_TIMEOUT");
        assertEquals("0", Files.readString(folder.resolve("count0")).strip());
        assertEquals("0", Files.readString(folder.resolve("count1")).strip());
        assertTrue(sorted(out).contains("[0] 9"), out.toString(StandardCharsets.UTF_8));
        assertFalse(Files.readString(folder.resolve("ssh.log")).contains("s3cret"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {"localhost; exit 3; 3; rank 1 exited with 3",
            "h0; exit 3; 3; rank 1 on h0 exited with 3", "localhost; kill -9 $$; 137; rank 1 was killed by signal 9",
            "h0; kill -9 $$; 137; rank 1 on h0 was killed by signal 9",
            "localhost; kill -2 $$; 130; rank 1 was killed by signal 2",
            "localhost; kill -15 $$; 143; rank 1 was killed by signal 15",
            "localhost; kill -9 $PPID; 137; rank 1 was killed by signal 9" })
    void theFirstFailureIsToldAndPassedOn(final String hosts, final String how, final int status, final String told) {
        // The others fail too, later and differently.
        final int code = run(3, hosts, GRACE, "sh", "-c",
                "[ $RANK != 1 ] || { sleep 0.2; " + how + "; }; sleep 1; exit 9");
        assertEquals(status, code);
        assertEquals(List.of("chagres: " + told), sorted(err));
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "h0" })
    void ranksThatDoNotEndAreKilledWithTheirChildren(final String hosts) throws Exception {
        final int status = run(2, hosts, Duration.ofMillis(300), "sh", "-c",
                "trap '' TERM; sleep 300 & echo $! >$DIR/child$RANK; [ $RANK != 1 ] || exit 4; wait; sleep 300");
        assertEquals(4, status);
        assertTrue(sorted(err).getLast().contains("now killed: rank 0"), sorted(err).toString());
        assertEnds(folder.resolve("child0"));
        assertEnds(folder.resolve("child1"));
    }

    @Test
    void theOthersMayEndByThemselvesAndHaveTheirLastWords() {
        final int status = run(2, "localhost", GRACE, "sh", "-c",
                "[ $RANK != 1 ] || exit 4; sleep 0.5; echo rank 1 has failed >&2; exit 5");
        assertEquals(4, status);
        assertEquals(List.of("[0] rank 1 has failed", "chagres: rank 1 exited with 4"), sorted(err));
    }

    @Test
    void ranksAreAskedBeforeTheyAreKilled() {
        run(2, "h0,localhost", Duration.ZERO, "sh", "-c",
                "trap 'echo asked; exit 0' TERM; [ $RANK != 1 ] || { sleep 0.5; exit 4; }; sleep 300 & wait");
        assertEquals(List.of("[0] asked"), sorted(out));
    }

    @Test
    void aRankThatEndsTakesWhatItLeftRunningWithIt() throws Exception {
        assertEquals(0, run(1, "localhost", GRACE, "sh", "-c", "sleep 300 & echo $! >$DIR/child"));
        assertEnds(folder.resolve("child"));
    }

    @Test
    void aHostThatCannotBeReachedIsNamed() {
        final int status = run(12, "down", GRACE, "true");
        assertEquals(255, status);
        assertTrue(
                sorted(err).getLast().matches("chagres: rank \\d+ could not be started on down: ssh exited with 255.*"),
                sorted(err).toString());
    }

    @Test
    void aProgramThatDoesNotExistIsStatus127() {
        assertEquals(127, run(1, "localhost", GRACE, "no-such-program"));
        assertTrue(sorted(err).getFirst().contains("no-such-program"), sorted(err).toString());
    }

    @Test
    void moreRanksOnAHostThanMayConnectAtOnceAllStart() {
        assertEquals(0, run(20, "h0", GRACE, "sh", "-c", "echo here"));
        assertEquals(20, sorted(out).size());
    }

    @Test
    void whenNobodyReadsTheOutputTheRanksEnd() {
        final OutputStream closed = new OutputStream() {
            @Override
            public void write(final int b) throws IOException {
                throw new IOException("Broken pipe");
            }
        };
        assertEquals(141, run(2, "localhost", GRACE, closed, "sh", "-c", "echo a; sleep 300"));
    }
}
