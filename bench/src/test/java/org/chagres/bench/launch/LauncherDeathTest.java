package org.chagres.bench.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.chagres.bench.Main;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The launcher as a process of its own, which dies in the ways that processes do. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class LauncherDeathTest {
    private static final int SIGTERM_STATUS = 143;

    @TempDir
    private Path folder;
    private Process launcher;

    @AfterEach
    void stop() {
        launcher.destroyForcibly();
    }

    /** Starts two ranks, one of them as if on another host, each with a child, and waits until all run. */
    private void start(final String prelude) throws IOException, InterruptedException {
        final List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC", "-XX:-UsePerfData", "-cp", System.getProperty("java.class.path"),
                Main.class.getName(),
                "launch", "-n", "2", "--hosts", "h0,localhost", "-x", "DIR=" + folder, "sh", "-c",
                prelude + " sleep 300 & echo $! >$DIR/child$RANK.tmp; echo $$ >$DIR/rank$RANK; mv $DIR/child$RANK.tmp $DIR/child$RANK; wait"));
        final ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true)
                .redirectOutput(folder.resolve("out").toFile());
        // What stands for ssh here, as sshd does there: a session of its own and nothing of the caller's environment.
        final Path ssh = Files.writeString(folder.resolve("ssh"),
                "shift; exec setsid -w env -i PATH=\"$PATH\" sh -c \"$1\"\n");
        builder.environment().put("CHAGRES_SSH", "sh " + ssh);
        launcher = builder.start();
        for (final String name : List.of("child0", "child1")) {
            while (!Files.exists(folder.resolve(name))) {
                assertTrue(launcher.isAlive(), () -> "the launcher ended: " + output());
                Thread.sleep(20);
            }
        }
    }

    private String output() {
        try {
            return Files.readString(folder.resolve("out"));
        } catch (final IOException e) {
            return e.toString();
        }
    }

    /** One that waits to be reaped has ended. */
    private boolean runs(final String pidFile) throws IOException {
        final String pid = Files.readString(folder.resolve(pidFile)).strip();
        try {
            return !Files.readString(Path.of("/proc", pid, "stat")).replaceFirst(".*\\) ", "").startsWith("Z");
        } catch (final IOException e) {
            return false;
        }
    }

    private void assertNothingIsLeft() throws IOException, InterruptedException {
        for (final String name : List.of("rank0", "rank1", "child0", "child1")) {
            for (int i = 0; i < 200 && runs(name); i++) {
                Thread.sleep(20);
            }
            assertFalse(runs(name), name + " survived");
        }
    }

    @Test
    void killedTheLauncherLeavesNoRankAndNoChild() throws Exception {
        start("trap '' TERM INT HUP;");
        launcher.destroyForcibly().waitFor();
        assertNothingIsLeft();
    }

    @Test
    void terminatedTheLauncherAsksTheRanksFirst() throws Exception {
        start("trap 'echo asked; exit 7' TERM;");
        launcher.destroy();
        assertEquals(SIGTERM_STATUS, launcher.waitFor());
        assertNothingIsLeft();
        assertEquals(List.of("[0] asked", "[1] asked"), output().lines().sorted().toList());
    }
}
