package org.chagres.collectives.proof;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.chagres.collectives.planner.Sweep;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the prover accepts is right on numbers too, in random orders and mixtures of in place and out of place. */
class ConcreteRunTest {
    private static final int RUNS = 4;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 8 })
    void plansAreRightOnNumbers(final int size) {
        for (final Sweep.Case each : Sweep.cases(size, Sweep.ROOMY, 1, size + 1L)) {
            assertTrue(ConcreteRun.isRight(each.plans(), RUNS, size), each::toString);
        }
        for (final Sweep.Case each : Sweep.cases(size, Sweep.TIGHT, 101)) {
            assertTrue(ConcreteRun.isRight(each.plans(), RUNS, size), each::toString);
        }
    }

    @ParameterizedTest
    @MethodSource("org.chagres.collectives.planner.Sweep#placements")
    void plansForHostsAreRightOnNumbers(final Sweep.Placement placement) {
        final List<Sweep.Case> cases = new ArrayList<>(Sweep.hierarchical(placement, Sweep.ROOMY, 1, 19));
        cases.addAll(Sweep.hierarchical(placement, Sweep.TIGHT, 101));
        for (final Sweep.Case each : cases) {
            assertTrue(ConcreteRun.isRight(each.plans(), RUNS, placement.size()), each::toString);
        }
    }
}
