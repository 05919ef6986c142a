package org.chagres.collectives.reduce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.chagres.collectives.DataType;
import org.chagres.collectives.ReduceOp;
import org.junit.jupiter.api.Test;

/** Which family of kernels runs where. */
class KernelsTest {
    @Test
    void vectorsAreOnWhereTheBuildAsksForThem() {
        assumeTrue(System.getenv("CHAGRES_VECTOR") == null);
        assertTrue(Reduction.vectorized());
    }

    @Test
    void theSettingDecides() {
        assertSame(Kernels.VECTOR, Kernels.choose(null, true));
        assertSame(Kernels.PLAIN, Kernels.choose(null, false));
        assertSame(Kernels.PLAIN, Kernels.choose("0", true));
        assertSame(Kernels.PLAIN, Kernels.choose("0", false));
        assertSame(Kernels.VECTOR, Kernels.choose("1", true));
    }

    @Test
    void settingsThatCannotBeMetAreRefusedWithTheRemedy() {
        assertTrue(assertThrows(IllegalArgumentException.class, () -> Kernels.choose("1", false)).getMessage()
                .contains("--add-modules=jdk.incubator.vector"));
        final String message = assertThrows(IllegalArgumentException.class, () -> Kernels.choose("yes", true))
                .getMessage();
        assertTrue(message.contains("CHAGRES_VECTOR=yes") && message.contains("0") && message.contains("1"), message);
    }

    @Test
    void worksWithoutTheModule() throws IOException, InterruptedException {
        assertEquals("false 3.5", child(null));
    }

    @Test
    void plainWhereTheEnvironmentSaysSo() throws IOException, InterruptedException {
        assertEquals("false 3.5", child("0", "--add-modules=jdk.incubator.vector"));
    }

    private static String child(final String setting, final String... flags) throws IOException, InterruptedException {
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(flags));
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-Xshare:auto", "-cp",
                System.getProperty("java.class.path"), Child.class.getName()));
        final ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().remove("CHAGRES_VECTOR");
        if (setting != null) {
            builder.environment().put("CHAGRES_VECTOR", setting);
        }
        final Process process = builder.start();
        final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor());
        return output.strip();
    }

    /** What the other JVM runs: prints whether reductions are vectorized, and 1.25 + 2.25. */
    static final class Child {
        private Child() {
        }

        public static void main(final String[] args) {
            try (Arena arena = Arena.ofConfined()) {
                final MemorySegment data = arena.allocateFrom(ValueLayout.JAVA_FLOAT, 1.25f, 2.25f);
                Reduction.of(DataType.FLOAT32, ReduceOp.SUM)
                        .reduce2(data.address(), data.address(), data.address() + 4,
                                0, true, 2, 1);
                System.out.println(Reduction.vectorized() + " " + data.getAtIndex(ValueLayout.JAVA_FLOAT, 0));
            }
        }
    }
}
