package org.chagres.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReduceOpTest {
    @Test
    void parsesWhatItPrints() {
        for (final ReduceOp op : List.of(ReduceOp.SUM, ReduceOp.PROD, ReduceOp.MIN, ReduceOp.MAX, ReduceOp.AVG,
                ReduceOp.preMulSum(-0.25))) {
            assertEquals(op, ReduceOp.parse(op.toString()));
            assertEquals(op.hashCode(), ReduceOp.parse(op.toString().toUpperCase(java.util.Locale.ROOT)).hashCode());
        }
    }

    @Test
    void labelsAreThoseOfNcclTests() {
        assertEquals("mulsum", ReduceOp.preMulSum(3).label());
        assertEquals("avg", ReduceOp.AVG.label());
        assertEquals(ReduceOp.preMulSum(2), ReduceOp.parse("mulsum"));
    }

    @Test
    void differentScalarsDiffer() {
        assertNotEquals(ReduceOp.preMulSum(1), ReduceOp.preMulSum(2));
        assertNotEquals(ReduceOp.preMulSum(0.0), ReduceOp.preMulSum(-0.0));
        assertNotEquals(ReduceOp.preMulSum(1), ReduceOp.SUM);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "plus", "sum:2", "mulsum2", "premulsum" })
    void refusesUnknownNamesAndListsTheLegal(final String name) {
        final String message = assertThrows(IllegalArgumentException.class, () -> ReduceOp.parse(name)).getMessage();
        assertTrue(message.contains("'" + name + "'") && message.contains("sum, prod, min, max, avg"), message);
    }

    @Test
    void refusesScalarsThatAreNoNumbers() {
        final String message = assertThrows(IllegalArgumentException.class, () -> ReduceOp.parse("mulsum:x"))
                .getMessage();
        assertTrue(message.contains("'mulsum:x'"), message);
    }
}
