package org.chagres.bench.perf;

import org.chagres.bench.UsageException;
import org.chagres.collectives.Chagres;
import org.chagres.collectives.DataType;
import org.chagres.collectives.ReduceOp;
import org.chagres.collectives.plan.Collective;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints what one rank would do, without running it. */
@Command(name = "explain", sortOptions = false, description = "Print the plan of one rank, its price, and why it was chosen.")
public final class ExplainCommand implements Runnable {
    @Parameters(index = "0", paramLabel = "COLLECTIVE", description = "all_reduce, broadcast, ...")
    private String collective;

    @Option(names = "--ranks", paramLabel = "N", description = "Ranks of the world (default: 2, or all of --hosts).")
    private Integer ranks;

    @Option(names = "--hosts", paramLabel = "N", split = ",", description = "Ranks of each host, as in 2,2 (default: all on one).")
    private int[] hosts;

    @Option(names = "--rank", paramLabel = "R", defaultValue = "0", description = "Whose plan (default: ${DEFAULT-VALUE}).")
    private int rank;

    @Option(names = {"-b",
            "--bytes" }, paramLabel = "SIZE", defaultValue = "1M", converter = Sizes.Converter.class, description = "Bytes of the whole tensor (default: ${DEFAULT-VALUE}).")
    private long bytes;

    @Option(names = {"-d",
            "--datatype" }, paramLabel = "TYPE", defaultValue = "float", description = "Data type (default: ${DEFAULT-VALUE}).")
    private String dataType;

    @Option(names = {"-r",
            "--root" }, paramLabel = "RANK", defaultValue = "0", description = "Root (default: ${DEFAULT-VALUE}).")
    private int root;

    @CommandLine.Spec
    private CommandSpec spec;

    @Override
    public void run() {
        final int size = size();
        refuseOutOfRange("--rank", rank, size);
        refuseOutOfRange("-r", root, size);
        final Collective parsed = Collective.parse(collective);
        if (parsed == Collective.SEND_RECV && size != 2) {
            throw new UsageException("--ranks " + size + ": a message is between 2 ranks, of which rank 0 sends");
        }
        final Case row = Case.of(parsed, DataType.parse(dataType), ReduceOp.SUM, parsed.rooted() ? root : 0, size,
                bytes);
        final String plan = hosts == null
                ? Chagres.explain(parsed, size, rank, row.count(), row.type(), row.root())
                : Chagres.explain(parsed, hosts, rank, row.count(), row.type(), row.root());
        spec.commandLine().getOut().println(plan.strip());
    }

    private int size() {
        if (ranks != null && ranks < 1) {
            throw new UsageException("--ranks " + ranks + ": a world has at least 1 rank");
        }
        if (hosts == null) {
            return ranks == null ? 2 : ranks;
        }
        int all = 0;
        for (final int ranksOfHost : hosts) {
            if (ranksOfHost < 1) {
                throw new UsageException("--hosts: a host with " + ranksOfHost + " ranks; each has at least 1");
            }
            all = Math.addExact(all, ranksOfHost);
        }
        if (ranks != null && ranks != all) {
            throw new UsageException("--hosts has " + all + " ranks, --ranks " + ranks + ": leave one of them out");
        }
        return all;
    }

    private static void refuseOutOfRange(final String option, final int value, final int size) {
        if (value < 0 || value >= size) {
            throw new UsageException(option + " " + value + " is out of range: ranks are 0.." + (size - 1));
        }
    }
}
