package org.chagres.bench.verbs.pingpong;

import java.io.IOException;
import java.io.PrintWriter;
import java.lang.foreign.Arena;
import java.net.ServerSocket;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.chagres.bench.ExitCode;
import org.chagres.bench.UsageException;
import org.chagres.bench.verbs.LocalPort;
import org.chagres.bench.verbs.PortOptions;
import org.chagres.verbs.Context;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code pingpong} command. */
@Command(name = "pingpong", sortOptions = false, description = {
        "Exchange messages over a reliable connection, as ibv_rc_pingpong does; the other end may be that program.",
        "Without HOST it is the server, with HOST the client. Both ends should be given the same -s, -m, -n and -l." })
public final class PingpongCommand implements Callable<Integer> {
    private static final int PATIENCE_MS = 10_000;
    private static final int MAX_PORT = 65535;

    @Option(names = {"-p",
            "--port" }, paramLabel = "PORT", defaultValue = "18515", description = "TCP port for the exchange of addresses (default: ${DEFAULT-VALUE}).")
    private int port;

    @Mixin
    private PortOptions device;

    @Option(names = {"-s",
            "--size" }, paramLabel = "BYTES", defaultValue = "4096", description = "Size of a message (default: ${DEFAULT-VALUE}).")
    private int size;

    @Option(names = {"-m",
            "--mtu" }, paramLabel = "BYTES", defaultValue = "1024", description = "MTU of the path: 256, 512, 1024, 2048 or 4096 (default: ${DEFAULT-VALUE}).")
    private int mtu;

    @Option(names = {"-r",
            "--rx-depth" }, paramLabel = "N", defaultValue = "500", description = "Receives to post at a time (default: ${DEFAULT-VALUE}).")
    private int rxDepth;

    @Option(names = {"-n",
            "--iters" }, paramLabel = "N", defaultValue = "1000", description = "Exchanges (default: ${DEFAULT-VALUE}).")
    private int iterations;

    @Option(names = {"-l",
            "--sl" }, paramLabel = "LEVEL", defaultValue = "0", description = "Service level (default: ${DEFAULT-VALUE}).")
    private int serviceLevel;

    @Option(names = {"-e", "--events" }, description = "Sleep until a completion comes, instead of polling.")
    private boolean events;

    @Option(names = {"-g",
            "--gid-idx" }, paramLabel = "INDEX", description = "Row of the port's GID table to send from (default, unlike ibv_rc_pingpong: on Ethernet the one that ./chagres devices marks, on InfiniBand none).")
    private Integer gidIndex;

    @Option(names = {"-c",
            "--chk" }, description = "Check what was received last: at the server, if both ends are given it.")
    private boolean check;

    @Option(names = {"-o", "--odp", "-O", "--iodp", "-P", "--prefetch", "-t", "--ts", "-j", "--dm", "-N",
            "--new_send" }, hidden = true, description = "What ibv_rc_pingpong has besides.")
    private List<Boolean> unsupported = List.of();

    @Parameters(arity = "0..1", paramLabel = "HOST", description = "Where the server is.")
    private String host;

    @CommandLine.Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        final PingpongSettings settings = new PingpongSettings(size, PingpongSettings.mtu(mtu), rxDepth, iterations,
                serviceLevel, events, check && host != null);
        refuse();
        final AddressExchange exchange = new AddressExchange(port, PATIENCE_MS);
        try (Arena arena = Arena.ofShared(); Context context = device.open()) {
            return run(context, settings, exchange, arena);
        }
    }

    private void refuse() {
        if (!unsupported.isEmpty()) {
            throw new UsageException("ibv_rc_pingpong's -o, -O, -P, -t, -j and -N (on-demand paging, timestamps, device"
                    + " memory, the new post functions) are not supported: leave them out");
        }
        if (port < 1 || port > MAX_PORT) {
            throw new UsageException("-p " + port + ": TCP ports are 1 to " + MAX_PORT);
        }
        if (gidIndex != null && gidIndex < 0) {
            throw new UsageException("-g " + gidIndex + ": rows of a GID table are 0 or more");
        }
    }

    private int run(final Context context, final PingpongSettings settings, final AddressExchange exchange,
            final Arena arena) throws IOException, InterruptedException {
        final PrintWriter out = spec.commandLine().getOut();
        final OptionalInt row = gidIndex == null ? OptionalInt.empty() : OptionalInt.of(gidIndex);
        final LocalPort local = LocalPort.of(context, device.port(), row, "-g");
        final Pingpong pingpong = new Pingpong(context, local, settings, arena);
        say(out, "  " + context.device().name() + ": " + local.choice());
        say(out, "  local address:  " + pingpong.address());
        final PingpongAddress remote;
        if (host == null) {
            try (ServerSocket server = exchange.listen()) {
                remote = exchange.serve(server, pingpong.address(), pingpong::connect, spec.commandLine().getErr());
            }
        } else {
            remote = exchange.connect(host, pingpong.address());
            pingpong.connect(remote);
        }
        say(out, "  remote address: " + remote);
        result(settings, pingpong.run(host != null)).forEach(line -> say(out, line));
        final List<Integer> wrong = check && host == null ? pingpong.wrongPages() : List.of();
        wrong.forEach(page -> say(out, "invalid data in page " + page));
        return wrong.isEmpty() ? ExitCode.OK : ExitCode.WRONG_DATA;
    }

    /** The two lines of {@code ibv_rc_pingpong}. */
    static List<String> result(final PingpongSettings settings, final long nanos) {
        final double micros = nanos / 1e3;
        final long bytes = 2L * settings.size() * settings.iterations();
        return List.of(
                String.format(Locale.ROOT, "%d bytes in %.2f seconds = %.2f Mbit/sec", bytes, micros / 1e6,
                        bytes * 8.0 / micros),
                String.format(Locale.ROOT, "%d iters in %.2f seconds = %.2f usec/iter", settings.iterations(),
                        micros / 1e6, micros / settings.iterations()));
    }

    private static void say(final PrintWriter out, final String line) {
        out.println(line);
        out.flush();
    }
}
