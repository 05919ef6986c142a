package org.chagres.transport.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.chagres.verbs.ConnectionOptions;
import org.chagres.verbs.Gid;
import org.chagres.verbs.GidType;
import org.chagres.verbs.Mtu;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VerbsSettingsTest {
    private static VerbsSettings of(final String... namesAndValues) {
        final SortedMap<String, String> environment = new TreeMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            environment.put(namesAndValues[i], namesAndValues[i + 1]);
        }
        return VerbsSettings.of(environment);
    }

    @Test
    void defaultsAreThoseOfTheTable() {
        final VerbsSettings settings = of();
        assertEquals(Optional.empty(), settings.disabled());
        assertEquals(DeviceFilter.ALL, settings.devices());
        assertEquals(GidPolicy.DEFAULT, settings.gids());
        assertFalse(settings.gids().demands());
        assertEquals(List.of(0, 0, 0, 1),
                List.of(settings.trafficClass(), settings.serviceLevel(), settings.pkeyIndex(), settings.queuePairs()));
        assertEquals(new AckTimeout(16, 7), settings.timeout());
        assertEquals(RelaxedOrdering.AUTOMATIC, settings.relaxedOrdering());
        assertEquals(Optional.empty(), settings.map());
        assertEquals(VerbsSettings.DEFAULTS,
                of("NCCL_IB_TC", " ", "CHAGRES_IB_HCA", "", "NCCL_IB_SL", "-1", "NCCL_IB_GID_INDEX", "-1"));
    }

    @Test
    void ncclsNamesWorkAndOursComeFirst() {
        final VerbsSettings settings = of("NCCL_IB_TC", "106", "NCCL_IB_SL", "3", "NCCL_IB_TIMEOUT", "22",
                "CHAGRES_IB_TIMEOUT", "20",
                "NCCL_IB_RETRY_CNT", "0", "NCCL_IB_QPS_PER_CONNECTION", "4", "NCCL_IB_PKEY", "0x2", "NCCL_IB_GID_INDEX",
                "3", "NCCL_IB_ADDR_FAMILY",
                "af_inet6", "NCCL_IB_ADDR_RANGE", "fd00::/8, 2001:db8::/32", "NCCL_IB_ROCE_VERSION_NUM", "1",
                "NCCL_IB_PCI_RELAXED_ORDERING", "1",
                "NCCL_IB_DISABLE", "1", "CHAGRES_IB_MAP", "1=mlx5_1:2, 0 = mlx5_0 ");
        assertEquals(106, settings.trafficClass());
        assertEquals(3, settings.serviceLevel());
        assertEquals(new AckTimeout(20, 0), settings.timeout());
        assertEquals(4, settings.queuePairs());
        assertEquals(2, settings.pkeyIndex());
        assertEquals(Optional.of(new Asked<>("NCCL_IB_GID_INDEX=3", 3)), settings.gids().index());
        assertEquals(AddressFamily.IPV6, settings.gids().family().orElseThrow().value());
        assertEquals(2, settings.gids().ranges().orElseThrow().value().size());
        assertEquals(GidType.ROCE_V1, settings.gids().roceType().orElseThrow().value());
        assertEquals(RelaxedOrdering.REQUIRED, settings.relaxedOrdering());
        assertEquals("NCCL_IB_DISABLE=1", settings.disabled().orElseThrow().text());
        assertEquals(Map.of(0, new PortName("mlx5_0", 1), 1, new PortName("mlx5_1", 2)),
                settings.map().orElseThrow().value());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "NCCL_IB_DISABLE       | 2       | out of range: it must be 0..1",
            "NCCL_IB_DISABLE | yes | is not a number: it must be 0..1",
            "CHAGRES_IB_TC         | 256     | -1..255", "NCCL_IB_TC | 99999999999 | out of range",
            "NCCL_IB_TC | 99999999999999999999 | not a number",
            "NCCL_IB_SL            | 16      | -1..15", "NCCL_IB_TIMEOUT | 0 | 1..31", "NCCL_IB_TIMEOUT | 32 | 1..31",
            "NCCL_IB_TIMEOUT | 1.5 | 1..31",
            "NCCL_IB_RETRY_CNT     | 8       | 0..7", "NCCL_IB_RETRY_CNT | -1 | 0..7",
            "NCCL_IB_QPS_PER_CONNECTION | 0 | 1..128",
            "NCCL_IB_PKEY          | 65536   | 0..65535", "NCCL_IB_GID_INDEX | 256 | -1..255",
            "NCCL_IB_GID_INDEX | three | is not a number",
            "NCCL_IB_ADDR_FAMILY   | IPv6    | use AF_INET or AF_INET6", "NCCL_IB_ROCE_VERSION_NUM | 3 | 1..2",
            "NCCL_IB_PCI_RELAXED_ORDERING | 3 | use 0 or 1 or 2", "NCCL_IB_ADDR_RANGE | 10.0.0.0 | 10.1.0.0/16",
            "NCCL_IB_ADDR_RANGE | 10.0.0.0/33 | fd00::/8",
            "NCCL_IB_ADDR_RANGE    | host/8  | not a range", "NCCL_IB_ADDR_RANGE | fd00::/129 | not a range",
            "NCCL_IB_ADDR_RANGE | /8 | not a range",
            "NCCL_IB_ADDR_RANGE    | 10.0.0.0/-1 | not a range", "NCCL_IB_ADDR_RANGE | 10.0.0.0/8,, | not a range",
            "NCCL_IB_HCA | ^ | names no device",
            "NCCL_IB_HCA           | =       | names no device", "NCCL_IB_HCA | ^=, | names no device",
            "NCCL_IB_HCA | mlx5_0:x | use device:port",
            "NCCL_IB_HCA           | mlx5_0:0 | use device:port", "NCCL_IB_HCA | :1 | use device:port",
            "CHAGRES_IB_MAP | mlx5_0 | use local ranks",
            "CHAGRES_IB_MAP        | 0=a,0=b | names a local rank again", "CHAGRES_IB_MAP | -1=a | use local ranks",
            "CHAGRES_IB_MAP | 0= | use local ranks",
            "CHAGRES_IB_MAP        | 0=a:b   | use local ranks", "CHAGRES_IB_MAP | 0=a:256 | use local ranks",
            "CHAGRES_IB_MAP | , | use local ranks" })
    void whatIsWrongNamesVariableValueAndRule(final String name, final String value, final String rule) {
        final String message = assertThrows(IllegalArgumentException.class, () -> of(name, value)).getMessage();
        assertTrue(message.startsWith(name + "=" + value) && message.contains(rule), message);
    }

    @Test
    void aFamilyOutsideAllRangesIsRefused() {
        assertThrows(IllegalArgumentException.class,
                () -> of("NCCL_IB_ADDR_FAMILY", "AF_INET", "NCCL_IB_ADDR_RANGE", "fd00::/8"));
        assertTrue(of("NCCL_IB_ADDR_FAMILY", "AF_INET", "NCCL_IB_ADDR_RANGE", "::/0").gids().demands());
        assertTrue(of("NCCL_IB_ADDR_FAMILY", "AF_INET6", "NCCL_IB_ADDR_RANGE", "10.0.0.0/8,fd00::/8").gids().demands());
    }

    @ParameterizedTest
    @CsvSource({"10.1.0.0/16, ::ffff:10.1.255.255, true", "10.1.0.0/16, ::ffff:10.2.0.0, false",
            "10.1.2.3/32, ::ffff:10.1.2.3, true",
            "10.1.2.3/32, ::ffff:10.1.2.2, false", "0.0.0.0/0, ::ffff:1.2.3.4, true", "0.0.0.0/0, 2001:db8::1, false",
            "::/0, ::ffff:1.2.3.4, true",
            "::/0, fe80::1, true", "fd00::/8, fdff::1, true", "fd00::/8, fc00::1, false",
            "2001:db8::/64, 2001:db8::ffff:1, true",
            "2001:db8::/65, 2001:db8:0:0:8000::1, false", "2001:db8::/64, 2001:db8:0:1::1, false",
            "fe80::1/128, fe80::1, true",
            "fe80::1/128, fe80::2, false", "10.1.77.9/16, ::ffff:10.1.0.1, true" })
    void rangesCompareTheLeadingBits(final String range, final String gid, final boolean inside) {
        assertEquals(inside, AddressRange.parse(range).contains(Gid.parse(gid)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"14 | 7 | 4.096 us * 2^14 * (7 + 1) = 536.9 ms",
            "16 | 7 | 4.096 us * 2^16 * (7 + 1) = 2.15 s",
            "20 | 7 | 4.096 us * 2^20 * (7 + 1) = 34.36 s", "1 | 0 | 4.096 us * 2^1 * (0 + 1) = 8.2 us",
            "31 | 7 | 4.096 us * 2^31 * (7 + 1) = 70368.74 s" })
    void theEffectiveTimeoutCountsTheFirstAttempt(final int exponent, final int retries, final String text) {
        assertEquals(text, new AckTimeout(exponent, retries).toString());
    }

    @Test
    void connectionsAreMadeAsSet() {
        final UsablePort port = Ends.port("mlx5_0", "::ffff:10.0.0.1", Mtu.MTU_4096);
        final ConnectionOptions options = of("NCCL_IB_TC", "106", "NCCL_IB_SL", "3", "NCCL_IB_TIMEOUT", "20",
                "NCCL_IB_RETRY_CNT", "5", "NCCL_IB_PKEY",
                "2").connectionOptions(port, new PathAgreement(Mtu.MTU_1024, true, List.of()));
        assertEquals(List.of(1, 3, 2, 106, 3, 20, 5),
                List.of(options.port(), options.gidIndex(), options.pkeyIndex(), options.trafficClass(),
                        options.serviceLevel(), options.timeout(), options.retryCount()));
        assertEquals(Optional.of(Mtu.MTU_1024), options.mtu());
        assertTrue(options.rnrRetry() < 7, "7 repeats for ever");
        assertEquals(ConnectionOptions.AUTOMATIC,
                VerbsSettings.DEFAULTS.connectionOptions(port, new PathAgreement(Mtu.MTU_1024, false, List.of()))
                        .gidIndex());
    }
}
