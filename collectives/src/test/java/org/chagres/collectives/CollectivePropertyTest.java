package org.chagres.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.chagres.collectives.plan.Collective;
import org.chagres.collectives.plan.Planner;
import org.chagres.collectives.plan.Shape;
import org.chagres.collectives.planner.Hierarchical;
import org.chagres.collectives.planner.Planners;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every collective, type and op over worlds of threads, against an oracle: counts around every limit of the algorithms, each rank in place or not, in
 * memory of any kind at odd offsets, blocking or not. All is drawn by a seed that a failure shows.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class CollectivePropertyTest {
    private static final long SEED = 20_260_101;
    /** Bounds all buffers, in bytes, so that the test ends in seconds. */
    private static final long MOST = 640 << 10;
    private static final List<DataType> TYPES = List.of(DataType.values());
    private static final List<Collective> COLLECTIVES = Stream.of(Collective.values())
            .filter(collective -> collective != Collective.SEND_RECV)
            .toList();
    private static final List<ReduceOp> OPS = List.of(ReduceOp.SUM, ReduceOp.PROD, ReduceOp.MIN, ReduceOp.MAX,
            ReduceOp.AVG, ReduceOp.preMulSum(2));

    static Stream<Arguments> sizesAndTransports() {
        return Stream.of("shm", "tcp")
                .flatMap(transport -> IntStream.rangeClosed(1, 9).mapToObj(size -> Arguments.of(size, transport)));
    }

    @ParameterizedTest
    @MethodSource("sizesAndTransports")
    void whatTheCostModelChooses(final int size, final String transport) {
        final Random random = new Random(SEED + size);
        final List<Operation> operations = new ArrayList<>();
        for (final Collective collective : COLLECTIVES) {
            for (final DataType type : DataType.values()) {
                operations.add(operation(collective, size, type, random));
            }
        }
        Collections.shuffle(operations, random);
        run(size, Map.of("CHAGRES_TRANSPORT", transport), operations);
    }

    static Stream<Arguments> algorithms() {
        return Planners.ALL.stream()
                .filter(planner -> !(planner instanceof Hierarchical))
                .flatMap(planner -> IntStream.of(2, 3, 4, 7)
                        .boxed()
                        .flatMap(size -> Stream.of("shm", "tcp")
                                .map(transport -> Arguments.of(planner.name(), size, transport))));
    }

    /** Every algorithm, asked for by name, whether it pays or not. */
    @ParameterizedTest
    @MethodSource("algorithms")
    void everyAlgorithm(final String name, final int size, final String transport) {
        final Planner planner = Planners.byName(name);
        final Random random = new Random(SEED + size * 31L + name.hashCode());
        final List<Operation> operations = new ArrayList<>();
        for (int i = 0; i < 500 && operations.size() < 10; i++) {
            final DataType type = TYPES.get(random.nextInt(TYPES.size()));
            final Operation operation = operation(COLLECTIVES.get(i % COLLECTIVES.size()), size, type, random);
            if (planner.supports(operation.shape(), Fabric.LIMITS)) {
                operations.add(operation);
            }
        }
        // Halving is the direct algorithm where there are two ranks.
        assertFalse(operations.isEmpty() && size > 2);
        run(size, Map.of("CHAGRES_ALGO", name, "CHAGRES_TRANSPORT", transport), operations);
    }

    private static void run(final int size, final Map<String, String> environment, final List<Operation> operations) {
        try (World world = Worlds.open(size, environment)) {
            world.run(c -> runAll(c, operations, environment.get("CHAGRES_ALGO")));
        }
    }

    static void runAll(final Communicator c, final List<Operation> operations,
            final String algorithm) {
        final Random random = new Random(SEED ^ c.rank() << 8 ^ c.size());
        try (Placement placement = new Placement(c, MOST)) {
            for (final Operation operation : operations) {
                if (algorithm != null) {
                    final Shape shape = operation.shape();
                    assertEquals(algorithm,
                            c.algorithm(shape.collective(), shape.count(), operation.type(), shape.root()));
                }
                final Trial trial = placement.place(operation, random);
                final String what = operation + ", rank " + c.rank() + ", algorithm " + algorithm + ", seed " + SEED;
                if (random.nextInt(3) == 0) {
                    operation.submit(c, trial.send(), trial.recv()).await();
                } else {
                    operation.call(c, trial.send(), trial.recv());
                }
                trial.check(what);
            }
        }
    }

    static Operation operation(final Collective collective, final int size, final DataType type,
            final Random random) {
        return new Operation(shape(collective, size, type, random), type,
                collective.reduces() ? OPS.get(random.nextInt(OPS.size())) : null);
    }

    private static Shape shape(final Collective collective, final int size, final DataType type, final Random random) {
        final int root = collective.rooted() ? random.nextInt(size) : 0;
        final long inbox = Fabric.LIMITS.inboxBytes() / type.size();
        final long chunk = Fabric.LIMITS.chunkBytes() / type.size();
        final int around = random.nextInt(3) - 1;
        final long count = switch (random.nextInt(12)) {
            case 0 -> random.nextInt(4);
            case 1 -> 7;
            case 2 -> size + around;
            case 3 -> inbox + around;
            case 4 -> inbox / size + around;
            case 5 -> chunk + around;
            case 6 -> size * chunk * (1 + random.nextInt(4)) + around;
            default -> 2L * random.nextInt(1000) + 1;
        };
        final long blocks = new Shape(collective, size, root, 1, 1).sendCount(root)
                + new Shape(collective, size, root, 1, 1).recvCount(root) > 2 ? size : 1;
        final long most = collective == Collective.BARRIER ? 0 : MOST / blocks / type.size();
        return new Shape(collective, size, root, Math.clamp(count, 0, most), type.size());
    }
}
