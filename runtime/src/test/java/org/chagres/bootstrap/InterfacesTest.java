package org.chagres.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class InterfacesTest {
    private static final List<Interfaces> HOST = List.of(host("lo", "127.0.0.1", "::1"),
            host("eth0", "10.0.0.1", "fe80::1", "2001:db8::1"), host("eth1", "10.1.0.1"),
            host("eth10", "fe80::10", "10.10.0.1"), host("ib0", "2001:db8::b"), host("docker0", "172.17.0.1"),
            host("down"));

    private static Interfaces host(final String name, final String... addresses) {
        return new Interfaces(name, Stream.of(addresses).map(InterfacesTest::address).toList());
    }

    private static InetAddress address(final String literal) {
        try {
            return InetAddress.getByName(literal);
        } catch (final UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            // prefixes; the routed one wins if it is among them, then the order of the list
            "eth        | 10.1.0.1    | 10.1.0.1", "eth        | 172.17.0.1  | 10.0.0.1",
            "ib,eth     | 172.17.0.1  | 10.0.0.1", "eth1       | 10.0.0.1    | 10.1.0.1",
            "eth1,eth0  | 172.17.0.1  | 10.1.0.1", "' docker , lo ' | 10.0.0.1 | 172.17.0.1",
            // whole names
            "=eth1      | 10.0.0.1    | 10.1.0.1", "=eth10     | 10.0.0.1    | 10.10.0.1",
            "=ib0,eth0  | 10.1.0.1    | 10.0.0.1", "=lo        | 10.0.0.1    | 127.0.0.1",
            // exclusion, where loopback comes last
            "^docker    | 10.1.0.1    | 10.1.0.1", "^eth0      | 10.0.0.1    | 10.1.0.1",
            "^eth       | 10.0.0.1    | 172.17.0.1", "^eth,docker,ib | 10.0.0.1 | 127.0.0.1",
            "^=eth1     | 10.1.0.1    | 10.0.0.1", "^=eth      | 10.1.0.1    | 10.1.0.1",
            "^lo        | 127.0.0.1   | 10.0.0.1",
            // the family of the route to the coordinator, and no link-local address where there is another
            "eth        | 2001:db8::9 | 2001:db8::1", "ib         | 10.0.0.1    | 2001:db8::b",
            "eth10      | 2001:db8::9 | 10.10.0.1", "lo         | ::1         | ::1", "eth0       | ::  | 10.0.0.1" })
    void choosesAsNcclDoes(final String setting, final String routed, final String expected) {
        assertEquals(address(expected),
                Interfaces.choose("NCCL_SOCKET_IFNAME", setting.strip(), address(routed), HOST));
    }

    @ParameterizedTest
    @ValueSource(strings = {"wlan", "=eth", "^lo,eth,ib,docker", "down", "ETH0", ",", "^", "=", "^=" })
    void aNameThatMatchesNothingListsWhatThereIs(final String setting) {
        final String message = assertThrows(IllegalArgumentException.class,
                () -> Interfaces.choose("CHAGRES_SOCKET_IFNAME", setting, address("10.0.0.1"), HOST)).getMessage();
        assertTrue(message.startsWith("CHAGRES_SOCKET_IFNAME=" + setting + " ")
                && message.contains("eth1 (10.1.0.1)") && message.contains("lo (127.0.0.1, "), message);
    }

    @Test
    void ourNameComesBeforeNccls() {
        final InetAddress routed = address("192.0.2.1");
        assertEquals(routed, Interfaces.choose(Map.of(), routed));
        assertEquals(routed, Interfaces.choose(Map.of("NCCL_SOCKET_IFNAME", " "), routed));
        assertTrue(Interfaces.choose(Map.of("CHAGRES_SOCKET_IFNAME", "lo", "NCCL_SOCKET_IFNAME", "nothing"), routed)
                .isLoopbackAddress());
        assertThrows(IllegalArgumentException.class,
                () -> Interfaces.choose(Map.of("NCCL_SOCKET_IFNAME", "nothing"), routed));
    }

    @ParameterizedTest
    @CsvSource({"localhost, true", "LOCALHOST, true", "127.0.0.1, true", "127.1, true", "::1, true", "[::1], true",
            "0:0:0:0:0:0:0:1, true", "ip6-localhost, true", "localhost6, true", "localhost.localdomain, true",
            "node127, false", "vm, false", "10.0.0.1, false", "2001:db8::1, false", "127.example.org, false",
            "mylocalhost, false" })
    void knowsWhatMeansThisHostAndNoOther(final String address, final boolean loopback) {
        assertEquals(loopback, CoordinatorAddress.saysLoopback(address));
    }
}
