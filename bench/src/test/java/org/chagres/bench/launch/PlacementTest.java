package org.chagres.bench.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;
import org.chagres.bench.UsageException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlacementTest {
    private static List<Host> hosts(final int count) {
        return IntStream.range(0, count).mapToObj(i -> new Host("h" + i, 0, false)).toList();
    }

    @Test
    void everyRankHasOnePlaceAndHostsAreBlocksOfNearlyEqualSize() {
        for (int count = 1; count <= 7; count++) {
            for (int ranks = count; ranks <= 40; ranks++) {
                final List<Placement> all = Placement.blocks(ranks, hosts(count));
                assertEquals(ranks, all.size());
                int block = 0;
                for (int rank = 0; rank < ranks; rank++) {
                    final Placement one = all.get(rank);
                    assertEquals(rank, one.rank());
                    block = one.localRank() == 0 && rank > 0 ? block + 1 : block;
                    assertEquals("h" + block, one.host().login());
                    assertEquals(one.localRank(),
                            rank > 0 && one.localRank() > 0 ? all.get(rank - 1).localRank() + 1 : 0);
                    assertTrue(one.localSize() == ranks / count || one.localSize() == ranks / count + 1,
                            one.toString());
                    assertTrue(one.localRank() < one.localSize());
                }
                assertEquals(count - 1, block);
            }
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {"3; a:2,b:2; a0/2 a1/2 b0/1", "4; a:1,b:3; a0/1 b0/3 b1/3 b2/3",
            "2; a:2,b:2; a0/2 a1/2",
            "5; a,b; a0/3 a1/3 a2/3 b0/2 b1/2", "2; u@a,[fe80::1]; a0/1 fe80::10/1", "1; [fe80::1]:4; fe80::10/1" })
    void slotsAreFilledInOrder(final int ranks, final String hosts, final String expected) {
        final List<String> placed = Placement.blocks(ranks, Host.list(hosts))
                .stream()
                .map(place -> place.host().address() + place.localRank() + "/" + place.localSize())
                .toList();
        assertEquals(expected, String.join(" ", placed));
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {"5; a:2,b:2; 4 slots", "2; a:2,b; all hosts or for none",
            "1; a,b; fewer hosts",
            "2; a,a; twice", "2; a:1,u@a:1; twice" })
    void whatDoesNotFitIsRefused(final int ranks, final String hosts, final String why) {
        final String message = assertThrows(UsageException.class, () -> Placement.blocks(ranks, Host.list(hosts)))
                .getMessage();
        assertTrue(message.contains(why), message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",", "a,", "a:0", "a:-1", "a:b", "a:", ":2", "-oProxyCommand=x", "a b", "fe80::1", "[]",
            "@a",
            "a;b", "a:9999999" })
    void whatIsNoHostIsRefusedBeforeSshSeesIt(final String hosts) {
        final String message = assertThrows(UsageException.class, () -> Host.list(hosts)).getMessage();
        assertTrue(message.startsWith("--hosts"), message);
    }

    @ParameterizedTest
    @CsvSource({"localhost, true", "127.0.0.1, true", "[::1], true", "me@localhost, true", "no-such-host, false",
            "192.0.2.77, false" })
    void thisHostNeedsNoSsh(final String host, final boolean here) {
        assertEquals(here, Host.list(host).getFirst().here());
    }
}
