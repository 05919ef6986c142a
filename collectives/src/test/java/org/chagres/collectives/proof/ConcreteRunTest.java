package org.chagres.collectives.proof;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.chagres.collectives.planner.Sweep;
import org.junit.jupiter.params.ParameterizedTest;
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
}
