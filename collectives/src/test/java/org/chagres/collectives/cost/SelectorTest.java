package org.chagres.collectives.cost;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.chagres.collectives.plan.Collective;
import org.chagres.collectives.plan.Cost;
import org.chagres.collectives.plan.Limits;
import org.chagres.collectives.plan.Shape;
import org.chagres.collectives.plan.Topology;
import org.chagres.collectives.planner.Planners;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SelectorTest {
    private static final Wires WIRES = new Wires(LinkClass.SHM, LinkClass.TCP);
    private static final Limits LIMITS = new Limits(1 << 16, 1 << 22, 1 << 15, 2);

    private static Choice choose(final Collective collective, final int size, final long count, final boolean narrow,
            final AlgorithmSetting setting) {
        return Selector.choose(new Shape(collective, size, 0, count, narrow ? 2 : 4), narrow, LIMITS, WIRES,
                setting);
    }

    private static Choice.Alternative chosen(final Choice choice) {
        return choice.alternatives()
                .stream()
                .filter(each -> each.planner().equals(choice.planner()))
                .findFirst()
                .orElseThrow();
    }

    private static AlgorithmSetting setting(final String value) {
        return AlgorithmSetting.parse("CHAGRES_ALGO", value);
    }

    @Test
    void smallMessagesGoInOneShotAndLargeOnesDirectly() {
        assertEquals("oneshot", choose(Collective.ALL_REDUCE, 2, 2, false, AlgorithmSetting.NONE).planner().name());
        assertEquals("direct",
                choose(Collective.ALL_REDUCE, 2, 1 << 24, false, AlgorithmSetting.NONE).planner().name());
    }

    @ParameterizedTest
    @EnumSource
    void everythingIsChosenSomehow(final Collective collective) {
        for (int size = collective == Collective.SEND_RECV ? 2 : 1; size < (collective == Collective.SEND_RECV
                ? 3
                : 18); size++) {
            for (long count = 0; count < 1L << 30; count = 5 * count + 1) {
                final Choice choice = choose(collective, size, count, false, AlgorithmSetting.NONE);
                assertTrue(chosen(choice).nanoseconds() <= 1.05 * choice.alternatives().getFirst().nanoseconds(),
                        choice::reason);
                assertTrue(choice.alternatives().stream().allMatch(Choice.Alternative::allowed));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"ring,ring", "RING,ring", "Tree,tree", "' ring , tree ',ring", "recursive_doubling,recursive_doubling",
            "RecursiveDoubling,recursive_doubling", "^oneshot;all_reduce:tree,tree", "tree;allreduce:ring,ring",
            "broadcast:ring,oneshot",
            "all_reduce:^oneshot,recursive_doubling" })
    void settingsAreObeyed(final String value, final String expected) {
        final Choice choice = choose(Collective.ALL_REDUCE, 4, 16, false, setting(value));
        if (value.contains(",")) {
            assertTrue(choice.planner().name().equals("ring") || choice.planner().name().equals("tree"),
                    choice::reason);
        } else {
            assertEquals(expected, choice.planner().name(), choice::reason);
        }
        assertEquals(!value.startsWith("broadcast"), choice.reason().contains("CHAGRES_ALGO=" + value), choice::reason);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rings", "ring,", "", "ring;tree", "ring;all_reduce:", "all_sum:ring", "CollNetDirect",
            "NVLS", "NVLSTree", "PAT",
            "all_reduce:^^ring", "ring:tree" })
    void malformedSettingsAreRefusedListingLegalValues(final String value) {
        final String message = assertThrows(IllegalArgumentException.class,
                () -> AlgorithmSetting.parse("NCCL_ALGO", value)).getMessage();
        assertTrue(message.startsWith("NCCL_ALGO=" + value + ": "), message);
        assertTrue(message.contains("oneshot, direct, ring, tree") && message.contains("all_reduce, broadcast"),
                message);
    }

    @Test
    void ownVariableGoesFirst() {
        assertEquals("CHAGRES_ALGO=ring",
                AlgorithmSetting.of(Map.of("CHAGRES_ALGO", "ring", "NCCL_ALGO", "tree")).toString());
        assertEquals("NCCL_ALGO=tree", AlgorithmSetting.of(Map.of("NCCL_ALGO", "tree")).toString());
        assertEquals("", AlgorithmSetting.of(Map.of()).toString());
    }

    @Test
    void fallbackIsVisible() {
        final Choice choice = choose(Collective.ALL_TO_ALL, 4, 16, false, setting("ring"));
        assertTrue(choice.reason().startsWith("CHAGRES_ALGO=ring allows no algorithm that can carry out all_to_all"),
                choice::reason);
        assertTrue(choice.reason().contains("fallen back to the cheapest"), choice::reason);
    }

    @Test
    void narrowTypesAvoidRounding() {
        boolean differed = false;
        for (int size = 2; size < 33; size++) {
            for (long count = 1; count < 1 << 20; count *= 4) {
                final Choice wide = choose(Collective.ALL_REDUCE, size, count, false, AlgorithmSetting.NONE);
                final Choice narrow = Selector.choose(new Shape(Collective.ALL_REDUCE, size, 0, count, 4), true, LIMITS,
                        WIRES,
                        AlgorithmSetting.NONE);
                final int roundings = chosen(narrow).cost().roundings();
                final int wideRoundings = chosen(wide).cost().roundings();
                assertTrue(roundings <= wideRoundings);
                differed |= roundings < wideRoundings;
                assertEquals(roundings < wideRoundings, narrow.reason().contains("narrow"), narrow::reason);
            }
        }
        assertTrue(differed, "no shape shows a difference");
    }

    @Test
    void explainShowsStepsAndPrices() {
        final Choice choice = choose(Collective.ALL_REDUCE, 3, 5000, false, setting("direct"));
        final Shape shape = new Shape(Collective.ALL_REDUCE, 3, 0, 5000, 4);
        final String text = Explain.explain(choice.planner().plan(shape, 1, LIMITS), choice, LIMITS, "float32");
        assertTrue(
                text.startsWith(
                        "all_reduce of 5000 x float32 (20000 B) over 3 ranks, rank 1: direct, CHAGRES_ALGO=direct"),
                text);
        assertTrue(text.contains("     0  put     send[") && text.contains("-> rank 2 scratch[")
                && text.contains("wait    rank 0, signal 1"), text);
        assertTrue(text.contains("reduce  scratch[") && text.contains(", finish"), text);
        assertEquals(1, text.split("<- chosen", -1).length - 1, text);
        for (final Choice.Alternative alternative : choice.alternatives()) {
            assertTrue(text.contains("\n" + alternative.planner().name()), text);
        }
        assertTrue(text.contains("(not allowed)"), text);
    }

    @Test
    void explainShowsFlushes() {
        final Choice choice = choose(Collective.ALL_REDUCE, 2, 8, false, setting("oneshot"));
        final Shape shape = new Shape(Collective.ALL_REDUCE, 2, 0, 8, 4);
        final List<String> lines = Explain.explain(choice.planner().plan(shape, 1, LIMITS), choice, LIMITS, "float32")
                .lines()
                .map(String::strip)
                .toList();
        final int flush = lines.indexOf("flush");
        assertTrue(lines.get(flush + 1).startsWith("2  reduce"), lines::toString);
    }

    @Test
    void tooLittleScratchIsAnError() {
        final Limits little = new Limits(64, 64, 0, 1);
        final Shape shape = new Shape(Collective.REDUCE_SCATTER, 17, 0, 100, 8);
        assertTrue(Planners.ALL.stream()
                .filter(p -> !p.name().equals("ring"))
                .noneMatch(planner -> planner.supports(shape, little)));
        final Shape barely = new Shape(Collective.REDUCE_SCATTER, 17, 0, 100, 64);
        final String message = assertThrows(IllegalStateException.class,
                () -> Selector.choose(barely, false, little, WIRES, AlgorithmSetting.NONE)).getMessage();
        assertTrue(message.contains("more scratch"), message);
    }

    private static Choice onHosts(final Collective collective, final Topology topology, final int size,
            final long count) {
        return Selector.choose(new Shape(collective, size, 0, count, 4), false, LIMITS.on(topology), WIRES,
                AlgorithmSetting.NONE);
    }

    @ParameterizedTest
    @EnumSource(names = {"ALL_REDUCE", "REDUCE", "BROADCAST", "ALL_GATHER", "REDUCE_SCATTER", "BARRIER" })
    void hostsOfSeveralRanksAreUsed(final Collective collective) {
        for (final int ranks : new int[]{2, 3, 4 }) {
            for (int hosts = 2; hosts < 6; hosts++) {
                final int[] blocks = new int[hosts];
                java.util.Arrays.fill(blocks, ranks);
                final Choice choice = onHosts(collective, Topology.blocks(blocks), ranks * hosts,
                        collective == Collective.BARRIER ? 0 : 1 << 22);
                assertTrue(choice.planner().name().startsWith("hierarchical"), choice::reason);
                assertTrue(choice.reason().contains("over shm and tcp"), choice::reason);
            }
        }
    }

    @Test
    void theFewestHopsForSmallAndTheFewestBytesForLargeMessages() {
        final Topology four = Topology.blocks(2, 2, 2, 2);
        assertEquals("hierarchical_direct", onHosts(Collective.ALL_REDUCE, four, 8, 2).planner().name());
        assertEquals("hierarchical", onHosts(Collective.ALL_REDUCE, four, 8, 1 << 24).planner().name());
    }

    @Test
    void onePriceForWhatCrossesAndOneForTheRest() {
        final Topology two = Topology.blocks(2, 2);
        for (final Choice.Alternative each : onHosts(Collective.ALL_REDUCE, two, 4, 1 << 20).alternatives()) {
            final Cost cost = each.cost();
            final boolean flat = !each.planner().name().startsWith("hierarchical");
            assertEquals(flat, cost.across().messages() == cost.messages(), each::toString);
            assertTrue(cost.across().messages() > 0, each::toString);
            final double within = LinkClass.SHM.model().nanoseconds(cost);
            final double across = LinkClass.TCP.model().nanoseconds(cost);
            assertTrue(within < each.nanoseconds() && each.nanoseconds() <= across * 1.001, each::toString);
        }
        final Shape shape = new Shape(Collective.ALL_REDUCE, 2, 0, 1 << 20, 4);
        final Choice tcp = Selector.choose(shape, false, LIMITS, new Wires(LinkClass.TCP, LinkClass.TCP),
                AlgorithmSetting.NONE);
        assertTrue(tcp.reason().contains("over tcp,"), tcp::reason);
        for (final Choice.Alternative each : tcp.alternatives()) {
            assertEquals(LinkClass.TCP.model().nanoseconds(each.cost()), each.nanoseconds(), 1e-6, each::toString);
        }
    }

    @Test
    void explainSaysWhatCrossesHosts() {
        final Limits limits = LIMITS.on(Topology.of(0, 1, 0, 1));
        final Shape shape = new Shape(Collective.ALL_REDUCE, 4, 0, 5000, 4);
        final Choice choice = Selector.choose(shape, false, limits, WIRES, setting("hierarchical"));
        final String text = Explain.explain(choice.planner().plan(shape, 1, limits), choice, limits, "float32");
        assertTrue(text.contains("2 hosts, this rank on host 1; bytes to other hosts: "), text);
        assertTrue(text.contains(" 20000 of its host, 40000 in all"), text);
        assertTrue(text.contains(", signal, to host 0") && text.contains(", from host 0"), text);
        for (final String line : text.lines().toList()) {
            final boolean remote = line.matches(" *\\d+  (put|wait|signal) .*rank [02].*");
            assertEquals(remote, line.contains(" host 0"), line);
        }
    }
}
