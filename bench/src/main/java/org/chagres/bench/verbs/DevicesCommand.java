package org.chagres.bench.verbs;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.chagres.bench.ExitCode;
import org.chagres.bench.UsageException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Prints the RDMA devices of this machine: what {@code ibv_devinfo} and {@code show_gids} tell, in one table. */
@Command(name = "devices", sortOptions = false, description = {
        "Print the RDMA devices of this machine with their ports and GIDs: ibv_devinfo and show_gids in one table.",
        "Exits with 2, and says why on stderr, if there is none or one cannot be opened." })
public final class DevicesCommand implements Callable<Integer> {

    @Option(names = {"-d", "--ib-dev" }, paramLabel = "DEVICE", description = "Only this device.")
    private String name;

    @Option(names = {"-v", "--verbose" }, description = "Also the devices' limits and the ports' other attributes.")
    private boolean verbose;

    @Option(names = "--json", description = "Everything, as JSON.")
    private boolean json;

    @CommandLine.Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        final List<DeviceReport> reports = (name == null
                ? Devices.all()
                : List.of(Devices.named(Devices.all(), name))).stream().map(DeviceReport::of).toList();
        return print(reports, spec.commandLine().getOut(), verbose, json);
    }

    /** Prints all, and afterwards throws if a device could not be opened. */
    static int print(final List<DeviceReport> reports, final PrintWriter out, final boolean verbose,
            final boolean json) {
        if (json) {
            out.println(asJson(reports));
        } else {
            DevicesTable.lines(reports, verbose).forEach(out::println);
        }
        out.flush();
        final String problems = reports.stream()
                .flatMap(report -> report.problem().stream())
                .collect(Collectors.joining("; "));
        if (!problems.isEmpty()) {
            throw new UsageException(problems);
        }
        return ExitCode.OK;
    }

    private static String asJson(final List<DeviceReport> reports) {
        try {
            return JSON.std.with(JSON.Feature.PRETTY_PRINT_OUTPUT, JSON.Feature.WRITE_NULL_PROPERTIES)
                    .asString(DevicesJson.of(reports));
        } catch (final IOException e) {
            throw new IllegalStateException("devices cannot be written as JSON: " + e.getMessage(), e);
        }
    }
}
