package org.chagres.bindings;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.util.Optional;

/**
 * A shared library found by its soname and kept loaded for the life of the JVM, or the reason why it is not there.
 * <p>
 * The soname ({@code libibverbs.so.1}), unlike the plain name, exists without the development package and fixes the ABI. A
 * machine without the library is a normal machine: every class of this package loads there, and only a call fails.
 */
public final class NativeLibrary {
    private static final int RTLD_NOW = 2;

    private final String soname;
    private final SymbolLookup symbols;
    private final String reason;

    private NativeLibrary(final String soname, final SymbolLookup symbols, final String reason) {
        this.soname = soname;
        this.symbols = symbols;
        this.reason = reason;
    }

    /**
     * Looks a library up the way the dynamic linker does.
     *
     * @param soname
     *            file name with the ABI version, such as {@code libibverbs.so.1}
     * @param origin
     *            where a user gets it, for the message when it is absent
     * @return the library, available or not; never throws for an absent one
     */
    static NativeLibrary load(final String soname, final String origin) {
        try {
            return new NativeLibrary(soname, SymbolLookup.libraryLookup(soname, Arena.global()), "available");
        } catch (final IllegalCallerException denied) {
            return new NativeLibrary(soname, null,
                    "not available: " + soname + ": native access is denied: start the JVM with --enable-native-access="
                            + module());
        } catch (final IllegalArgumentException absent) {
            return new NativeLibrary(soname, null, "not available: " + linkerError(soname) + " (" + origin + ")");
        }
    }

    /**
     * Whether the library is loaded.
     *
     * @return false if every call into it throws
     */
    public boolean available() {
        return symbols != null;
    }

    /**
     * One line for a person: {@code available}, or {@code not available: } and the dynamic linker's own words.
     *
     * @return the state of the library
     */
    public String reason() {
        return reason;
    }

    /**
     * The address of a symbol; where several versions of it exist, the newest.
     *
     * @param symbol
     *            a C name
     * @return empty if the library or the symbol is absent
     */
    public Optional<MemorySegment> find(final String symbol) {
        return available() ? symbols.find(symbol) : Optional.empty();
    }

    @Override
    public String toString() {
        return soname + ": " + reason;
    }

    /** A function that every supported version of the library exports. */
    NativeFunction function(final String name) {
        return new NativeFunction(this, "", name);
    }

    /** A function that older versions lack, with the names to try in turn: all of one prototype and one meaning. */
    NativeFunction function(final Since since, final String... names) {
        return new NativeFunction(this, " (since " + since.version() + ")", names);
    }

    String soname() {
        return soname;
    }

    /** The first version that exports a function, such as {@code rdma-core 34}. */
    record Since(String version) {}

    private static String module() {
        final var module = NativeLibrary.class.getModule();
        return module.isNamed() ? module.getName() : "ALL-UNNAMED";
    }

    /** What dlerror says: it tells an absent file from a missing dependency and from a wrong architecture. */
    private static String linkerError(final String soname) {
        final var linker = Linker.nativeLinker();
        final var libc = linker.defaultLookup();
        final var dlopen = linker.downcallHandle(libc.findOrThrow("dlopen"),
                FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
        final var dlerror = linker.downcallHandle(libc.findOrThrow("dlerror"),
                FunctionDescriptor.of(ValueLayout.ADDRESS));
        try (Arena arena = Arena.ofConfined()) {
            final var loaded = (MemorySegment) dlopen.invokeExact(arena.allocateFrom(soname), RTLD_NOW);
            final var error = (MemorySegment) dlerror.invokeExact();
            if (loaded.equals(MemorySegment.NULL) && !error.equals(MemorySegment.NULL)) {
                return Pointers.readString(error.address());
            }
            return soname + ": cannot be loaded";
        } catch (final Throwable unexpected) {
            throw new AssertionError("dlopen and dlerror cannot throw", unexpected);
        }
    }
}
