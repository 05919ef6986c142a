package org.chagres.bootstrap;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A rank that is a process of its own: it joins, says so, and reports the first failure it sees; and the test's end of it. */
final class MeshMember implements AutoCloseable {
    private final Process process;
    private final BufferedReader says;

    /** @param prefix what to run it under, such as {@code ip netns exec} */
    MeshMember(final Map<String, String> environment, final String... prefix) throws IOException {
        final List<String> command = new ArrayList<>(List.of(prefix));
        command.addAll(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1", "-Xmx64m", "-cp",
                System.getProperty("java.class.path"), MeshMember.class.getName()));
        final ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(environment);
        this.process = builder.start();
        this.says = process.inputReader(StandardCharsets.UTF_8);
    }

    /** The process itself; runs in the other one. */
    public static void main(final String[] arguments) throws InterruptedException {
        final Membership world = Rendezvous.join(System.getenv());
        System.out.println("joined");
        while (world.failure() == null) {
            Thread.sleep(1);
        }
        System.out.println("failed " + world.failure().rank() + " " + world.failure().reason());
        Thread.sleep(60_000);
    }

    String line() throws IOException {
        return says.readLine();
    }

    void signal(final String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, "" + process.pid()).start().waitFor(5, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
