package org.chagres.transport.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.chagres.verbs.GidEntry;
import org.chagres.verbs.GidType;
import org.chagres.verbs.LinkLayer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GidSelectionTest {
    /** What {@code show_gids} shows of a usual port: each address as RoCE v1 and v2. */
    private static final List<GidEntry> USUAL = List.of(row(0, "fe80::1", GidType.ROCE_V1, "eth0"),
            row(1, "fe80::1", GidType.ROCE_V2, "eth0"),
            row(2, "::ffff:10.0.0.1", GidType.ROCE_V1, "eth0"), row(3, "::ffff:10.0.0.1", GidType.ROCE_V2, "eth0"),
            row(4, "2001:db8::1", GidType.ROCE_V1, "eth0"), row(5, "2001:db8::1", GidType.ROCE_V2, "eth0"),
            row(6, "fd00::1", GidType.ROCE_V2, "eth0.7"), row(7, "::ffff:10.9.0.1", GidType.ROCE_V2, "eth0.7"));

    private static GidEntry row(final int index, final String gid, final GidType type, final String networkDevice) {
        return FakeDevice.row(1, index, gid, type, networkDevice);
    }

    private static GidSelection select(final List<GidEntry> rows, final Map<String, String> environment,
            final NetworkDevices network) {
        return GidSelection.of(LinkLayer.ETHERNET, rows, VerbsSettings.of(environment).gids(), network);
    }

    private static GidSelection select(final List<GidEntry> rows, final String... namesAndValues) {
        return select(rows, namesAndValues.length == 0 ? Map.of() : Map.of(namesAndValues[0], namesAndValues[1]),
                new FakeNetwork());
    }

    private static String reason(final GidChoice choice, final int index) {
        return choice.others()
                .stream()
                .filter(other -> other.entry().index() == index)
                .findFirst()
                .orElseThrow()
                .reason();
    }

    @Test
    void prefersRoceV2ThenRoutedThenIpv4ThenTheFirst() {
        final GidChoice choice = select(USUAL).choice().orElseThrow();
        assertEquals(3, choice.chosen().index());
        assertEquals(7, choice.others().size());
        assertEquals("is RoCE v1, and row 3 is not", reason(choice, 0));
        assertEquals("is link-local, and row 3 is not", reason(choice, 1));
        assertEquals("is RoCE v1, and row 3 is not", reason(choice, 2));
        assertEquals("is IPv6, and row 3 is not", reason(choice, 5));
        assertEquals("comes after row 3, which is of the same kind", reason(choice, 7));
        assertEquals(List.of(), choice.notes());
        assertEquals("GID: row 3 (::ffff:10.0.0.1, RoCE v2, eth0)", choice.lines().getFirst());
    }

    @Test
    void theOrderOfTheTableDecidesNothingElse() {
        final Random random = new Random(4);
        final List<GidEntry> rows = new ArrayList<>(USUAL);
        for (int i = 0; i < 100; i++) {
            Collections.shuffle(rows, random);
            assertEquals(3, select(rows).choice().orElseThrow().chosen().index());
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"NCCL_IB_ADDR_FAMILY | AF_INET6 | 5", "NCCL_IB_ADDR_FAMILY | AF_INET | 3",
            "NCCL_IB_ADDR_RANGE | 10.9.0.0/16 | 7",
            "NCCL_IB_ADDR_RANGE | fd00::/8 | 6", "NCCL_IB_ADDR_RANGE | 192.168.0.0/16,10.9.0.0/24 | 7",
            "NCCL_IB_ADDR_RANGE | ::/0 | 3",
            "NCCL_IB_ROCE_VERSION_NUM | 1 | 2", "NCCL_IB_ROCE_VERSION_NUM | 2 | 3", "NCCL_IB_GID_INDEX | 6 | 6",
            "NCCL_IB_GID_INDEX | 1 | 1",
            "NCCL_IB_GID_INDEX | -1 | 3" })
    void whatIsAskedForIsChosen(final String name, final String value, final int index) {
        final GidChoice choice = select(USUAL, name, value).choice().orElseThrow();
        assertEquals(index, choice.chosen().index());
        assertEquals(USUAL.size() - 1, choice.others().size());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"NCCL_IB_GID_INDEX | 9 | NCCL_IB_GID_INDEX=9 names an empty row",
            "NCCL_IB_GID_INDEX | 2 | row 2 (::ffff:10.0.0.1, RoCE v1, eth0) is RoCE v1, which passes no router",
            "NCCL_IB_ADDR_RANGE | 172.16.0.0/12 | row 3 (::ffff:10.0.0.1, RoCE v2, eth0) is outside NCCL_IB_ADDR_RANGE=172.16.0.0/12" })
    void whatIsAskedForAndNotThereIsAMistake(final String name, final String value, final String words) {
        final GidSelection selection = select(USUAL, name, value);
        assertTrue(selection.choice().isEmpty() && selection.mistake());
        assertTrue(selection.refusal().contains(words), selection.refusal());
    }

    @Test
    void aRowOfRoceV1MayBeNamedByThoseWhoMeanIt() {
        assertEquals(2,
                select(USUAL, Map.of("NCCL_IB_GID_INDEX", "2", "NCCL_IB_ROCE_VERSION_NUM", "1"), new FakeNetwork())
                        .choice()
                        .orElseThrow()
                        .chosen()
                        .index());
        final GidSelection contradiction = select(USUAL,
                Map.of("NCCL_IB_GID_INDEX", "2", "NCCL_IB_ROCE_VERSION_NUM", "2"), new FakeNetwork());
        assertTrue(contradiction.refusal().contains("and NCCL_IB_ROCE_VERSION_NUM=2 asks for RoCE v2"),
                contradiction.refusal());
    }

    @Test
    void whatReachesOnlyTheSegmentIsUsedWithANote() {
        final GidChoice local = select(USUAL.subList(0, 2)).choice().orElseThrow();
        assertEquals(1, local.chosen().index());
        assertTrue(local.notes().getFirst().contains("give eth0 an address"), local.notes().toString());
        final GidChoice old = select(USUAL.subList(0, 1)).choice().orElseThrow();
        assertTrue(old.notes().getFirst().contains("RoCE v1 reaches only"), old.notes().toString());
        assertEquals(1,
                select(List.of(row(1, "::ffff:169.254.3.4", GidType.ROCE_V2, "eth0"))).choice()
                        .orElseThrow()
                        .notes()
                        .size());
        assertTrue(select(List.of(row(0, "::ffff:169.254.3.4", GidType.ROCE_V2, "eth0"),
                row(1, "fd00::1", GidType.ROCE_V2, "eth0"))).choice()
                .orElseThrow()
                .chosen()
                .index() == 1);
    }

    @Test
    void addressesOfOtherNamespacesAndDeadDevicesAreRefused() {
        final FakeNetwork network = new FakeNetwork().down("eth1").address("10.0.0.5", "eth2");
        final List<GidEntry> rows = List.of(row(0, "::ffff:10.0.0.1", GidType.ROCE_V2, "veth77"),
                row(1, "::ffff:10.0.0.2", GidType.ROCE_V2, "eth1"),
                row(2, "::ffff:10.0.0.3", GidType.ROCE_V2, ""), row(3, "::1", GidType.ROCE_V2, "eth0"),
                row(4, "ff02::1", GidType.ROCE_V2, "eth0"),
                row(5, "::ffff:10.0.0.9", GidType.INFINIBAND, "eth0"), row(6, "::", GidType.ROCE_V2, "eth0"));
        // "veth77" does not start with eth, so the fake namespace lacks it
        final GidSelection selection = select(rows, Map.of(), network);
        assertTrue(selection.choice().isEmpty());
        assertFalse(selection.mistake());
        assertEquals(
                List.of("belongs to veth77, which this network namespace does not have",
                        "belongs to eth1, which is down: 'ip link set eth1 up'",
                        "is no address of this network namespace", "is an address that no other host can reach",
                        "is a multicast address",
                        "is of a type that RoCE does not have; in a container, the address may belong to another one",
                        "is empty"),
                selection.refused().stream().map(GidChoice.Refusal::reason).toList());
        final List<GidEntry> more = Stream
                .concat(rows.stream(), Stream.of(row(8, "::ffff:10.0.0.5", GidType.ROCE_V2, "")))
                .toList();
        assertEquals(8, select(more, Map.of(), network).choice().orElseThrow().chosen().index());
        assertFalse(select(rows, Map.of("NCCL_IB_GID_INDEX", "1"), network).mistake(), "no other row would do either");
    }

    @Test
    void anEmptyTableSaysSo() {
        assertEquals("no row of its GID table can be used: the table is empty", select(List.of()).refusal());
    }

    @Test
    void onInfiniBandAnyRowReachesThePort() {
        final List<GidEntry> rows = List.of(row(0, "fe80::2:c903:0:1", GidType.INFINIBAND, ""),
                row(1, "fec0::2:c903:0:1", GidType.INFINIBAND, ""));
        final GidChoice choice = GidSelection
                .of(LinkLayer.INFINIBAND, rows, VerbsSettings.of(Map.of("NCCL_IB_GID_INDEX", "3")).gids(),
                        new FakeNetwork())
                .choice()
                .orElseThrow();
        assertTrue(choice.notes().getFirst().contains("is for RoCE"), choice.notes().toString());
    }
}
