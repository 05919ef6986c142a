package org.chagres.transport.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.chagres.verbs.GidType;
import org.chagres.verbs.LinkLayer;
import org.chagres.verbs.Mtu;
import org.chagres.verbs.PortState;
import org.chagres.verbs.TransportType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeviceMapTest {
    /** Eight devices, four on each of two nodes. */
    private static final FakeDevice[] EIGHT = IntStream.range(0, 8)
            .mapToObj(i -> FakeDevice.roce("mlx5_" + i, i / 4, "::ffff:10.0.0." + (i + 1)))
            .toArray(FakeDevice[]::new);

    private static PortSurvey survey(final FakeDevice... devices) {
        return PortSurvey.of(VerbsSettings.DEFAULTS, List.of(FakeDevice.provider("", List.of(devices))),
                new FakeNetwork());
    }

    private static List<OptionalInt> nodes(final int... nodes) {
        return Arrays.stream(nodes).mapToObj(node -> node < 0 ? OptionalInt.empty() : OptionalInt.of(node)).toList();
    }

    private static DeviceMap map(final String override, final List<OptionalInt> ranks, final FakeDevice... devices) {
        return DeviceMap.of(VerbsSettings.of(Map.of("CHAGRES_IB_MAP", override)), survey(devices), ranks,
                NumaDistances.FLAT);
    }

    private static String names(final DeviceMap map) {
        return map.ports().stream().map(port -> port.name().toString()).collect(Collectors.joining(" "));
    }

    private static FakeDevice down(final String name, final int node) {
        return new FakeDevice(name, node, TransportType.INFINIBAND).port(1, PortState.DOWN, LinkLayer.ETHERNET,
                Mtu.MTU_1024, 0);
    }

    @Test
    void eightRanksOnEightDevicesOfTwoNodesHaveOneEach() {
        assertEquals("mlx5_0:1 mlx5_1:1 mlx5_2:1 mlx5_3:1 mlx5_4:1 mlx5_5:1 mlx5_6:1 mlx5_7:1",
                names(map("", nodes(0, 0, 0, 0, 1, 1, 1, 1), EIGHT)));
        assertEquals("mlx5_0:1 mlx5_4:1 mlx5_1:1 mlx5_5:1 mlx5_2:1 mlx5_6:1 mlx5_3:1 mlx5_7:1",
                names(map("", nodes(0, 1, 0, 1, 0, 1, 0, 1), EIGHT)));
        assertEquals("mlx5_0:1 mlx5_1:1 mlx5_2:1 mlx5_3:1 mlx5_4:1 mlx5_5:1 mlx5_6:1 mlx5_7:1",
                names(map("", nodes(-1, -1, -1, -1, -1, -1, -1, -1), EIGHT)));
    }

    @Test
    void ranksOfUnknownNodeTakeWhatIsLeft() {
        assertEquals("mlx5_2:1 mlx5_0:1 mlx5_3:1 mlx5_1:1", names(map("", nodes(-1, 0, -1, 0), EIGHT)));
    }

    @Test
    void anyNumberOfRanksIsSpreadEvenlyOnItsNode() {
        final Random random = new Random(7);
        for (int ranks = 1; ranks <= 32; ranks++) {
            final List<OptionalInt> numa = IntStream.range(0, ranks)
                    .mapToObj(_ -> OptionalInt.of(random.nextInt(2)))
                    .toList();
            final DeviceMap map = map("", numa, EIGHT);
            for (int node = 0; node < 2; node++) {
                final int here = node;
                final Map<String, Long> load = IntStream.range(0, ranks)
                        .filter(rank -> numa.get(rank).getAsInt() == here)
                        .mapToObj(rank -> map.port(rank).name().device())
                        .collect(Collectors.groupingBy(name -> name, Collectors.counting()));
                final long total = load.values().stream().mapToLong(n -> n).sum();
                assertTrue(load.values().stream().allMatch(n -> n <= (total + 3) / 4), load.toString());
                assertTrue(load.keySet().stream().allMatch(name -> name.charAt(5) - '0' >> 2 == here), load.toString());
            }
        }
    }

    @Test
    void oneDeviceServesAll() {
        final DeviceMap map = map("", nodes(0, 1, -1), FakeDevice.roce("rxe0", -1, "::ffff:10.0.0.1"));
        assertEquals("rxe0:1 rxe0:1 rxe0:1", names(map));
        assertEquals(
                "local rank 1 (NUMA node 1) uses rxe0:1 (NUMA node unknown, 200 Gb/s, MTU 4096, GID row 3 (::ffff:10.0.0.1, RoCE v2, eth-rxe0)):"
                        + " the only usable port",
                map.line(1));
    }

    @Test
    void withoutAUsablePortThereIsNoMap() {
        assertThrows(IllegalArgumentException.class, () -> map("", nodes(0), down("mlx5_0", 0)));
    }

    @Test
    void portsThatAreDownAreSkippedWithTheReason() {
        final FakeDevice[] devices = EIGHT.clone();
        devices[0] = down("mlx5_0", 0);
        devices[2] = down("mlx5_2", 0);
        final DeviceMap map = map("", nodes(0, 0, 0, 1), devices);
        assertEquals("mlx5_1:1 mlx5_3:1 mlx5_1:1 mlx5_4:1", names(map));
        assertEquals(6, map.lines().size());
        assertTrue(map.lines().getLast().startsWith("not used: mlx5_2:1: the port is DOWN"), map.lines().toString());
        for (int i = 0; i < 4; i++) {
            devices[i] = down("mlx5_" + i, 0);
        }
        final DeviceMap far = map("", nodes(0, 0), devices);
        assertEquals("mlx5_4:1 mlx5_5:1", names(far));
        assertTrue(far.line(0).endsWith("no usable port is on NUMA node 0: spread over 4 on the nearest"), far.line(0));
    }

    @Test
    void theNearestNodeCounts() {
        // Four nodes in two sockets; devices on 1 and 3 only.
        final NumaDistances sockets = (from, to) -> from == to ? 10 : from / 2 == to / 2 ? 12 : 32;
        final PortSurvey survey = survey(FakeDevice.roce("mlx5_0", 1, "::ffff:10.0.0.1"),
                FakeDevice.roce("mlx5_1", 3, "::ffff:10.0.0.2"));
        assertEquals("mlx5_0:1 mlx5_0:1 mlx5_1:1 mlx5_1:1",
                names(DeviceMap.of(VerbsSettings.DEFAULTS, survey, nodes(0, 1, 2, 3), sockets)));
    }

    @Test
    void bothPortsOfADeviceCountOnlyAfterEachDeviceIsUsed() {
        final FakeDevice[] dual = IntStream.range(0, 2)
                .mapToObj(i -> FakeDevice.roce("mlx5_" + i, 0, "::ffff:10.0.0." + i)
                        .port(2, PortState.ACTIVE, LinkLayer.ETHERNET, Mtu.MTU_4096, FakeDevice.SPEED_50)
                        .gid(2, 3, "::ffff:10.0.1." + i, GidType.ROCE_V2, "eth" + i))
                .toArray(FakeDevice[]::new);
        assertEquals("mlx5_0:1 mlx5_1:1 mlx5_0:2 mlx5_1:2 mlx5_0:1", names(map("", nodes(0, 0, 0, 0, 0), dual)));
    }

    @Test
    void aSlowPortIsUsedOnlyWhenTheFastOnesAreFull() {
        final FakeDevice slow = new FakeDevice("bnxt_re0", 0, TransportType.INFINIBAND)
                .port(1, PortState.ACTIVE, LinkLayer.ETHERNET, Mtu.MTU_1024, FakeDevice.SPEED_25)
                .gid(1, 3, "::ffff:10.1.0.1", GidType.ROCE_V2, "eth9");
        assertEquals("mlx5_0:1 bnxt_re0:1 mlx5_0:1", names(map("", nodes(0, 0, 0), slow, EIGHT[0])));
    }

    @Test
    void theSettingDecidesFirstAndTheRestGoRoundIt() {
        final DeviceMap map = map("0=mlx5_7:1,2=mlx5_0,9=mlx5_1", nodes(0, 0, 0), EIGHT);
        assertEquals("mlx5_7:1 mlx5_1:1 mlx5_0:1", names(map));
        assertTrue(map.line(0).endsWith(": CHAGRES_IB_MAP=0=mlx5_7:1,2=mlx5_0,9=mlx5_1"), map.line(0));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "0=mlx5_9 | mlx5_9:1 cannot be used: there is no such port; usable are mlx5_1:1",
            "0=mlx5_0 | mlx5_0:1 cannot be used: the port is DOWN", "0=mlx5_1:2 | there is no such port",
            "5=mlx5_9 | there is no such port" })
    void aPortThatCannotBeUsedIsRefusedWithTheReason(final String override, final String words) {
        final String message = assertThrows(IllegalArgumentException.class,
                () -> map(override, nodes(0), down("mlx5_0", 0), EIGHT[1])).getMessage();
        assertTrue(message.startsWith("CHAGRES_IB_MAP=" + override) && message.contains(words), message);
    }

    @Test
    void theSameInputsGiveTheSameMap() {
        final List<OptionalInt> ranks = new ArrayList<>(Collections.nCopies(16, OptionalInt.empty()));
        assertEquals(names(map("", ranks, EIGHT)), names(map("", ranks, EIGHT)));
        assertEquals(Optional.empty(), survey(EIGHT).problem());
    }
}
