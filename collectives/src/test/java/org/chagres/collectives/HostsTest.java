package org.chagres.collectives;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.chagres.bootstrap.LocalMembership;
import org.chagres.bootstrap.Membership;
import org.chagres.bootstrap.Peer;
import org.chagres.collectives.plan.Collective;
import org.chagres.collectives.plan.Shape;
import org.chagres.collectives.plan.Topology;
import org.chagres.collectives.planner.Hierarchical;
import org.chagres.collectives.planner.Planners;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hierarchical plans run: over threads that are told to be on different hosts, so that shared memory connects some and TCP the others. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class HostsTest {
    private static final long SEED = 20_261_130;
    private static final List<DataType> TYPES = List.of(DataType.values());
    private static final List<Collective> COLLECTIVES = Stream.of(Collective.values())
            .filter(collective -> collective != Collective.SEND_RECV)
            .toList();

    /** {@code real}, but for where the ranks are; host by rank. */
    private static Membership placed(final LocalMembership real, final String hosts) {
        return (Membership) Proxy.newProxyInstance(HostsTest.class.getClassLoader(), new Class<?>[]{Membership.class },
                (proxy, method, arguments) -> {
                    if (method.getName().equals("peer")) {
                        final Peer peer = real.peer((int) arguments[0]);
                        return new Peer(peer.rank(), peer.hostName(), peer.pid(),
                                hosts.substring(peer.rank(), peer.rank() + 1));
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (final InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** Runs {@code task} on every rank of a world whose ranks are on these hosts; host by rank. */
    static void run(final String hosts, final Map<String, String> environment, final RankTask task)
            throws Exception {
        final List<LocalMembership> memberships = LocalMembership.world(hosts.length());
        final List<Future<?>> ranks = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(hosts.length())) {
            for (final LocalMembership membership : memberships) {
                ranks.add(threads.submit(() -> {
                    try (Communicator c = Communicator.of(placed(membership, hosts), Settings.of(environment))) {
                        runOrFail(membership, task, c);
                    }
                    return null;
                }));
            }
        }
        assertNull(memberships.getFirst().firstCause());
        for (final Future<?> rank : ranks) {
            rank.get();
        }
    }

    /** Tells the others before the communicator is closed, so that the first cause is the one that is shown. */
    private static void runOrFail(final LocalMembership membership, final RankTask task, final Communicator c)
            throws Exception {
        try {
            task.run(c);
        } catch (final Exception | Error e) {
            membership.fail(e);
            throw e;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"aabb", "abab", "aab", "aaabb", "abcabc", "abccba" })
    void whatTheCostModelChooses(final String hosts) throws Exception {
        final Random random = new Random(SEED + hosts.hashCode());
        final List<Operation> operations = new ArrayList<>();
        for (final Collective collective : COLLECTIVES) {
            for (final DataType type : List.of(DataType.FLOAT32, DataType.BFLOAT16, DataType.INT64)) {
                operations.add(CollectivePropertyTest.operation(collective, hosts.length(), type, random));
            }
        }
        Collections.shuffle(operations, random);
        run(hosts, Map.of("CHAGRES_IB_DISABLE", "1"), c -> {
            assertTrue(c.transports().contains("tcp"), c.transports());
            assertTrue(c.algorithm(Collective.ALL_REDUCE, 2, DataType.FLOAT32, 0).startsWith("hierarchical"));
            CollectivePropertyTest.runAll(c, operations, null);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"aabb", "abab", "abb", "aabccc" })
    void everyHierarchicalAlgorithm(final String hosts) throws Exception {
        final Topology topology = Topology.of(hosts.chars().toArray());
        for (final var planner : Planners.ALL) {
            if (planner instanceof Hierarchical) {
                final Random random = new Random(SEED + planner.name().hashCode());
                final List<Operation> operations = new ArrayList<>();
                for (int i = 0; operations.size() < 15; i++) {
                    final Operation operation = CollectivePropertyTest.operation(
                            COLLECTIVES.get(i % COLLECTIVES.size()),
                            hosts.length(), TYPES.get(random.nextInt(TYPES.size())), random);
                    final Shape shape = operation.shape();
                    if (planner.supports(shape, Fabric.LIMITS.on(topology))) {
                        operations.add(operation);
                    }
                }
                run(hosts, Map.of("CHAGRES_ALGO", planner.name(), "CHAGRES_IB_DISABLE", "1"),
                        c -> CollectivePropertyTest.runAll(c, operations, planner.name()));
            }
        }
    }
}
