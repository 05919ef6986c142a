package org.chagres.verbs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GidTest {
    /** The text form by RFC 5952, and how far each reaches. */
    @ParameterizedTest
    @CsvSource({"::, ::, HOST", "::1, ::1, HOST", "0:0:0:0:0:ffff:7f00:1, ::ffff:127.0.0.1, HOST",
            "FE80::0001, fe80::1, LINK",
            "::ffff:169.254.3.4, ::ffff:169.254.3.4, LINK", "::ffff:10.1.2.3, ::ffff:10.1.2.3, PRIVATE",
            "::ffff:192.168.0.1, ::ffff:192.168.0.1, PRIVATE",
            "fd00:1::2, fd00:1::2, PRIVATE", "fc00::, fc00::, PRIVATE", "::ffff:192.0.2.1, ::ffff:192.0.2.1, GLOBAL",
            "2001:db8:0:0:1:0:0:1, 2001:db8::1:0:0:1, GLOBAL", "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1, GLOBAL",
            "1:0:0:2:0:0:0:3, 1:0:0:2::3, GLOBAL", "1:0:0:0:0:0:0:0, 1::, GLOBAL", "ff02::1, ff02::1, MULTICAST",
            "::ffff:224.0.0.1, ::ffff:224.0.0.1, MULTICAST",
            "fe80:0:0:0:44d3:37ff:fe2d:829b, fe80::44d3:37ff:fe2d:829b, LINK" })
    void readsWritesAndJudges(final String text, final String canonical, final GidScope scope) {
        final Gid gid = Gid.parse(text);
        assertEquals(canonical, gid.toString());
        assertEquals(gid, Gid.parse(canonical));
        assertEquals(scope, gid.scope());
        assertEquals(scope == GidScope.LINK, gid.isLinkLocal());
        assertEquals(text.equals("::"), gid.isZero());
    }

    /** The JDK's parser reads back what is written, for any bits, with runs of zeros of any length. */
    @Test
    void theTextFormIsTheAddress() throws UnknownHostException {
        final Random random = new Random(3);
        for (int i = 0; i < 20_000; i++) {
            final byte[] bytes = new byte[16];
            for (int group = 0; group < 8; group++) {
                if (random.nextBoolean()) {
                    bytes[2 * group] = random.nextBoolean() ? 0 : (byte) random.nextInt();
                    bytes[2 * group + 1] = (byte) random.nextInt();
                }
            }
            final Gid gid = Gid.read(MemorySegment.ofArray(bytes));
            final String text = gid.toString();
            assertEquals(gid, Gid.parse(text), text);
            assertArrayEquals(InetAddress.getByAddress(bytes).getAddress(), gid.address().getAddress(), text);
            assertEquals(gid, Gid.of(gid.address()));
            assertEquals(text.indexOf("::"), text.lastIndexOf("::"), text);
            assertFalse(text.contains(":::"), text);
        }
    }

    @Test
    void bytesAreInNetworkOrder() {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment bytes = arena.allocate(16);
            Gid.parse("102:304:506:708:90a:b0c:d0e:f10").write(bytes);
            for (int i = 0; i < 16; i++) {
                assertEquals(i + 1, bytes.get(ValueLayout.JAVA_BYTE, i));
            }
            assertEquals(0x0102030405060708L, Gid.read(bytes).subnetPrefix());
            assertEquals(0x090a0b0c0d0e0f10L, Gid.read(bytes).interfaceId());
        }
    }

    @Test
    void mappedAddressesAreIpv4() throws UnknownHostException {
        final Gid mapped = Gid.of(InetAddress.getByName("192.0.2.7"));
        assertTrue(mapped.isIpv4Mapped());
        assertTrue(mapped.address() instanceof Inet4Address);
        assertFalse(Gid.parse("fe80::ffff:c000:207").isIpv4Mapped());
        assertFalse(Gid.parse("::c000:207").isIpv4Mapped());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "localhost", "10.0.0.1", "fe80::1%eth0", "fe80::1::2", "1:2:3", "g::", "::ffff:1.2.3",
            "rxe0:1" })
    void anythingElseIsRefused(final String text) {
        assertTrue(
                assertThrows(IllegalArgumentException.class, () -> Gid.parse(text)).getMessage().contains("not a GID"));
    }

    private static GidEntry entry(final int index, final String gid, final GidType type) {
        return new GidEntry(1, index, Gid.parse(gid), type, Optional.empty());
    }

    /** Each row is preferred to all before it. */
    @Test
    void prefersWhatReachesFurthest() {
        final List<GidEntry> worstFirst = List.of(entry(0, "fe80::1", GidType.ROCE_V1),
                entry(1, "::ffff:10.0.0.1", GidType.ROCE_V1),
                entry(9, "fe80::1", GidType.ROCE_V2), entry(8, "::ffff:169.254.0.1", GidType.ROCE_V2),
                entry(7, "fd00::1", GidType.ROCE_V2),
                entry(6, "::ffff:10.0.0.1", GidType.ROCE_V2), entry(5, "::ffff:10.0.0.2", GidType.ROCE_V2));
        for (int i = 1; i <= worstFirst.size(); i++) {
            assertEquals(worstFirst.get(i - 1), GidEntry.preferred(worstFirst.subList(0, i)).orElseThrow());
        }
        assertTrue(GidEntry.preferred(List.of(entry(0, "::", GidType.ROCE_V2), entry(1, "ff02::1", GidType.ROCE_V2)))
                .isEmpty());
    }
}
