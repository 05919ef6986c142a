package org.chagres.bench.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.chagres.bench.ExitCode;
import org.chagres.bench.Main;
import org.chagres.verbs.Verbs;
import org.chagres.verbs.VerbsProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands over a device, with both ends in this process. */
@Tag("rdma")
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class OnDeviceTest {
    @TempDir
    private Path folder;

    @BeforeAll
    static void device() {
        assumeTrue(
                Verbs.providers().stream().map(VerbsProvider::unavailable).anyMatch(Optional::isEmpty),
                "needs an RDMA device, run it with lab/vm");
    }

    @Test
    void devicesAreShown() {
        assertEquals(ExitCode.OK, Main.run("devices", "-v"));
        assertEquals(ExitCode.USAGE, Main.run("devices", "-d", "no-such-device"));
    }

    @ParameterizedTest
    @CsvSource({"write --lat -s 64", "write --lat -s 1000 -I 0", "send --lat -s 64", "read --lat -s 64", "atomic --lat",
            "write --bw -s 4096 -q 3 -t 10 -Q 4 -l 3", "send --bw -s 2 -q 2", "read --bw -s 10000",
            "atomic --bw -A CMP_AND_SWAP" })
    void everyTestRunsAndAllocatesNothing(final String test) throws IOException {
        final Path json = folder.resolve("result.json");
        final String line = "perf-verbs " + test + " -n 203 -w 400 --loopback --json " + json;
        assertEquals(ExitCode.OK, Main.run(line.split(" ", -1)), line);
        final Map<String, Object> report = JSON.std.mapFrom(Files.readString(json));
        final Map<?, ?> row = (Map<?, ?>) ((List<?>) report.get("rows")).getFirst();
        assertEquals(test.contains("-q 3") ? 609 : test.contains("-q 2") ? 406 : 203, row.get("iterations"));
        assertEquals(0, row.get("allocated_bytes"), line);
    }

    @Test
    void longerMessagesFollowShorterOnes() {
        assertEquals(ExitCode.OK, Main.run("perf-verbs send --bw -n 5 -w 0 -t 4 -a --loopback".split(" ", -1)));
        assertEquals(ExitCode.OK, Main.run("perf-verbs write --lat -n 5 -w 0 -a --loopback".split(" ", -1)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-n 20", "-n 20 -e", "-n 7 -e -r 2 -s 100000 -m 4096", "-n 5 -r 1 -s 1 -c" })
    void bothEndsOfPingpong(final String options) throws Exception {
        final int port = freePort();
        final FutureTask<Integer> server = new FutureTask<>(
                () -> Main.run(("pingpong -p " + port + " " + options).split(" ", -1)));
        Thread.ofPlatform().daemon().start(server);
        int code = ExitCode.USAGE;
        for (int attempt = 0; attempt < 100 && code == ExitCode.USAGE; attempt++) {
            TimeUnit.MILLISECONDS.sleep(100);
            code = Main.run(("pingpong -p " + port + " " + options + " 127.0.0.1").split(" ", -1));
        }
        assertEquals(ExitCode.OK, code);
        assertEquals(ExitCode.OK, server.get());
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            return free.getLocalPort();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"pingpong -g 200", "pingpong -i 2", "pingpong -d none", "pingpong -s 2000000000",
            "perf-verbs write --lat --loopback -x 200", "perf-verbs write --bw --loopback -s 2000000000" })
    void whatTheDeviceHasNotIsRefusedInOneLine(final String line) {
        final PrintStream before = System.err;
        final ByteArrayOutputStream err = new ByteArrayOutputStream();
        try (PrintStream caught = new PrintStream(err, true, StandardCharsets.UTF_8)) {
            System.setErr(caught);
            assertEquals(ExitCode.USAGE, Main.run(line.split(" ", -1)), line);
        } finally {
            System.setErr(before);
        }
        final String text = err.toString(StandardCharsets.UTF_8);
        assertEquals(1, text.lines().count(), text);
        assertTrue(text.startsWith("chagres: "), text);
    }
}
