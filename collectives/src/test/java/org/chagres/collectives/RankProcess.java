package org.chagres.collectives;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A rank that is a process, and the test's end of it. */
final class RankProcess {
    private static final int FAILED = 3;

    private RankProcess() {
    }

    /** Starts all ranks of a world; what each prints goes to a pipe. */
    static List<Process> start(final int size, final String task) {
        return start(size, task, Map.of());
    }

    /** {@link #start(int, String)} with settings of Chagres. */
    static List<Process> start(final int size, final String task, final Map<String, String> settings) {
        final int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
        final List<Process> ranks = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            final ProcessBuilder builder = new ProcessBuilder(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "--enable-native-access=ALL-UNNAMED", "--add-modules=jdk.incubator.vector",
                    "-XX:TieredStopAtLevel=1", "-Xmx128m", "-cp", System.getProperty("java.class.path"),
                    RankProcess.class.getName(), task);
            builder.environment().put("RANK", "" + rank);
            builder.environment().put("WORLD_SIZE", "" + size);
            builder.environment().put("MASTER_ADDR", "127.0.0.1");
            builder.environment().put("MASTER_PORT", "" + port);
            builder.environment().put("CHAGRES_JOIN_TIMEOUT", "40");
            builder.environment().putAll(settings);
            try {
                ranks.add(builder.redirectErrorStream(true).start());
            } catch (final IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return ranks;
    }

    /** The rank. */
    public static void main(final String[] arguments) {
        int code = 0;
        try (Communicator c = Chagres.join()) {
            switch (arguments[0]) {
                case "loop" -> loop(c);
                case "leave" -> leave(c);
                case "survive" -> survive(c);
                default -> work(c);
            }
            System.out.println("done");
        } catch (final PeerFailedException e) {
            System.out.println("failed " + e.rank() + ": " + e.getMessage());
            code = FAILED;
        }
        System.exit(code);
    }

    private static void loop(final Communicator c) {
        final Buffer small = c.allocate(DataType.FLOAT32, 100);
        final Buffer large = c.allocate(DataType.FLOAT32, 1 << 20);
        c.barrier();
        System.out.println("looping");
        while (true) {
            c.allReduce(small, ReduceOp.MAX);
            c.allReduce(large, ReduceOp.MAX);
        }
    }

    /** Computes until something happens, and goes on with those that are left. */
    private static void survive(final Communicator c) {
        final Buffer small = c.allocate(DataType.FLOAT32, 100);
        final Buffer large = c.allocate(DataType.FLOAT32, 1 << 20);
        c.barrier();
        System.out.println("looping");
        final Communicator hasty = c.within(Duration.ofSeconds(1));
        String why;
        try {
            while (true) {
                hasty.allReduce(small, ReduceOp.MAX);
                hasty.allReduce(large, ReduceOp.MAX);
            }
        } catch (final PeerFailedException | CollectiveTimeoutException e) {
            why = e.getClass().getSimpleName() + " " + e.getMessage();
        }
        final long start = System.nanoTime();
        try (Communicator rest = c.shrink()) {
            final long ms = (System.nanoTime() - start) / 1_000_000;
            for (int i = 0; i < 20; i++) {
                Worlds.assertUsable(rest);
            }
            System.out.println(rest.size() + " left after " + ms + " ms: " + why);
        }
    }

    /** Rank 1 ends as a program ends that met an error: it closes, and the others wait for it. */
    private static void leave(final Communicator c) {
        c.barrier();
        System.out.println("looping");
        if (c.rank() != 1) {
            c.allReduce(new float[5], ReduceOp.SUM);
        }
    }

    private static void work(final Communicator c) {
        Worlds.assertUsable(c);
        final Buffer large = c.allocate(DataType.INT32, 500_000);
        for (int round = 0; round < 3; round++) {
            Worlds.fill(large, 1 + c.rank() + round);
            c.allReduce(large, ReduceOp.SUM);
            Worlds.assertFilled(6 + 3 * round, large);
        }
        final int[] box = {c.rank() };
        final int[] other = new int[1];
        c.group()
                .send(MemorySegment.ofArray(box), 1, DataType.INT32, (c.rank() + 1) % 3)
                .recv(MemorySegment.ofArray(other), 1, DataType.INT32, (c.rank() + 2) % 3)
                .run();
        if (other[0] != (c.rank() + 2) % 3) {
            throw new AssertionError("received " + other[0]);
        }
        try (Communicator part = c.split(c.rank() % 2, 0)) {
            Worlds.assertUsable(part);
        }
        c.barrier();
    }
}
