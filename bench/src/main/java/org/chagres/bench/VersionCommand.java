package org.chagres.bench;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;

/** Prints the versions that a report of a problem needs. */
@Command(name = "version", description = "Print the version of Chagres, the JVM and the processor.")
final class VersionCommand implements Runnable {
    @CommandLine.Spec
    private CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine()
                .getOut()
                .printf("Chagres %s%nJVM: %s%nCPU: %s%n", Version.current(), Machine.jvm(), Machine.cpu());
    }
}
