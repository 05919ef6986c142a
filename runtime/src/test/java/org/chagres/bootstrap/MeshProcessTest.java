package org.chagres.bootstrap;

import static org.chagres.bootstrap.Ranked.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real other processes: stopped, killed, and cut off. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class MeshProcessTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private static Map<String, String> environment(final Ranked job, final int rank) {
        final Map<String, String> environment = new HashMap<>(job.common);
        environment.put("RANK", "" + rank);
        return environment;
    }

    @Test
    void aStoppedProcessDoesNotRespondAndAKilledOneHasFailed() throws Exception {
        try (Ranked job = new Ranked(2); MeshMember one = new MeshMember(environment(job, 1))) {
            final Membership zero = job.join(0).join();
            assertEquals("joined", one.line());
            assertEquals(2, zero.localSize());
            assertTrue(zero.responds(1, SECOND));
            one.signal("STOP");
            // The signal takes effect a little later than it is sent.
            await(() -> !zero.responds(1, Duration.ofMillis(100)));
            assertFalse(zero.responds(1, Duration.ofMillis(300)));
            assertNull(zero.failure());
            one.signal("CONT");
            assertTrue(zero.responds(1, SECOND));
            final long start = System.nanoTime();
            one.signal("KILL");
            await(() -> zero.failure() != null);
            assertTrue(System.nanoTime() - start < 1_000_000_000L);
            assertTrue(zero.failure().reason().contains("without a goodbye"), zero.failure().reason());
        }
    }

    /** What is expelled while it is stopped learns of it when it goes on. */
    @Test
    void aStoppedProcessLearnsLaterThatItWasExpelled() throws Exception {
        try (Ranked job = new Ranked(2); MeshMember one = new MeshMember(environment(job, 1))) {
            final Membership zero = job.join(0).join();
            assertEquals("joined", one.line());
            one.signal("STOP");
            await(() -> !zero.responds(1, Duration.ofMillis(100)));
            zero.expel(1, "it was stopped");
            final long start = System.nanoTime();
            zero.close();
            assertTrue(System.nanoTime() - start < 3_500_000_000L, "a stopped peer holds nobody up for long");
            one.signal("CONT");
            final String line = one.line();
            assertTrue(line.startsWith("failed 0 ") && line.contains("it was stopped"), line);
        }
    }

    /** Two hosts, of which one is a network namespace; then their link is cut. The stopped process of a host that lives has not failed. */
    @Test
    void aLinkThatIsCutIsSeenByBothSidesInAboutASecond() throws Exception {
        final String name = "chagres" + ProcessHandle.current().pid();
        final boolean made = run("ip", "netns", "add", name);
        try {
            assumeTrue(made && run("ip", "link", "add", "cgr0", "type", "veth", "peer", "name", "cgr1", "netns", name)
                    && run("ip", "addr", "add", "10.231.7.1/30", "dev", "cgr0")
                    && run("ip", "link", "set", "cgr0", "up")
                    && run("ip", "-n", name, "addr", "add", "10.231.7.2/30", "dev", "cgr1")
                    && run("ip", "-n", name, "link", "set", "cgr1", "up"), "no network namespaces here");
            try (Ranked job = new Ranked(2).with("MASTER_ADDR", "10.231.7.1");
                    MeshMember one = new MeshMember(environment(job, 1), "ip", "netns", "exec", name)) {
                final Membership zero = job.join(0).join();
                assertEquals("joined", one.line());
                assertEquals(1, zero.localSize());
                one.signal("STOP");
                Thread.sleep(1500);
                assertNull(zero.failure());
                one.signal("CONT");
                assertTrue(zero.responds(1, SECOND));
                final long start = System.nanoTime();
                assertTrue(run("ip", "-n", name, "link", "set", "cgr1", "down"));
                await(() -> zero.failure() != null);
                assertTrue(zero.failure().reason().contains("host down or link cut"), zero.failure().reason());
                final String line = one.line();
                final double seconds = (System.nanoTime() - start) / 1e9;
                assertTrue(line.startsWith("failed 0 ") && line.contains("host down or link cut"), line);
                assertTrue(seconds < 2, seconds + " s");
            }
        } finally {
            run("ip", "link", "del", "cgr0");
            run("ip", "netns", "del", name);
        }
    }

    private static boolean run(final String... command) throws InterruptedException {
        try {
            final Process process = new ProcessBuilder(command).redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (final IOException e) {
            return false;
        }
    }
}
