package org.chagres.bench.perf;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.chagres.bench.Main;

/** The command line of a rank's JVM: the flags that a user of the library needs, and those that keep a measurement quiet. */
public final class RankJvm {
    private static final List<String> FLAGS = List.of("--add-modules=jdk.incubator.vector",
            "--enable-native-access=ALL-UNNAMED",
            // A rank makes little garbage: no collector threads beside the ranks, and a small heap.
            "-XX:+UseSerialGC", "-Xms64m", "-Xmx1g",
            // No file in /tmp/hsperfdata that a killed rank would leave behind.
            "-XX:-UsePerfData", "-Xshare:auto");

    private RankJvm() {
    }

    /** The flags, for other measurements of this host. */
    public static List<String> flags() {
        return FLAGS;
    }

    static List<String> command(final List<String> arguments) {
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(FLAGS);
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(Main.class.getName());
        command.addAll(arguments);
        return command;
    }
}
