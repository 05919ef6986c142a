package org.chagres.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class DataTypeTest {
    @ParameterizedTest
    @EnumSource(DataType.class)
    void parsesItsOwnNames(final DataType type) {
        assertSame(type, DataType.parse(type.label()));
        assertSame(type, DataType.parse(type.name()));
        assertSame(type, DataType.parse(" " + type.name().toLowerCase(Locale.ROOT) + " "));
    }

    @ParameterizedTest
    @CsvSource({"half, FLOAT16", "Float, FLOAT32", "double, FLOAT64", "bf16, BFLOAT16", "float8_e4m3fn, FLOAT8_E4M3",
            "long, INT64", "u8, UINT8" })
    void parsesOtherNamesInUse(final String name, final DataType type) {
        assertSame(type, DataType.parse(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "float33", "half|float16", "int 32", "|" })
    void refusesUnknownNamesAndListsTheLegal(final String name) {
        final String message = assertThrows(IllegalArgumentException.class, () -> DataType.parse(name)).getMessage();
        assertTrue(message.contains("'" + name + "'"), message);
        for (final DataType type : DataType.values()) {
            assertTrue(message.contains(type.label()), message);
        }
    }

    @Test
    void codesAreThoseOfNccl() {
        assertEquals(List.of(0, 1, 2, 3, 4, 5, 6, 9, 7, 8, 10, 11),
                Arrays.stream(DataType.values()).map(DataType::code).toList());
    }

    @Test
    void sizesAndLabels() {
        assertEquals("1 1 4 4 8 8 2 2 4 8 1 1",
                String.join(" ", Arrays.stream(DataType.values()).map(t -> "" + t.size()).toList()));
        assertEquals("int8 uint8 int32 uint32 int64 uint64 half bfloat16 float double f8e4m3 f8e5m2",
                String.join(" ", Arrays.stream(DataType.values()).map(DataType::label).toList()));
    }
}
