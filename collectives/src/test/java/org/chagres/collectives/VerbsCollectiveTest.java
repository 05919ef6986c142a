package org.chagres.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.chagres.collectives.plan.Collective;
import org.chagres.collectives.plan.Shape;
import org.chagres.transport.verbs.NetworkDevices;
import org.chagres.transport.verbs.PortSurvey;
import org.chagres.transport.verbs.VerbsSettings;
import org.chagres.verbs.Verbs;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Collectives between threads that are connected by a device. Needs an RDMA device: the lab has one. */
@Tag("rdma")
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class VerbsCollectiveTest {
    private static final Map<String, String> VERBS = Map.of("CHAGRES_TRANSPORT", "verbs");
    private static final long SEED = 20_261_201;
    /** The device is in a virtual machine that runs translated code. */
    private static final int ROUNDS = 50;

    @BeforeAll
    static void needsADevice() {
        final PortSurvey survey = PortSurvey.of(VerbsSettings.of(Map.of()), Verbs.providers(),
                NetworkDevices.ofThisHost());
        assumeFalse(survey.usable().isEmpty(),
                "there is no RDMA device here: lab/rdma-tests runs this in a guest that has one");
    }

    private static List<Operation> everyCollective(final int size) {
        final Random random = new Random(SEED + size);
        final List<Operation> operations = new ArrayList<>();
        Stream.of(Collective.values())
                .filter(collective -> collective != Collective.SEND_RECV)
                .forEach(collective -> {
                    for (final DataType type : List.of(DataType.FLOAT32, DataType.BFLOAT16)) {
                        operations.add(CollectivePropertyTest.operation(collective, size, type, random));
                    }
                });
        return operations;
    }

    @ParameterizedTest
    @CsvSource({"2, 1", "3, 2" })
    void everyCollective(final int size, final String queuePairs) {
        final List<Operation> operations = everyCollective(size);
        Worlds.run(size, Map.of("CHAGRES_TRANSPORT", "verbs", "CHAGRES_IB_QPS_PER_CONNECTION", queuePairs), c -> {
            assertEquals("verbs", c.transports());
            CollectivePropertyTest.runAll(c, operations, null);
        });
    }

    @Test
    void hostsAreConnectedOverVerbsByThemselves() throws Exception {
        final List<Operation> operations = everyCollective(3);
        HostsTest.run("aab", Map.of("CHAGRES_IDLE", "yield"), c -> {
            assertEquals(c.rank() == 2 ? "verbs" : "shm+verbs", c.transports());
            CollectivePropertyTest.runAll(c, operations, null);
        });
    }

    @Test
    void messagesOfEverySize() {
        Worlds.run(2, VERBS, c -> {
            try (Buffer buffer = c.allocate(DataType.INT32, 300_000)) {
                for (final int count : new int[]{0, 1, 50, 1024, 1025, 40_000, 300_000 }) {
                    Worlds.fill(buffer, c.rank() == 0 ? count + 1 : -1);
                    if (c.rank() == 0) {
                        c.send(buffer.segment(), count, DataType.INT32, 1);
                    } else {
                        c.recv(buffer.segment(), count, DataType.INT32, 0);
                        Worlds.assertFilled(count + 1, buffer.slice(0, count));
                    }
                }
            }
        });
    }

    @Test
    void communicatorsOfTheSameRanksShareWhatTheDeviceKnows() {
        Worlds.run(3, VERBS, c -> {
            try (Communicator part = c.split(c.rank() / 2, 0)) {
                Worlds.assertUsable(part);
                Worlds.assertUsable(c);
            }
            Worlds.assertUsable(c);
        });
    }

    /** Reductions are those that need no vectors, which are objects where the compiler does not optimise. */
    @ParameterizedTest
    @EnumSource(value = Collective.class, names = {"ALL_REDUCE", "BROADCAST", "ALL_GATHER", "ALL_TO_ALL", "BARRIER" })
    void theSteadyStateAllocatesNothing(final Collective collective) {
        final long most = collective == Collective.BARRIER ? 0 : 20_000;
        Worlds.run(2, VERBS, c -> {
            final MemorySegment send = c.allocate(DataType.INT32, 2 * most).segment();
            final MemorySegment recv = c.allocate(DataType.INT32, 2 * most).segment();
            for (final long count : new long[]{Math.min(most, 10), most }) {
                final Operation operation = new Operation(new Shape(collective, 2, 0, count, 4), DataType.INT32,
                        collective.reduces() ? ReduceOp.AVG : null);
                AllocationTest.assertAllocatesNothing(c, operation.toString(), ROUNDS,
                        _ -> operation.call(c, send, recv));
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"=nosuch0", "rxe0:2" })
    void aPortThatDoesNotExistIsAnError(final String ports) {
        final String message = assertThrows(RuntimeException.class,
                () -> Worlds.run(2, Map.of("CHAGRES_TRANSPORT", "verbs", "NCCL_IB_HCA", ports), Worlds::assertUsable))
                .getMessage();
        assertTrue(message.contains("NCCL_IB_HCA=" + ports) && message.contains("this host has "), message);
    }

    @Test
    void anEmptyRowOfTheGidTableIsAnErrorThatListsTheOthers() {
        final String message = assertThrows(RuntimeException.class,
                () -> Worlds.run(2, Map.of("CHAGRES_TRANSPORT", "verbs", "NCCL_IB_GID_INDEX", "200"),
                        Worlds::assertUsable))
                .getMessage();
        assertTrue(message.contains("NCCL_IB_GID_INDEX=200"), message);
    }
}
