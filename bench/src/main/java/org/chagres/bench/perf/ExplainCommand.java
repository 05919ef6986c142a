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

    @Option(names = {"-o",
            "--op" }, paramLabel = "OP", defaultValue = "sum", description = "Reduce op (default: ${DEFAULT-VALUE}).")
    private String op;

    @Option(names = {"-r",
            "--root" }, paramLabel = "RANK", defaultValue = "0", description = "Root (default: ${DEFAULT-VALUE}).")
    private int root;

    @CommandLine.Spec
    private CommandSpec spec;

    @Override
    public void run() {
        refuseOutOfRange("--rank", rank);
        refuseOutOfRange("-r", root);
        final ReduceOp reduceOp = ReduceOp.parse(op);
        final Case row = Case.of(Collective.parse(collective), DataType.parse(dataType), reduceOp, root, ranks, bytes);
        spec.commandLine()
                .getOut()
                .println(
                        Chagres.explain(row.collective(), ranks, rank, row.count(), row.type(), row.root()).strip());
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
