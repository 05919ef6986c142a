package org.chagres.bindings;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Memory that C code owns, by address. */
final class Pointers {
    private Pointers() {
    }

    /** The bytes at an address, which the caller knows to exist. */
    static MemorySegment at(final long address, final long size) {
        return MemorySegment.ofAddress(address).reinterpret(size);
    }

    /** A NUL-terminated UTF-8 string; null for a null pointer. */
    static String readString(final long address) {
        return address == 0 ? null : at(address, Long.MAX_VALUE).getString(0);
    }

    static void putInt(final long address, final int value) {
        at(address, Integer.BYTES).set(ValueLayout.JAVA_INT, 0, value);
    }
}
