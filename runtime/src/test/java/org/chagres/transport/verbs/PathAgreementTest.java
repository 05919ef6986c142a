package org.chagres.transport.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.chagres.verbs.GidType;
import org.chagres.verbs.Mtu;
import org.chagres.verbs.VerbsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class PathAgreementTest {
    private static final PathEnd HERE = Ends.roce(0, "::ffff:10.0.0.1");

    private static String refusal(final PathEnd here, final PathEnd there) {
        return assertThrows(VerbsException.class, () -> PathAgreement.of(here, there)).getMessage();
    }

    @Test
    void endsOfOneKindFit() {
        final PathAgreement agreement = PathAgreement.of(HERE, Ends.roce(1, "::ffff:10.0.0.2"));
        assertEquals(new PathAgreement(Mtu.MTU_4096, true, List.of()), agreement);
    }

    @ParameterizedTest
    @EnumSource(Mtu.class)
    void bothTakeTheSmallerMtu(final Mtu ours) {
        for (final Mtu theirs : Mtu.values()) {
            final PathEnd here = Ends.roce(0, "::ffff:10.0.0.1", GidType.ROCE_V2, ours, 0);
            final PathEnd there = Ends.roce(1, "::ffff:10.0.0.2", GidType.ROCE_V2, theirs, 0);
            final PathAgreement agreement = PathAgreement.of(here, there);
            assertEquals(Math.min(ours.bytes(), theirs.bytes()), agreement.mtu().bytes());
            assertEquals(agreement.mtu(), PathAgreement.of(there, here).mtu());
            assertEquals(ours == theirs ? 0 : 1, agreement.notes().size());
            assertTrue(ours == theirs
                    || agreement.notes().getFirst().startsWith("rank 0 (host host0) has MTU " + ours.bytes()));
        }
    }

    @ParameterizedTest
    @CsvSource({"MTU_4096, 9000, 0", "MTU_1024, 9000, 4096", "MTU_1024, 1500, 0", "MTU_1024, 4191, 2048",
            "MTU_1024, 4192, 4096", "MTU_2048, 2144, 0",
            "MTU_512, 1120, 1024", "MTU_512, 1119, 0", "MTU_256, 100, 0" })
    void aNetworkDeviceThatTakesMoreIsNoted(final Mtu active, final int networkMtu, final int allowed) {
        final PathEnd here = Ends.roce(0, "::ffff:10.0.0.1", GidType.ROCE_V2, active, networkMtu);
        final List<String> notes = PathAgreement.of(here, Ends.roce(1, "::ffff:10.0.0.2", GidType.ROCE_V2, active, 0))
                .notes();
        assertEquals(allowed == 0 ? 0 : 1, notes.size(), notes.toString());
        assertTrue(allowed == 0 || notes.getFirst().contains("enough for MTU " + allowed), notes.toString());
    }

    @Test
    void whatDoesNotFitNamesBothEndsAndTheRemedy() {
        for (final PathEnd there : List.of(Ends.roce(1, "::ffff:10.0.0.2", GidType.ROCE_V1, Mtu.MTU_4096, 0),
                Ends.roce(1, "2001:db8::2"),
                Ends.infiniBand(1, 7, "fe80::7"))) {
            for (final String message : List.of(refusal(HERE, there), refusal(there, HERE))) {
                assertTrue(
                        message.contains(
                                "rank 0 (host host0), mlx5_0:1, GID row 3 ::ffff:10.0.0.1 (RoCE v2), active MTU 4096")
                                && message.contains("rank 1 (host host1), mlx5_1:1") && message.contains("CHAGRES_IB_"),
                        message);
            }
        }
        assertTrue(refusal(HERE, Ends.infiniBand(1, 7, "fe80::7"))
                .contains("is on Ethernet, rank 1 (host host1) on InfiniBand"));
        assertTrue(refusal(HERE, Ends.roce(1, "2001:db8::2")).contains("CHAGRES_IB_ADDR_FAMILY"));
    }

    @Test
    void whatMayNotWorkIsNoted() {
        final PathEnd local = Ends.roce(1, "fe80::2");
        assertTrue(PathAgreement.of(Ends.roce(0, "2001:db8::1"), local)
                .notes()
                .getFirst()
                .contains("only the link-local address fe80::2"));
        assertEquals(List.of(), PathAgreement.of(Ends.roce(0, "fe80::1"), local).notes());
        assertTrue(PathAgreement.of(HERE, Ends.roce(1, "::ffff:10.0.0.1"))
                .notes()
                .getFirst()
                .contains("have the same GID ::ffff:10.0.0.1"));
        assertEquals(List.of(), PathAgreement.of(HERE, HERE).notes(), "a rank may be connected to itself");
    }

    @Test
    void infiniBandNeedsAGlobalRouteOnlyBetweenSubnets() {
        final PathEnd here = Ends.infiniBand(0, 3, "fe80::3");
        assertFalse(PathAgreement.of(here, Ends.infiniBand(1, 7, "fe80::7")).globalRoute());
        final PathAgreement routed = PathAgreement.of(here, Ends.infiniBand(1, 7, "fec0:0:0:1::7"));
        assertTrue(routed.globalRoute() && routed.notes().getFirst().contains("different InfiniBand subnets"),
                routed.toString());
    }
}
