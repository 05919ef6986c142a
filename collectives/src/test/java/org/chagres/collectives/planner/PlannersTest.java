package org.chagres.collectives.planner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.HashSet;
import java.util.Set;
import org.chagres.collectives.plan.Collective;
import org.chagres.collectives.plan.Limits;
import org.chagres.collectives.plan.Planner;
import org.chagres.collectives.plan.Shape;
import org.chagres.collectives.proof.ProofException;
import org.chagres.collectives.proof.Prover;
import org.chagres.collectives.reduce.Reduction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlannersTest {
    /** Every planner and collective; each proof covers every choice of ranks that compute in place. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17 })
    void plansAreProved(final int size) {
        for (final Sweep.Case each : Sweep.cases(size, Sweep.ROOMY, 0, 1, size - 1L, size + 1L, 37L * size + 5, 4099)) {
            prove(each);
        }
        for (final Sweep.Case each : Sweep.cases(size, Sweep.TIGHT, size + 1L, size < 6 ? 301 : 101)) {
            prove(each);
        }
    }

    /** From here on no step can combine the contributions of all ranks. */
    @ParameterizedTest
    @ValueSource(ints = {Limits.MAX_OPERANDS, Limits.MAX_OPERANDS + 1 })
    void plansOfManyRanksAreProved(final int size) {
        for (final Sweep.Case each : Sweep.cases(size, Sweep.ROOMY, 0, 1, 67)) {
            prove(each);
        }
    }

    @Test
    void aStepCombinesNoMoreThanAReductionTakes() {
        assertEquals(Reduction.MAX_SOURCES, Limits.MAX_OPERANDS);
    }

    /** A proof's work grows with the steps, not with the elements. */
    @Test
    void hugePlansAreProved() {
        final Limits limits = new Limits(1 << 18, 1L << 32, 1 << 12, 2);
        for (final Collective collective : Collective.values()) {
            for (final Planner planner : Planners.ALL) {
                final Shape shape = new Shape(collective, collective == Collective.SEND_RECV ? 2 : 4, 0, (1L << 33) + 7,
                        8);
                if (planner.supports(shape, limits)) {
                    prove(new Sweep.Case(planner, shape, limits));
                }
            }
        }
    }

    private static void prove(final Sweep.Case each) {
        try {
            Prover.check(each.planner(), each.shape(), each.limits());
        } catch (final ProofException e) {
            fail(each.toString(), e);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 17, Limits.MAX_OPERANDS, Limits.MAX_OPERANDS + 1, 64 })
    void everyCollectiveHasAPlanner(final int size) {
        for (final Collective collective : Collective.values()) {
            for (final long count : new long[]{0, 1, 1 << 20 }) {
                final Shape shape = new Shape(collective, size, 0, count, 4);
                final boolean pair = collective != Collective.SEND_RECV || size == 2;
                assertEquals(pair, Planners.ALL.stream().anyMatch(planner -> planner.supports(shape, Sweep.ROOMY)),
                        shape::toString);
            }
        }
    }

    @Test
    void namesAreUniqueAndFound() {
        final Set<String> names = new HashSet<>();
        for (final Planner planner : Planners.ALL) {
            assertTrue(names.add(planner.name()), planner.name());
            assertEquals(planner, Planners.byName(planner.name().toUpperCase(java.util.Locale.ROOT)));
        }
        final String message = assertThrows(IllegalArgumentException.class, () -> Planners.byName("rings"))
                .getMessage();
        assertTrue(message.contains("'rings'") && message.contains("oneshot, direct, ring, tree"), message);
    }

    @Test
    void unsupportedShapesAreRefused() {
        final Shape shape = new Shape(Collective.ALL_TO_ALL, 3, 0, 5, 4);
        final String message = assertThrows(IllegalArgumentException.class,
                () -> new Ring().plan(shape, 0, Sweep.ROOMY)).getMessage();
        assertTrue(message.contains("ring cannot carry out") && message.contains("ALL_TO_ALL"), message);
    }

    @Test
    void oneShotHasNoUselessSteps() {
        final Shape shape = new Shape(Collective.ALL_REDUCE, 4, 0, 8, 4);
        assertEquals(3 + 3 + 1, new OneShot().plan(shape, 2, Sweep.ROOMY).steps());
    }

    @Test
    void directAllReduceInOnePieceHasNoUselessSteps() {
        final Shape shape = new Shape(Collective.ALL_REDUCE, 4, 0, 8, 4);
        assertEquals(4 * 3 + 1, new Direct().plan(shape, 2, Sweep.ROOMY).steps());
    }

    @Test
    void plansStayShort() {
        final Limits limits = new Limits(1 << 18, 1 << 24, 1 << 12, 2);
        for (final int size : new int[]{2, 5, 16 }) {
            final Shape shape = new Shape(Collective.ALL_REDUCE, size, 0, 1L << 33, 4);
            for (final String name : new String[]{"direct", "ring", "tree" }) {
                final int steps = Planners.byName(name).plan(shape, 0, new Limits(1 << 18, 1L << 34, 0, 2)).steps();
                assertTrue(steps < 5000, () -> name + " over " + size + " ranks: " + steps + " steps");
            }
            assertTrue(new Direct().plan(shape, 0, limits).steps() > 5000, "the scratch allows no fewer");
        }
    }
}
