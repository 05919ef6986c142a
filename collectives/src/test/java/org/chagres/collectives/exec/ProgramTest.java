package org.chagres.collectives.exec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.chagres.collectives.DataType;
import org.chagres.collectives.ReduceOp;
import org.chagres.collectives.plan.Collective;
import org.chagres.collectives.plan.Limits;
import org.chagres.collectives.plan.Planner;
import org.chagres.collectives.plan.Shape;
import org.chagres.collectives.plan.Step;
import org.chagres.collectives.planner.Planners;
import org.junit.jupiter.api.Test;

class ProgramTest {
    private static final Limits LIMITS = new Limits(64, 1 << 12, 4096, 2);

    private static Program program(final String planner, final int size, final long count) {
        final Planner by = Planners.byName(planner);
        final Shape shape = new Shape(Collective.ALL_REDUCE, size, 0, count, 4);
        return new Program(by.plan(shape, 1, LIMITS), DataType.FLOAT32, ReduceOp.SUM, 0);
    }

    @Test
    void plansWithoutFlushPointsHaveNoTable() {
        assertNull(program("direct", 3, 1000).flushBefore);
    }

    /** {@link Run} carries this plan out by other means, so it must know by itself to flush between sending and reducing. */
    @Test
    void theExchangeFlushesBeforeItReduces() {
        final Program program = program("oneshot", 2, 8);
        assertTrue(program.exchange);
        assertArrayEquals(new boolean[][]{{false, false, true } }, program.flushBefore);
    }

    /** A reduction and the puts of its result go piece by piece, so no flush may lie between them. */
    @Test
    void noFlushPointPartsAReductionFromItsPuts() {
        for (int size = 2; size <= 8; size++) {
            for (final String planner : new String[]{"ring", "tree", "direct", "halving_doubling" }) {
                if (planner.startsWith("halving") && size < 3) {
                    continue;
                }
                final Program program = program(planner, size, 5000);
                for (int c = 0; c < program.steps.length && program.flushBefore != null; c++) {
                    for (int i = 0; i < program.steps[c].length; i++) {
                        assertTrue(!program.flushBefore[c][i] || !(program.steps[c][i] instanceof Step.Put));
                    }
                }
            }
        }
    }
}
