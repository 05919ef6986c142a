package org.chagres.bindings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.chagres.bindings.NativeLibrary.Since;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** A machine that lacks a library loads every class, and a call says what is missing and where to get it. */
final class AbsentLibraryTest {
    @Test
    void everyClassLoadsAndConstantsWorkWithoutAnyLibrary() throws Exception {
        // An empty file is no library, whatever this machine has installed.
        final var folder = Files.createDirectories(Path.of("target", "test-c", "broken").toAbsolutePath());
        for (final String soname : List.of("libibverbs.so.1", "librdmacm.so.1", "libcuda.so.1")) {
            Files.write(folder.resolve(soname), new byte[0]);
        }
        final var result = Child.java(folder, Loader.class, "--enable-native-access=ALL-UNNAMED");
        assertEquals(0, result.status(), result.output());
        final var lines = result.output().lines().toList();
        assertTrue(lines.get(0).matches("not available: .*libibverbs.so.1: file too short \\(Debian package .*\\)"),
                result.output());
        assertTrue(lines.get(1).matches("not available: .*librdmacm.so.1: file too short \\(Debian package .*\\)"),
                result.output());
        assertTrue(lines.get(2).matches("not available: .*libcuda.so.1: file too short \\(comes with .*\\)"),
                result.output());
        assertTrue(lines.get(3).startsWith("ibv_get_device_list: not available: "), result.output());
        assertEquals("IBV_WC_RETRY_EXC_ERR 12", lines.get(4));
        assertEquals("CUresult 100", lines.get(5));
        assertTrue(Integer.parseInt(lines.get(6)) > 90, "too few classes to be all: " + lines.get(6));
    }

    /** Runs in a JVM of its own. */
    static final class Loader {
        private Loader() {
        }

        public static void main(final String[] arguments) throws Exception {
            System.out.println(Verbs.LIBRARY.reason());
            System.out.println(RdmaCm.LIBRARY.reason());
            System.out.println(Cuda.LIBRARY.reason());
            try {
                DeviceList.open();
            } catch (final UnsupportedOperationException expected) {
                System.out.println(expected.getMessage());
            }
            System.out.println("IBV_WC_RETRY_EXC_ERR " + org.chagres.bindings.verbs.verbs_h.IBV_WC_RETRY_EXC_ERR());
            System.out.println(Cuda.describe(100));
            System.out.println(loadAll());
        }

        private static int loadAll() throws IOException, ClassNotFoundException {
            final var root = Path.of("target", "classes");
            int classes = 0;
            try (Stream<Path> files = Files.walk(root)) {
                for (final Path file : files.filter(Loader::isTopLevel).toList()) {
                    final var name = root.relativize(file).toString().replace('/', '.').replace(".class", "");
                    Class.forName(name);
                    classes++;
                }
            }
            return classes;
        }

        /** The classes nested in a header class hold the addresses of jextract's own calls, which nothing uses. */
        private static boolean isTopLevel(final Path file) {
            final var name = file.getFileName().toString();
            return name.endsWith(".class") && !name.equals("package-info.class")
                    && !name.matches("\\w+_h\\$[a-z_]+\\w*.class");
        }
    }

    @Test
    void withoutNativeAccessTheMessageNamesTheFlag() throws Exception {
        final var result = Child.java(Path.of("target"), Flagless.class, "--illegal-native-access=deny");
        assertEquals("not available: libibverbs.so.1: native access is denied: start the JVM with "
                + "--enable-native-access=ALL-UNNAMED\n", result.output());
    }

    /** Runs in a JVM of its own. */
    static final class Flagless {
        private Flagless() {
        }

        public static void main(final String[] arguments) {
            System.out.println(Verbs.LIBRARY.reason());
        }
    }

    @Test
    void anAbsentLibraryTellsWhy() {
        final var library = NativeLibrary.load("libchagres-absent.so.7", "nobody has it");
        assertFalse(library.available());
        assertEquals("not available: libchagres-absent.so.7: cannot open shared object file: No such file or directory"
                + " (nobody has it)", library.reason());
        assertEquals("libchagres-absent.so.7: " + library.reason(), library.toString());
        assertTrue(library.find("anything").isEmpty());
        final var call = library.function("anything");
        assertFalse(call.available());
        final var thrown = assertThrows(UnsupportedOperationException.class, call::address);
        assertEquals("anything: " + library.reason(), thrown.getMessage());
    }

    @Test
    void anAbsentSymbolNamesTheVersionItNeeds() {
        final var library = NativeLibrary.load("libc.so.6", "the C library");
        assertEquals("available", library.reason());
        final var missing = library.function(new Since("glibc 99"), "no_such_call_v2", "no_such_call");
        final var thrown = assertThrows(UnsupportedOperationException.class, missing::address);
        assertEquals("no_such_call_v2 (since glibc 99): this version of libc.so.6 does not export it",
                thrown.getMessage());
        final var older = library.function(new Since("glibc 99"), "no_such_call", "getpid");
        assertEquals(ProcessHandle.current().pid(), ColdCalls.callInt(older.address()));
    }

    @Test
    void noRdmaInTheKernelMeansNoDevices() {
        Assumptions.assumeTrue(Verbs.LIBRARY.available(), Verbs.LIBRARY.reason());
        try (DeviceList devices = DeviceList.open()) {
            for (int i = 0; i < devices.size(); i++) {
                assertNotNull(Verbs.getDeviceName(devices.get(i)));
            }
            assertThrows(IndexOutOfBoundsException.class, () -> devices.get(devices.size()));
            assertThrows(IndexOutOfBoundsException.class, () -> devices.get(-1));
        }
    }

    @Test
    void textsComeFromTheLibrary() {
        Assumptions.assumeTrue(Verbs.LIBRARY.available(), Verbs.LIBRARY.reason());
        assertEquals("port active", Verbs.eventTypeStr(9));
        assertEquals("transport retry counter exceeded", Verbs.wcStatusStr(12));
    }

    @Test
    void noRdmaInTheKernelMeansNoEventChannel() {
        Assumptions.assumeTrue(RdmaCm.LIBRARY.available(), RdmaCm.LIBRARY.reason());
        assertEquals("RDMA_CM_EVENT_ESTABLISHED", RdmaCm.eventStr(9));
        final long channel = RdmaCm.createEventChannel();
        if (channel == 0) {
            assertTrue(CallState.errno() > 0, "a failure says why");
        } else {
            RdmaCm.destroyEventChannel(channel);
        }
    }
}
