package org.chagres.memory;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Another process with a memory domain, which does what it is told, and the test's end of it. */
final class MemoryOwner implements AutoCloseable {
    private final Process process;
    private final BufferedReader answers;

    MemoryOwner() {
        try {
            process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-Xmx64m", "-cp",
                    System.getProperty("java.class.path"), MemoryOwner.class.getName())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
        answers = process.inputReader(StandardCharsets.UTF_8);
    }

    DomainAddress address() {
        final String[] parts = ask("address 0 0").split(" ", -1);
        return new DomainAddress(Long.parseLong(parts[0]), Integer.parseInt(parts[1]));
    }

    long allocate(final long bytes, final PageSize pages) {
        return Long.parseLong(ask("allocate " + bytes + " " + pages.name()));
    }

    long getLong(final int region, final long offset) {
        return Long.parseLong(ask("get " + region + " " + offset));
    }

    void closeRegion(final int region) {
        ask("close " + region + " 0");
    }

    private String ask(final String question) {
        try {
            process.outputWriter(StandardCharsets.UTF_8).append(question).append('\n').flush();
            final String answer = answers.readLine();
            if (answer == null) {
                throw new IllegalStateException("the process ended at: " + question);
            }
            return answer;
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** SIGKILL; returns once the process is gone. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    ProcessHandle handle() {
        return process.toHandle();
    }

    @Override
    public void close() {
        kill();
    }

    /** The other process. */
    public static void main(final String[] arguments) throws IOException {
        final List<Region> regions = new ArrayList<>();
        try (MemoryDomain domain = new MemoryDomain(Map.of());
                BufferedReader questions = new BufferedReader(
                        new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = questions.readLine(); line != null; line = questions.readLine()) {
                final String[] words = line.split(" ", -1);
                System.out.println(switch (words[0]) {
                    case "address" -> domain.address().pid() + " " + domain.address().tableFd();
                    case "allocate" -> {
                        regions.add(domain.allocate(Long.parseLong(words[1]), PageSize.valueOf(words[2])));
                        yield regions.getLast().token();
                    }
                    case "get" -> Memory.getLong(
                            regions.get(Integer.parseInt(words[1])).address() + Long.parseLong(words[2]));
                    default -> {
                        regions.get(Integer.parseInt(words[1])).close();
                        yield "closed";
                    }
                });
            }
        }
    }
}
