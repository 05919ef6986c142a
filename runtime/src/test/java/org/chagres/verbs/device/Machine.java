package org.chagres.verbs.device;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The machine's own tools: what the kernel holds, and commands of root. */
final class Machine {
    private static final Pattern COUNT = Pattern.compile("\"(pd|cq|qp|cm_id|mr|ctx|srq)\":(\\d+)");

    private Machine() {
    }

    /** How a command ended, and what it printed, both streams together. */
    record Result(int status, String output) {}

    /** Runs a command to its end. */
    static Result run(final List<String> command) {
        try {
            final Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Result(process.waitFor(), output);
        } catch (final IOException e) {
            return new Result(-1, e.getMessage());
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Result(-1, "interrupted");
        }
    }

    /** Runs a command that must succeed. */
    static String command(final String... command) {
        final Result result = run(List.of(command));
        if (result.status() != 0) {
            throw new AssertionError(String.join(" ", command) + ": " + result.output());
        }
        return result.output();
    }

    /** What the kernel holds for RDMA, all processes together, by kind. */
    static Map<String, Integer> resources() {
        final Map<String, Integer> counts = new TreeMap<>();
        COUNT.matcher(command("rdma", "-j", "resource", "show"))
                .results()
                .forEach(match -> counts.merge(match.group(1), Integer.parseInt(match.group(2)), Integer::sum));
        return counts;
    }

    /** Skips a test that changes the machine unless it runs as root on a machine that was made for tests. */
    static void assumeMayBeChanged() {
        assumeTrue(
                "root".equals(System.getProperty("user.name"))
                        && run(List.of("ip", "link", "show", "dummy0")).status() == 0,
                "changes network devices and device files: only as root in the lab's guest, whose rxe device is on dummy0");
    }
}
