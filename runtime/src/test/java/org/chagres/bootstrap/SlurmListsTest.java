package org.chagres.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SlurmListsTest {
    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {"n1; n1", "n1,n2; n1", "n[1-3]; n1", "n[001-128]; n001", "n[7,2,1]; n7",
            "n[08-11,20],login; n08", "login,n[1-2]; login", "rack[0-3]n[01-10]; rack0n01",
            "rack[2,5-6]n[9]x,other[1-2]; rack2n9x", "a-b.example.org; a-b.example.org", "n[1-2]-ib; n1-ib",
            "[4-5]; 4" })
    void namesTheFirstNode(final String list, final String first) {
        assertEquals(first, SlurmLists.firstNode("LIST", list));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",", "n[", "n[]", "n[1", "n1]", "n[1-]", "n[-1]", "n[a-b]", "n[1,,2]", "n[1]]", "[[1]]",
            "n 1", ",n1" })
    void refusesWhatIsNoListOfNodes(final String list) {
        final String message = assertThrows(IllegalArgumentException.class, () -> SlurmLists.firstNode("LIST", list))
                .getMessage();
        assertTrue(message.startsWith("LIST=" + list + " is malformed"), message);
    }

    @Test
    void compressedCountsGiveEveryNodeItsTasks() {
        final Random random = new Random(7);
        for (int trial = 0; trial < 500; trial++) {
            final List<Integer> expected = new ArrayList<>();
            final List<String> items = new ArrayList<>();
            for (int item = 0; item <= random.nextInt(5); item++) {
                final int tasks = 1 + random.nextInt(200);
                final int nodes = 1 + random.nextInt(4);
                items.add(nodes == 1 && random.nextBoolean() ? "" + tasks : tasks + "(x" + nodes + ")");
                for (int node = 0; node < nodes; node++) {
                    expected.add(tasks);
                }
            }
            final String list = String.join(",", items);
            for (int node = 0; node < expected.size(); node++) {
                assertEquals(expected.get(node), SlurmLists.tasks("LIST", list, node), list);
            }
            final int beyond = expected.size();
            final String message = assertThrows(IllegalArgumentException.class,
                    () -> SlurmLists.tasks("LIST", list, beyond)).getMessage();
            assertTrue(message.contains("SLURM_NODEID=" + beyond), message);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",", "x2", "2(x)", "2(3)", "2(x3", "-1", "2(x-3)", "99999999999", "1,,1" })
    void refusesWhatIsNoListOfCounts(final String list) {
        final String message = assertThrows(IllegalArgumentException.class, () -> SlurmLists.tasks("LIST", list, 9))
                .getMessage();
        assertTrue(message.startsWith("LIST=" + list + " is malformed"), message);
    }
}
