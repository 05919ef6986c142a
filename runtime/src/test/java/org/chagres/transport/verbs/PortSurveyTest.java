package org.chagres.transport.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.chagres.verbs.GidType;
import org.chagres.verbs.LinkLayer;
import org.chagres.verbs.Mtu;
import org.chagres.verbs.PortState;
import org.chagres.verbs.TransportType;
import org.chagres.verbs.VerbsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PortSurveyTest {
    private static PortSurvey survey(final Map<String, String> environment, final FakeDevice... devices) {
        return PortSurvey.of(VerbsSettings.of(environment), List.of(FakeDevice.provider("", List.of(devices))),
                new FakeNetwork());
    }

    private static VerbsProblem problem(final Map<String, String> environment, final FakeDevice... devices) {
        return survey(environment, devices).problem().orElseThrow();
    }

    private static FakeDevice down(final String name, final PortState state, final LinkLayer layer) {
        return new FakeDevice(name, 0, TransportType.INFINIBAND).port(1, state, layer, Mtu.MTU_1024,
                FakeDevice.SPEED_25);
    }

    private static FakeDevice iwarp(final String name) {
        return new FakeDevice(name, 0, TransportType.IWARP);
    }

    @Test
    void usableAndSkippedPortsTogetherAreAll() {
        final FakeDevice two = FakeDevice.roce("mlx5_0", 0, "::ffff:10.0.0.1")
                .port(2, PortState.DOWN, LinkLayer.ETHERNET, Mtu.MTU_1024, 0);
        final FakeDevice denied = FakeDevice.roce("mlx5_1", 0, "::ffff:10.0.0.2")
                .refusing(new VerbsException("mlx5_1 cannot be opened: ibv_open_device failed with EACCES",
                        "ibv_open_device", 13));
        final FakeDevice excluded = FakeDevice.roce("mlx5_9", 0, "::ffff:10.0.0.9");
        final PortSurvey survey = survey(Map.of("NCCL_IB_HCA", "^mlx5_9"), two, denied, iwarp("cxgb4_0"), excluded);
        assertEquals(List.of("mlx5_0:1"), survey.usable().stream().map(port -> port.name().toString()).toList());
        assertEquals(9000, survey.usable().getFirst().networkMtu().orElseThrow());
        assertEquals(List.of("mlx5_0:2", "mlx5_1", "cxgb4_0", "mlx5_9"),
                survey.skipped().stream().map(SkippedPort::name).toList());
        assertEquals(List.of(VerbsProblem.Kind.PORT_DOWN, VerbsProblem.Kind.NO_PERMISSION,
                VerbsProblem.Kind.UNSUPPORTED_DEVICE,
                VerbsProblem.Kind.EXCLUDED), survey.skipped().stream().map(SkippedPort::kind).toList());
        assertTrue(survey.problem().isEmpty());
        assertEquals(0, excluded.opened, "what is excluded is left alone");
        assertEquals(0, two.open, "what was opened is closed");
    }

    @Test
    void withoutDevicesTheProvidersGiveTheReason() {
        final VerbsProblem none = PortSurvey.of(VerbsSettings.of(Map.of("NCCL_IB_HCA", "mlx5")),
                List.of(FakeDevice.provider("libibverbs.so.1 is missing:\n apt install libibverbs1", List.of())),
                new FakeNetwork()).problem().orElseThrow();
        assertEquals(new VerbsProblem(VerbsProblem.Kind.UNAVAILABLE,
                "fake: libibverbs.so.1 is missing: apt install libibverbs1"), none);
        assertEquals("verbs is not used, but tcp: fake: libibverbs.so.1 is missing: apt install libibverbs1",
                none.line("tcp"));
        assertEquals(VerbsProblem.Kind.UNAVAILABLE, problem(Map.of("NCCL_IB_HCA", "mlx5")).kind());
        assertEquals(VerbsProblem.Kind.UNAVAILABLE,
                PortSurvey.of(VerbsSettings.DEFAULTS, List.of(), new FakeNetwork()).problem().orElseThrow().kind());
        final String forced = none.exception("CHAGRES_TRANSPORT=verbs").getMessage();
        assertTrue(forced.startsWith("CHAGRES_TRANSPORT=verbs, but verbs cannot be used here: fake: "), forced);
    }

    @Test
    void theSecondProviderIsTakenIfTheFirstCannot() {
        final PortSurvey survey = PortSurvey.of(VerbsSettings.DEFAULTS,
                List.of(FakeDevice.provider("not here", List.of()),
                        FakeDevice.provider("", List.of(FakeDevice.roce("rxe0", -1, "::ffff:10.0.0.1")))),
                new FakeNetwork());
        assertEquals(1, survey.usable().size());
    }

    @Test
    void switchedOffNothingIsTouched() {
        final FakeDevice device = FakeDevice.roce("mlx5_0", 0, "::ffff:10.0.0.1");
        final VerbsProblem off = problem(Map.of("NCCL_IB_DISABLE", "1"), device);
        assertEquals(new VerbsProblem(VerbsProblem.Kind.DISABLED, "NCCL_IB_DISABLE=1 switches it off"), off);
        assertEquals(0, device.opened);
        assertFalse(off.isMistake());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"DOWN | ETHERNET | 'ip link set eth-mlx5_0 up'", "INIT | INFINIBAND | opensm",
            "ARMED | INFINIBAND | opensm",
            "DOWN | INFINIBAND | look at cable and switch" })
    void aPortThatIsDownComesWithTheRemedy(final PortState state, final LinkLayer layer, final String remedy) {
        final VerbsProblem problem = problem(Map.of(), down("mlx5_0", state, layer));
        assertEquals(VerbsProblem.Kind.PORT_DOWN, problem.kind());
        assertTrue(
                problem.reason().startsWith("no port can be used: mlx5_0:1: the port is " + state)
                        && problem.reason().contains(remedy),
                problem.reason());
    }

    @Test
    void aSettingThatAsksForWhatIsNotThereIsAMistakeWhateverElseIsWrong() {
        final FakeDevice good = FakeDevice.roce("mlx5_1", 0, "::ffff:10.0.0.1");
        final FakeDevice dead = down("mlx5_0", PortState.DOWN, LinkLayer.ETHERNET);
        for (final Map<String, String> environment : List.of(Map.of("NCCL_IB_GID_INDEX", "77"),
                Map.of("NCCL_IB_PKEY", "1"), Map.of("NCCL_IB_PKEY", "9"))) {
            final VerbsProblem problem = problem(environment, dead, good);
            assertTrue(
                    problem.isMistake() && problem.reason()
                            .contains(String.join("=", environment.entrySet().iterator().next().getKey(),
                                    environment.values().iterator().next()) + " names an empty row"),
                    problem.toString());
        }
        assertEquals(1, survey(Map.of("NCCL_IB_PKEY", "2"), good).usable().size());
        final String message = assertThrows(IllegalArgumentException.class,
                () -> survey(Map.of("NCCL_IB_HCA", "=mlx5_7"), dead, good)).getMessage();
        assertTrue(message.contains("this host has mlx5_0:1, mlx5_1:1"), message);
        assertFalse(problem(Map.of("NCCL_IB_HCA", "^mlx5"), good).isMistake());
    }

    @Test
    void aPortWithoutAnAddressTellsWhy() {
        final FakeDevice device = down("rxe0", PortState.ACTIVE, LinkLayer.ETHERNET).gid(1, 0, "::ffff:10.0.0.1",
                GidType.ROCE_V2, "gone0");
        final VerbsProblem problem = problem(Map.of(), device);
        assertEquals(VerbsProblem.Kind.NO_GID, problem.kind());
        assertTrue(problem.reason().contains("row 0 (::ffff:10.0.0.1, RoCE v2, gone0) belongs to gone0"),
                problem.reason());
        assertFalse(problem.isMistake());
    }

    @ParameterizedTest
    @CsvSource({"1, NO_PERMISSION", "13, NO_PERMISSION", "12, LOCKED_MEMORY", "38, UNAVAILABLE", "5, DEVICE_FAILED",
            "0, DEVICE_FAILED" })
    void aFailedCallIsSortedByItsErrno(final int errno, final VerbsProblem.Kind kind) {
        assertEquals(kind, VerbsProblem.of(new VerbsException("ibv_reg_mr failed", "ibv_reg_mr", errno)).kind());
    }
}
