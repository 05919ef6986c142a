package org.chagres.bench.verbs.rping;

import java.io.PrintWriter;
import java.lang.foreign.Arena;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.chagres.bench.ExitCode;
import org.chagres.bench.UsageException;
import org.chagres.verbs.CmEventChannel;
import org.chagres.verbs.Verbs;
import org.chagres.verbs.VerbsException;
import org.chagres.verbs.VerbsProvider;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The {@code rping} command. */
@Command(name = "rping", hidden = true, sortOptions = false, description = "Either end of librdmacm's rping, with its options.")
public final class RpingCommand implements Callable<Integer> {
    /** The longest text of rping's format, and room for its end. */
    private static final int MIN_SIZE = 27;
    private static final int MAX_SIZE = 64 * 1024 - 1;
    private static final int MAX_PORT = 65535;

    @ArgGroup(multiplicity = "1")
    private End end;

    /** One of the two must be given. */
    static final class End {
        @Option(names = "-s", description = "The server; serves one client.")
        private boolean server;

        @Option(names = "-c", description = "The client.")
        @SuppressWarnings("unused") // the other one decides
        private boolean client;
    }

    @Option(names = "-a", paramLabel = "ADDRESS", description = "The server's address (default for the server: any).")
    private String address;

    @Option(names = "-p", paramLabel = "PORT", defaultValue = "7174", description = "The server's port (default: ${DEFAULT-VALUE}).")
    private int port;

    @Option(names = "-C", paramLabel = "N", defaultValue = "10", description = "Rounds, for the client (default: ${DEFAULT-VALUE}).")
    private int count;

    @Option(names = "-S", paramLabel = "BYTES", defaultValue = "64", description = "Size of the data (default: ${DEFAULT-VALUE}).")
    private int size;

    @Option(names = "-v", description = "Print the data.")
    private boolean verbose;

    @Option(names = "-V", description = "Compare the data; always done.")
    @SuppressWarnings("unused") // for rping's command lines
    private boolean validate;

    @CommandLine.Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        check();
        final InetSocketAddress server = address == null ? new InetSocketAddress(port) : resolved();
        final PrintWriter out = spec.commandLine().getOut();
        final Optional<PrintWriter> data = verbose ? Optional.of(out) : Optional.empty();
        try (Arena arena = Arena.ofShared(); CmEventChannel channel = channel()) {
            final int wrong = end.server
                    ? serve(new RpingServer(channel, size, arena, data), server, out)
                    : new RpingClient(channel, size, arena, data).run(server, count);
            out.flush();
            if (wrong > 0) {
                throw new IllegalStateException(wrong + " of " + count + " rounds brought back other data");
            }
        }
        return ExitCode.OK;
    }

    private static int serve(final RpingServer server, final InetSocketAddress at, final PrintWriter out)
            throws InterruptedException {
        final int rounds = server.serve(at, () -> say(out, "listening on port " + at.getPort()));
        say(out, rounds + " rounds");
        return 0;
    }

    private static void say(final PrintWriter out, final String line) {
        out.println(line);
        out.flush();
    }

    private void check() {
        if (!end.server && address == null) {
            throw new UsageException("-c needs -a and the server's address");
        }
        if (port < 1 || port > MAX_PORT) {
            throw new UsageException("-p " + port + ": ports are 1 to " + MAX_PORT);
        }
        if (count < 1) {
            throw new UsageException("-C " + count + ": use 1 or more");
        }
        if (size < MIN_SIZE || size > MAX_SIZE) {
            throw new UsageException("-S " + size + ": use " + MIN_SIZE + " to " + MAX_SIZE);
        }
    }

    private InetSocketAddress resolved() {
        final InetSocketAddress server = new InetSocketAddress(address, port);
        if (server.isUnresolved()) {
            throw new UsageException("there is no host called '" + address + "'");
        }
        return server;
    }

    private static CmEventChannel channel() {
        final VerbsProvider provider;
        try {
            provider = Verbs.provider();
        } catch (final VerbsException e) {
            throw new UsageException(e.getMessage(), e);
        }
        provider.connectionManagerUnavailable().ifPresent(reason -> {
            throw new UsageException(reason);
        });
        return provider.createEventChannel();
    }
}
