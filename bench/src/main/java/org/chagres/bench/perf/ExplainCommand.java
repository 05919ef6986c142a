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

    @Option(names = "--ranks", paramLabel = "N", defaultValue = "2", description = "Ranks of the world (default: ${DEFAULT-VALUE}).")
    private int ranks;

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
        refuseOutOfRange("--rank", rank);
        refuseOutOfRange("-r", root);
        final Collective parsed = Collective.parse(collective);
        if (parsed == Collective.SEND_RECV && ranks != 2) {
            throw new UsageException("--ranks " + ranks + ": a message is between 2 ranks, of which rank 0 sends");
        }
        final Case row = Case.of(parsed, DataType.parse(dataType), ReduceOp.SUM, parsed.rooted() ? root : 0, ranks,
                bytes);
        final String plan = Chagres.explain(parsed, ranks, rank, row.count(), row.type(), row.root());
        spec.commandLine().getOut().println(plan.strip());
    }

    private void refuseOutOfRange(final String option, final int value) {
        if (ranks < 1) {
            throw new UsageException("--ranks " + ranks + ": a world has at least 1 rank");
        }
        if (value < 0 || value >= ranks) {
            throw new UsageException(option + " " + value + " is out of range: ranks are 0.." + (ranks - 1));
        }
    }
}
