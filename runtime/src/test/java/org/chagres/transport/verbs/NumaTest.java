package org.chagres.transport.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NumaTest {
    @TempDir
    Path folder;

    private void node(final int number, final String cpus, final String distances) throws IOException {
        final Path node = Files.createDirectory(folder.resolve("node" + number));
        Files.writeString(node.resolve("cpulist"), cpus + "\n");
        Files.writeString(node.resolve("distance"), distances + "\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"0-3,8 | {0, 1, 2, 3, 8}", "5 | {5}", "'' | {}", "0-1,4-5 | {0, 1, 4, 5}" })
    void readsTheKernelsLists(final String list, final String expected) {
        final BitSet cpus = CpuLists.parse(list);
        assertEquals(expected, cpus.toString());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"0-3 | 0", "2 | 0", "4-7 | 2", "5,12 | 2", "3-4 | -1", "0-15 | -1", "99 | -1",
            "'' | -1" })
    void aProcessBelongsToTheNodeThatHoldsAllItsCpus(final String allowed, final int node) throws IOException {
        node(0, "0-3,8-11", "10 21");
        node(2, "4-7,12-15", "21 10");
        node(3, "", "21 21");
        assertEquals(node < 0 ? OptionalInt.empty() : OptionalInt.of(node),
                CpuLists.node(List.of("Name:\tjava", "Cpus_allowed_list:\t" + allowed), folder));
    }

    @Test
    void withoutTheKernelsWordNothingIsKnown() throws IOException {
        assertEquals(OptionalInt.empty(), CpuLists.node(List.of(), folder));
        assertEquals(OptionalInt.empty(), CpuLists.node(List.of("Cpus_allowed_list: 0"), folder.resolve("absent")));
        node(0, "nonsense", "what");
        assertEquals(OptionalInt.empty(), CpuLists.node(List.of("Cpus_allowed_list: 0"), folder));
        assertSame(NumaDistances.FLAT, NumaDistances.of(folder));
        assertEquals(10, NumaDistances.FLAT.between(3, 3));
        assertEquals(20, NumaDistances.FLAT.between(3, 4));
    }

    @Test
    void distancesAreTheKernels() throws IOException {
        node(0, "0", "10 12 32");
        node(1, "1", "12 10 32");
        node(4, "4", "32 31 10");
        final NumaDistances distances = NumaDistances.of(folder);
        assertEquals(12, distances.between(0, 1));
        assertEquals(31, distances.between(4, 1));
        assertEquals(32, distances.between(1, 4));
        assertEquals(20, distances.between(0, 9));
        assertEquals(20, distances.between(9, 0));
    }
}
