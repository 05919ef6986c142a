package org.chagres.bench.chaos;

import java.util.Random;
import java.util.concurrent.Callable;
import org.chagres.bench.ExitCode;
import org.chagres.collectives.Buffer;
import org.chagres.collectives.Chagres;
import org.chagres.collectives.CollectiveTimeoutException;
import org.chagres.collectives.Communicator;
import org.chagres.collectives.DataType;
import org.chagres.collectives.PeerFailedException;
import org.chagres.collectives.ReduceOp;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/**
 * One rank that runs random collectives, checking each, until somebody fails; then shrinks, and computes on with those who are left. Says what happened in
 * lines that {@code lab/chaos} reads, with times in milliseconds since 1970.
 */
@Command(name = "chaos", hidden = true, description = "One rank of the chaos test; see lab/chaos.")
public final class ChaosCommand implements Callable<Integer> {
    private static final int MOST = 1 << 18;
    private static final int ROUNDS_AFTER = 30;

    @Option(names = "--seed", required = true, description = "Equal on all ranks.")
    private long seed;

    @CommandLine.Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        final long pid = ProcessHandle.current().pid();
        try (Communicator world = Chagres.join()) {
            final int rank = world.rank();
            say("JOINED rank " + rank + " pid " + pid + " " + world.transports());
            final String met = runUntilFailure(world);
            say("MET rank " + rank + " pid " + pid + " at " + System.currentTimeMillis() + " " + met);
            try (Communicator survivors = world.shrink()) {
                final Random random = new Random(seed + 1);
                for (int i = 0; i < ROUNDS_AFTER; i++) {
                    round(survivors, random);
                }
                survivors.barrier();
                say("SURVIVED rank " + rank + " pid " + pid + " of " + survivors.size());
            }
        }
        return ExitCode.OK;
    }

    private String runUntilFailure(final Communicator world) {
        final Random random = new Random(seed);
        try {
            for (int i = 0;; i++) {
                round(world, random);
                if (i == 0) {
                    say("READY rank " + world.rank());
                }
            }
        } catch (final PeerFailedException e) {
            return "PeerFailed " + e.rank() + " " + oneLine(e);
        } catch (final CollectiveTimeoutException e) {
            return "Timeout - " + oneLine(e);
        }
    }

    /** One random collective with inputs that depend on rank and place, and outputs that are checked everywhere. */
    private void round(final Communicator c, final Random random) {
        final int kind = random.nextInt(5);
        final int count = 1 + random.nextInt(random.nextInt(4) == 0 ? MOST : 2000);
        final int root = random.nextInt(c.size());
        final int salt = random.nextInt(1000);
        final int size = c.size();
        final int all = kind == 2 || kind == 3 ? count / size + 1 : count;
        try (Buffer send = c.allocate(DataType.INT64, (long) all * (kind == 3 ? size : 1));
                Buffer recv = c.allocate(DataType.INT64, (long) all * (kind == 2 ? size : 1))) {
            for (long i = 0; i < send.count(); i++) {
                set(send, i, value(c.rank(), i, salt));
            }
            switch (kind) {
                case 0 -> c.allReduce(send, recv, ReduceOp.SUM);
                case 1 -> c.broadcast(send.segment(), recv.segment(), all, DataType.INT64, root);
                case 2 -> c.allGather(send.segment(), recv.segment(), all, DataType.INT64);
                case 3 -> c.reduceScatter(send.segment(), recv.segment(), all, DataType.INT64, ReduceOp.SUM);
                default -> c.reduce(send.segment(), recv.segment(), all, DataType.INT64, ReduceOp.SUM, root);
            }
            if (kind < 4 || c.rank() == root) {
                for (long i = 0; i < recv.count(); i++) {
                    check(kind, i, get(recv, i), expected(kind, i, all, c, root, salt));
                }
            }
        }
    }

    private static long expected(final int kind, final long i, final int count, final Communicator c, final int root,
            final int salt) {
        return switch (kind) {
            case 1 -> value(root, i, salt);
            case 2 -> value((int) (i / count), i % count, salt);
            case 3 -> sum(c.size(), c.rank() * (long) count + i, salt);
            default -> sum(c.size(), i, salt);
        };
    }

    private static long value(final int rank, final long i, final int salt) {
        return (rank + 1) * (i + salt);
    }

    private static long sum(final int size, final long i, final int salt) {
        return size * (size + 1L) / 2 * (i + salt);
    }

    private static void check(final int kind, final long i, final long got, final long expected) {
        if (got != expected) {
            throw new IllegalStateException(
                    "WRONG RESULT: collective " + kind + ", element " + i + " is " + got + ", not " + expected);
        }
    }

    private static void set(final Buffer buffer, final long i, final long value) {
        buffer.segment().setAtIndex(java.lang.foreign.ValueLayout.JAVA_LONG, i, value);
    }

    private static long get(final Buffer buffer, final long i) {
        return buffer.segment().getAtIndex(java.lang.foreign.ValueLayout.JAVA_LONG, i);
    }

    private static String oneLine(final Exception e) {
        return e.getMessage().replaceAll("\\s*\\R\\s*", " ");
    }

    private void say(final String line) {
        spec.commandLine().getOut().println(line);
        spec.commandLine().getOut().flush();
    }
}
