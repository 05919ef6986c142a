package org.chagres.bench.verbs.perf;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.chagres.bench.ExitCode;
import org.chagres.bench.UsageException;
import org.chagres.bench.verbs.LocalPort;
import org.chagres.bench.verbs.PortOptions;
import org.chagres.verbs.Context;
import org.chagres.verbs.Mtu;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code perf-verbs} command. */
@Command(name = "perf-verbs", sortOptions = false, description = {
        "Measure single verbs between two hosts, with perftest's options and columns: RDMA write, send, RDMA read, atomics.",
        "Without HOST it is the server, which takes the test's size, count and depth from the client; with HOST the client, which prints the results. perftest's own programs speak another exchange.",
        "write --lat measures by perftest's method: each end polls the last byte of its own memory. Chagres' transports never do that; they wait for completions." })
public final class PerfVerbsCommand implements Callable<Integer> {
    private static final int MAX_PORT = 65535;
    private static final String LINE = "-".repeat(87);

    @Parameters(index = "0", paramLabel = "VERB", description = "write, send, read or atomic.")
    private Verb verb;

    @Parameters(index = "1", arity = "0..1", paramLabel = "HOST", description = "Where the server is.")
    private String host;

    @ArgGroup(multiplicity = "1")
    private What what;

    /** One of the two must be given. */
    static final class What {
        @Option(names = "--lat", description = "Measure latency.")
        private boolean latency;

        @Option(names = "--bw", description = "Measure bandwidth.")
        @SuppressWarnings("unused") // the other one decides
        private boolean bandwidth;
    }

    @Option(names = "--loopback", description = "Both ends in this process.")
    private boolean loopback;

    @Mixin
    private PortOptions device;

    @Option(names = {"-x",
            "--gid-index" }, paramLabel = "INDEX", description = "Row of the port's GID table (default: on Ethernet the one that ./chagres devices marks, on InfiniBand none).")
    private Integer gidIndex;

    @Option(names = {"-p",
            "--port" }, paramLabel = "PORT", defaultValue = "18515", description = "TCP port for the exchange of addresses (default: ${DEFAULT-VALUE}).")
    private int port;

    @Option(names = {"-s",
            "--size" }, paramLabel = "BYTES", description = "Size of a message (default: 2 for latency, 65536 for bandwidth, 8 for atomics).")
    private Integer size;

    @Option(names = {"-a", "--all" }, description = "Sizes from 2 to 2^23.")
    private boolean all;

    @Option(names = {"-n",
            "--iters" }, paramLabel = "N", description = "Operations of each queue pair (default: 1000; 5000 for write --bw).")
    private Integer iterations;

    @Option(names = {"-q",
            "--qp" }, paramLabel = "N", defaultValue = "1", description = "Queue pairs, for bandwidth (default: ${DEFAULT-VALUE}).")
    private int queuePairs;

    @Option(names = {"-t",
            "--tx-depth" }, paramLabel = "N", description = "Operations in flight of each queue pair, for bandwidth (default: 128).")
    private Integer txDepth;

    @Option(names = {"-Q",
            "--cq-mod" }, paramLabel = "N", defaultValue = "0", description = "Operations that make one completion, for bandwidth (default: 100 up to 8192 bytes, 1 above).")
    private int cqModeration;

    @Option(names = {"-l",
            "--post_list" }, paramLabel = "N", defaultValue = "1", description = "Operations to post in one call, for bandwidth (default: ${DEFAULT-VALUE}).")
    private int postList;

    @Option(names = {"-I",
            "--inline_size" }, paramLabel = "BYTES", description = "Messages up to this are carried by the request itself (default: 220 for latency of write and send if the device can, else 0).")
    private Integer inline;

    @Option(names = {"-m",
            "--mtu" }, paramLabel = "BYTES", description = "Largest MTU of the path (default: the port's).")
    private Integer mtu;

