package org.chagres.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.HashSet;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class QueuePairTransitionsTest {
    /** The tables of ibv_modify_qp(3). */
    @ParameterizedTest
    @CsvSource({"UD, RESET, INIT, PKEY_INDEX PORT QKEY", "UD, INIT, RTR, ''", "UD, RTR, RTS, SQ_PSN",
            "UC, RESET, INIT, PKEY_INDEX PORT ACCESS_FLAGS",
            "UC, INIT, RTR, AV PATH_MTU DEST_QPN RQ_PSN", "UC, RTR, RTS, SQ_PSN",
            "RC, RESET, INIT, PKEY_INDEX PORT ACCESS_FLAGS",
            "RC, INIT, RTR, AV PATH_MTU DEST_QPN RQ_PSN MAX_DEST_RD_ATOMIC MIN_RNR_TIMER",
            "RC, RTR, RTS, SQ_PSN MAX_QP_RD_ATOMIC RETRY_CNT RNR_RETRY TIMEOUT" })
    void requiresWhatTheManualSays(final QueuePairType type, final QueuePairState from, final QueuePairState to,
            final String names) {
        final Set<QueuePairAttribute> required = new HashSet<>();
        for (final String name : names.isEmpty() ? new String[0] : names.split(" ", -1)) {
            required.add(QueuePairAttribute.valueOf(name));
        }
        assertEquals(required, QueuePairTransitions.required(type, from, to));
    }

    /** Which states are neighbours: figure 124 of the InfiniBand specification; SQE is for the unreliable only. */
    @ParameterizedTest
    @EnumSource
    void knowsTheNeighbours(final QueuePairType type) {
        final String legal = "RESET-RESET RESET-INIT INIT-RESET INIT-INIT INIT-RTR INIT-ERR RTR-RESET RTR-RTS RTR-ERR RTS-RESET RTS-RTS RTS-SQD RTS-ERR"
                + " SQD-RESET SQD-RTS SQD-SQD SQD-ERR SQE-RESET SQE-ERR ERR-RESET ERR-ERR"
                + (type == QueuePairType.RC ? "" : " SQE-RTS");
        final Set<String> pairs = Set.of(legal.split(" ", -1));
        for (final QueuePairState from : QueuePairState.values()) {
            for (final QueuePairState to : QueuePairState.values()) {
                assertEquals(pairs.contains(from + "-" + to), QueuePairTransitions.isLegal(type, from, to),
                        type + " " + from + "-" + to);
            }
        }
    }

    /** For random attributes: refused exactly if one is missing or too much, and the exception names exactly these. */
    @Test
    void namesExactlyWhatIsWrong() {
        final Random random = new Random(7);
        int accepted = 0;
        for (int i = 0; i < 50_000; i++) {
            final QueuePairType type = pick(QueuePairType.values(), random);
            final QueuePairState from = pick(QueuePairState.values(), random);
            final QueuePairState to = pick(QueuePairState.values(), random);
            if (!QueuePairTransitions.isLegal(type, from, to)) {
                final var refused = assertThrows(IllegalTransitionException.class,
                        () -> QueuePairTransitions.check(type, from, QueuePairAttributes.to(to)));
                assertTrue(refused.getMessage().contains("from " + from + " to " + to), refused.getMessage());
                continue;
            }
            final Set<QueuePairAttribute> required = QueuePairTransitions.required(type, from, to);
            final Set<QueuePairAttribute> names = EnumSet.of(QueuePairAttribute.STATE);
            names.addAll(required);
            for (int change = random.nextInt(3); change > 0; change--) {
                final QueuePairAttribute one = pick(QueuePairAttribute.values(), random);
                if (!names.remove(one)) {
                    names.add(one);
                }
            }
            names.add(QueuePairAttribute.STATE);
            accepted += check(type, from, to, names);
        }
        assertTrue(accepted > 5000, accepted + " accepted");
    }

    private static int check(final QueuePairType type, final QueuePairState from, final QueuePairState to,
            final Set<QueuePairAttribute> names) {
        final Set<QueuePairAttribute> missing = new HashSet<>(QueuePairTransitions.required(type, from, to));
        missing.removeAll(names);
        final Set<QueuePairAttribute> extra = new HashSet<>(names);
        extra.removeAll(QueuePairTransitions.required(type, from, to));
        extra.removeAll(QueuePairTransitions.optional(type, from, to));
        extra.remove(QueuePairAttribute.STATE);
        final QueuePairAttributes attributes = attributes(to, names);
        if (missing.isEmpty() && extra.isEmpty()) {
            assertEquals(to, QueuePairTransitions.check(type, from, attributes));
            return 1;
        }
        final var refused = assertThrows(IllegalTransitionException.class,
                () -> QueuePairTransitions.check(type, from, attributes));
        assertEquals(missing, refused.missing());
        assertEquals(extra, refused.extra());
        assertEquals(from, refused.from());
        assertEquals(to, refused.to());
        for (final QueuePairAttribute one : missing) {
            assertTrue(refused.getMessage().contains(one.name()), refused.getMessage());
        }
        return 0;
    }

    private static QueuePairAttributes attributes(final QueuePairState to, final Set<QueuePairAttribute> names) {
        QueuePairAttributes all = QueuePairAttributes.to(to)
                .sqdNotify(true)
                .accessFlags(Access.ALL)
                .pkeyIndex(1)
                .port(1)
                .qkey(-1)
                .addressVector(AddressVector.of(1, 0, Gid.parse("fe80::1")))
                .pathMtu(Mtu.MTU_1024)
                .timeout(14)
                .retryCount(7)
                .rnrRetry(7)
                .rqPsn(1)
                .maxRdAtomic(1)
                .minRnrTimer(1)
                .sqPsn(1)
                .maxDestRdAtomic(1)
                .destQpn(1);
        for (final QueuePairAttribute attribute : QueuePairAttribute.values()) {
            all = names.contains(attribute) ? all : all.without(attribute);
        }
        assertEquals(names, all.names());
        return all;
    }

    private static <T> T pick(final T[] values, final Random random) {
        return values[random.nextInt(values.length)];
    }

    @Test
    void withoutAStateTheStateStays() {
        assertEquals(QueuePairState.RTS,
                QueuePairTransitions.check(QueuePairType.RC, QueuePairState.RTS,
                        QueuePairAttributes.none().minRnrTimer(3)));
        assertThrows(IllegalTransitionException.class,
                () -> QueuePairTransitions.check(QueuePairType.RC, QueuePairState.RTR,
                        QueuePairAttributes.none().minRnrTimer(3)));
    }

    @Test
    void attributesKnowWhatIsSet() {
        final QueuePairAttributes some = QueuePairAttributes.to(QueuePairState.INIT).port(2).pkeyIndex(0);
        assertEquals(
                QueuePairAttribute.STATE.bit() | QueuePairAttribute.PORT.bit() | QueuePairAttribute.PKEY_INDEX.bit(),
                some.mask());
        assertEquals(2, some.port());
        assertTrue(assertThrows(IllegalStateException.class, some::qkey).getMessage().contains("QKEY is not set"));
        assertEquals(some, QueuePairAttributes.none().pkeyIndex(0).port(7).port(2).state(QueuePairState.INIT));
        assertFalse(some.has(QueuePairAttribute.AV));
        for (final Runnable bad : java.util.List.<Runnable>of(() -> some.port(0), () -> some.port(256),
                () -> some.sqPsn(1 << 24), () -> some.rqPsn(-1),
                () -> some.timeout(32), () -> some.retryCount(8), () -> some.rnrRetry(8), () -> some.minRnrTimer(32),
                () -> some.destQpn(1 << 24),
                () -> some.maxRdAtomic(256), () -> some.pkeyIndex(65_536))) {
            assertTrue(assertThrows(IllegalArgumentException.class, bad::run).getMessage().contains("is not in"));
        }
    }

    @Test
    void addressesRefuseWhatDoesNotFitTheirFields() {
        final Gid gid = Gid.parse("fe80::1");
        assertThrows(IllegalArgumentException.class, () -> AddressVector.of(0, 1, gid));
        assertThrows(IllegalArgumentException.class, () -> AddressVector.of(1, 256, gid));
        assertThrows(IllegalArgumentException.class, () -> AddressVector.of(1, 65_536));
        assertThrows(IllegalArgumentException.class, () -> new AddressVector(1, 0, 16, 0, 0, Optional.empty()));
        assertThrows(IllegalArgumentException.class, () -> new Endpoint(1 << 24, 0, 0, gid, Mtu.MTU_256));
        assertThrows(IllegalArgumentException.class, () -> new Endpoint(0, 1 << 24, 0, gid, Mtu.MTU_256));
        assertThrows(IllegalArgumentException.class, () -> ConnectionOptions.defaults().trafficClass(256));
        assertEquals(ConnectionOptions.defaults().mtu(Mtu.MTU_512), ConnectionOptions.defaults().mtu(Mtu.MTU_512));
        assertFalse(ConnectionOptions.defaults().equals(ConnectionOptions.defaults().timeout(1)));
    }
}
