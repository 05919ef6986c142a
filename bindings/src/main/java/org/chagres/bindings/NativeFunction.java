package org.chagres.bindings;

import java.lang.foreign.MemorySegment;

/**
 * A function of a library, resolved on first use, so that a class loads and its other calls work where this one is
 * missing.
 */
final class NativeFunction {
    private final NativeLibrary library;
    private final String since;
    private final String[] names;

    /** Written without a lock: every thread that races here finds the same address, and segments are immutable. */
    private MemorySegment address;

    NativeFunction(final NativeLibrary library, final String since, final String... names) {
        this.library = library;
        this.since = since;
        this.names = names;
    }

    /** Whether a call can succeed: for callers that have another way. */
    boolean available() {
        return find() != null;
    }

    /**
     * The function's address.
     *
     * @throws UnsupportedOperationException
     *             naming function, library and version, if there is none
     */
    MemorySegment address() {
        final MemorySegment known = address;
        return known != null ? known : resolve();
    }

    private MemorySegment resolve() {
        final MemorySegment found = find();
        if (found == null) {
            throw new UnsupportedOperationException(names[0] + since + ": " + (library.available()
                    ? "this version of " + library.soname() + " does not export it"
                    : library.reason()));
        }
        address = found;
        return found;
    }

    private MemorySegment find() {
        for (final String name : names) {
            final var found = library.find(name);
            if (found.isPresent()) {
                return found.get();
            }
        }
        return null;
    }
}