    @Option(names = {"-S",
            "--sl" }, paramLabel = "LEVEL", defaultValue = "0", description = "Service level (default: ${DEFAULT-VALUE}).")
    private int serviceLevel;

    @Option(names = {"-A",
            "--atomic_type" }, paramLabel = "TYPE", defaultValue = "FETCH_AND_ADD", description = "FETCH_AND_ADD or CMP_AND_SWAP (default: ${DEFAULT-VALUE}).")
    private AtomicType atomic;

    /** perftest's names. */
    enum AtomicType {
        FETCH_AND_ADD, CMP_AND_SWAP
    }

    @Option(names = {"-w",
            "--warm-up" }, paramLabel = "N", defaultValue = "3000", description = "Operations before the first measured one, for the JIT; ends after 2 s (default: ${DEFAULT-VALUE}).")
    private int warmUp;

    @Option(names = {"-F", "--CPU-freq" }, description = "Accepted as in perftest; the frequency is never looked at.")
    @SuppressWarnings("unused") // for perftest's command lines
    private boolean frequency;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the results as JSON.")
    private Path json;

    @CommandLine.Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        final PerfSettings settings = settings();
        final PerfTuning tuning = new PerfTuning(inline == null ? OptionalInt.empty() : OptionalInt.of(inline),
                mtu == null ? Optional.empty() : Optional.of(mtu(mtu)), serviceLevel);
        check();
        if (loopback) {
            loopback(settings, tuning);
        } else if (host == null) {
            serve(tuning, new InetSocketAddress(port));
        } else {
            measure(settings, tuning, host, port);
        }
        return ExitCode.OK;
    }

    private PerfSettings settings() {
        final int count = iterations != null
                ? iterations
                : what.latency ? PerfSettings.LATENCY_ITERATIONS : verb.bandwidthIterations();
        return new PerfSettings(verb, what.latency, atomic == AtomicType.CMP_AND_SWAP,
                PerfSettings.sizes(verb, what.latency, all, size), count, queuePairs,
                txDepth != null ? txDepth : PerfSettings.TX_DEPTH, cqModeration, postList);
    }

    private static Mtu mtu(final int bytes) {
        try {
            return Mtu.ofBytes(bytes);
        } catch (final IllegalArgumentException e) {
            throw new UsageException("-m " + e.getMessage(), e);
        }
    }

    private void check() {
        if (loopback && host != null) {
            throw new UsageException("--loopback and the host '" + host + "' exclude each other");
        }
        if (port < 1 || port > MAX_PORT) {
            throw new UsageException("-p " + port + ": TCP ports are 1 to " + MAX_PORT);
        }
        if (gidIndex != null && gidIndex < 0) {
            throw new UsageException("-x " + gidIndex + ": rows of a GID table are 0 or more");
        }
        if (warmUp < 0) {
            throw new UsageException("-w " + warmUp + ": use 0 or more");
        }
    }

    private LocalPort local(final Context context) {
        return LocalPort.of(context, device.port(), gidIndex == null ? OptionalInt.empty() : OptionalInt.of(gidIndex),
                "-x");
    }

    private void serve(final PerfTuning tuning, final InetSocketAddress address) throws IOException {
        final PrintWriter out = spec.commandLine().getOut();
        try (Arena arena = Arena.ofShared();
                Context context = device.open();
                ServerSocketChannel server = PerfServer.listen(address)) {
            final LocalPort local = local(context);
            out.println(" " + context.device().name() + ": " + local.choice());
            out.println(" waiting for a client on port " + address.getPort());
            out.flush();
            final PerfServer.Accepted client = new PerfServer(verb, what.latency, spec.commandLine().getErr())
                    .accept(server);
            try (PeerLine _ = client.line()) {
                out.println(" serving " + client.from());
                out.flush();
                PerfServer.serve(client, context, local, tuning, arena);
            }
        }
    }

    private void measure(final PerfSettings settings, final PerfTuning tuning, final String server,
            final int serverPort) throws IOException {
        try (Arena arena = Arena.ofShared(); Context context = device.open()) {
            final LocalPort local = local(context);
            // Before the server is there to wait for it.
            final PerfEnd end = new PerfEnd(context, local, settings, tuning, arena);
            measure(end, context, local, server, serverPort);
        }
    }

    private void measure(final PerfEnd end, final Context context, final LocalPort local, final String server,
            final int serverPort) throws IOException {
        try (PerfClient client = new PerfClient(server, serverPort)) {
            client.connect(end);
            final PrintWriter out = spec.commandLine().getOut();
            heading(context, local, end).forEach(out::println);
            out.flush();
            final List<PerfClient.Row> rows = new ArrayList<>();
            client.run(end, warmUp, row -> {
                rows.add(row);
                out.println(row.result().line());
                out.flush();
            });
            out.println(LINE);
            out.flush();
            if (json != null) {
                write(context, local, end, rows);
            }
        }
    }

    private List<String> heading(final Context context, final LocalPort local, final PerfEnd end) {
        final PerfSettings s = end.settings();
        return List.of(LINE, "                    " + verb.title() + (s.latency() ? " Latency" : " BW") + " Test",
                " Device          : " + context.device().name() + " port " + local.attributes().port() + ", "
                        + local.attributes().linkLayer().text(),
                " GID             : " + local.choice(), " Mtu             : " + end.mtu().bytes() + "[B]",
                " Number of qps   : " + s.queuePairs() + ", TX depth " + s.txDepth() + ", post list " + s.postList()
                        + ", CQ moderation " + s.moderation(s.sizes().getFirst()),
                " Max inline data : " + end.maxInline() + "[B]", LINE,
                s.latency() ? LatencyResult.HEADER : BandwidthResult.HEADER);
    }

    private void write(final Context context, final LocalPort local, final PerfEnd end,
            final List<PerfClient.Row> rows) {
        final Map<String, Object> report = new LinkedHashMap<>();
        report.put("test", end.settings().name());
        report.put("device", context.device().name());
        report.put("port", local.attributes().port());
        report.put("gid", local.address().toString());
        report.put("mtu", end.mtu().bytes());
        report.put("qps", end.settings().queuePairs());
        report.put("tx_depth", end.settings().txDepth());
        report.put("post_list", end.settings().postList());
        report.put("max_inline", end.maxInline());
        report.put("rows", rows.stream().map(PerfVerbsCommand::json).toList());
        try {
            JSON.std.with(JSON.Feature.PRETTY_PRINT_OUTPUT).write(report, json.toFile());
        } catch (final IOException e) {
            throw new UsageException("cannot write --json " + json + ": " + e.getMessage(), e);
        }
    }

    private static Map<String, Object> json(final PerfClient.Row row) {
        final Map<String, Object> one = row.result().json();
        one.put("allocated_bytes", row.allocatedBytes());
        return one;
    }

    /** The server in a thread, at a port of its own. */
    private void loopback(final PerfSettings settings, final PerfTuning tuning)
            throws IOException, InterruptedException {
        final InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (Arena arena = Arena.ofShared();
                Context context = device.open();
                ServerSocketChannel server = PerfServer.listen(any)) {
            final LocalPort local = local(context);
            final FutureTask<Void> task = new FutureTask<>(() -> {
                final PerfServer.Accepted client = new PerfServer(verb, what.latency, spec.commandLine().getErr())
                        .accept(server);
                try (PeerLine _ = client.line()) {
                    PerfServer.serve(client, context, local, tuning, arena);
                }
                return null;
            });
            Thread.ofPlatform().daemon().name("perf-verbs server").start(task);
            final int serverPort = ((InetSocketAddress) server.getLocalAddress()).getPort();
            measure(settings, tuning, any.getHostString(), serverPort);
            task.get();
        } catch (final ExecutionException e) {
            throw new IllegalStateException("the server in this process failed: " + e.getCause().getMessage(), e);
        }
    }
}
