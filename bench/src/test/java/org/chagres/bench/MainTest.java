package org.chagres.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class MainTest {
    private final StringWriter err = new StringWriter();
    private final StringWriter out = new StringWriter();

    private int run(final String line) {
        final CommandLine commandLine = Main.commandLine();
        commandLine.setErr(new PrintWriter(err)).setOut(new PrintWriter(out));
        return commandLine.execute(line.isEmpty() ? new String[0] : line.split(" ", -1));
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {"''; no command", "frobnicate; frobnicate", "perf; COLLECTIVE",
            "perf all_sum; all_sum", "perf all_reduce --ranks 0; --ranks 0", "perf all_reduce --ranks -3; --ranks -3",
            "perf all_reduce --ranks two; two", "perf all_reduce -d float31; float31",
            "perf all_reduce -o median; median", "perf all_reduce -o mulsum:0.3; mulsum:0.3",
            "perf broadcast --ranks 2 -r 2; -r 2", "perf broadcast --ranks 2 -r -2; -r -2",
            "perf broadcast -r first; first", "perf all_reduce -b 12Q; 12Q", "perf all_reduce -b -8; -8",
            "perf all_reduce -b 16 -e 8; -b 16", "perf all_reduce -b 8 -e 16 -f 0; -f 0",
            "perf all_reduce -b 0 -e 16 -f 2; -b 0", "perf all_reduce -b 8 -e 16 -i 0; -i 0",
            "perf all_reduce -n 0; -n 0", "perf all_reduce -w -1; -w -1", "perf all_reduce -c -1; -c -1",
            "perf all_reduce -a 4; -a 4", "perf all_reduce -b 9999999G; 9999999G",
            "perf all_reduce -b 1000G -e 1000G --ranks 1000; GiB",
            "perf all_reduce --json /no/such/folder/x.json; /no/such/folder/x.json", "perf all_reduce --frob; --frob",
            "explain all_reduce --ranks 2 --rank 2; --rank 2", "explain all_reduce --ranks 0; --ranks 0",
            "explain send_recv --ranks 3; --ranks 3",
            "perf all_reduce --join --threads; --join", "perf all_reduce --join; RANK is not set", "launch; COMMAND",
            "launch -n 2; COMMAND", "launch true; --ranks", "launch -n 0 true; -n 0", "launch -n two true; two",
            "launch -n 2 --hosts a:0 true; a:0", "launch -n 2 --master-port 0 true; --master-port 0",
            "launch -n 2 --secret-file /no/such true; /no/such", "launch -n 2 --grace -1 true; --grace -1",
            "explain all_reduce --hosts 2,0; a host with 0 ranks", "explain all_reduce --hosts 2,two; two",
            "explain all_reduce --hosts 2,2 --ranks 3; --ranks 3", "explain all_reduce --hosts 2,2 --rank 4; --rank 4",
            "compare -b 7; -b 7", "compare --ranks 1; --ranks 1", "compare --rounds 0; --rounds 0",
            "devices --frob; --frob", "devices -d; -d", "pingpong a b; b", "pingpong -s 0; -s 0",
            "pingpong -s 99999999999; 99999999999", "pingpong -m 1500; 1500", "pingpong -r 0; -r 0",
            "pingpong -n -1; -n -1", "pingpong -l 16; -l 16", "pingpong -g -1; -g -1", "pingpong -p 0; -p 0",
            "pingpong -p 65536; -p 65536", "pingpong --odp; -o", "pingpong -t; -t", "perf-verbs; VERB",
            "perf-verbs write; --lat", "perf-verbs write --lat --bw; --bw", "perf-verbs fly --lat; fly",
            "perf-verbs write --lat -q 2; -q 2", "perf-verbs write --lat -n 4; -n 4",
            "perf-verbs write --bw -t 0; -t 0", "perf-verbs write --bw -s 0; -s 0",
            "perf-verbs write --bw -a -s 2; -a", "perf-verbs atomic --lat -s 16; -s 16",
            "perf-verbs atomic --lat -a; 8 bytes", "perf-verbs atomic --lat -A XOR; XOR",
            "perf-verbs write --bw -m 9000; 9000", "perf-verbs write --bw -I -1; -I -1",
            "perf-verbs write --bw -S 16; -S 16", "perf-verbs write --bw -w -1; -w -1",
            "perf-verbs write --bw -x -1; -x -1", "perf-verbs write --bw -p 0; -p 0",
            "perf-verbs write --bw --loopback h; h", "perf-verbs write --bw -Q 129; -Q 129",
            "perf-verbs write --bw -l 129; -l 129", "perf-verbs write --bw -D 10; -D" })
    void badInputIsOneLineAndExitCode2(final String line, final String named) {
        assertEquals(ExitCode.USAGE, run(line), line);
        final String text = err.toString();
        assertEquals(1, text.lines().count(), text);
        assertTrue(text.startsWith("chagres: "), text);
        assertTrue(text.contains(named), text);
        assertFalse(text.contains("Exception"), text);
        assertEquals("", out.toString());
    }

    @Test
    void traceShowsWhereAnErrorComesFrom() {
        assertEquals(ExitCode.USAGE, run("perf all_reduce -d float31 --trace"));
        assertTrue(err.toString().contains("\tat "), err.toString());
    }

    @ParameterizedTest
    @CsvSource({"--help", "perf --help", "launch --help", "compare --help", "explain --help", "devices --help",
            "pingpong --help", "perf-verbs --help", "version" })
    void helpAndVersionAreOnStdout(final String line) {
        assertEquals(ExitCode.OK, run(line.replace(',', ' ')));
        assertEquals("", err.toString());
        assertFalse(out.toString().isBlank());
    }

    @Test
    void explainShowsWhatLeavesAHost() {
        assertEquals(ExitCode.OK, run("explain all_reduce --hosts 2,2 --rank 3 -b 8"));
        final String text = out.toString();
        assertTrue(text.contains("over 4 ranks, rank 3: hierarchical_direct"), text);
        assertTrue(
                text.contains(
                        "2 hosts, this rank on host 1; bytes to other hosts: 0 of this rank, 8 of its host, 16 in all"),
                text);
    }

    @Test
    void versionIsFilledInByTheBuild() {
        run("version");
        assertTrue(out.toString().matches("(?s)Chagres \\d+\\..*"), out.toString());
    }
}
