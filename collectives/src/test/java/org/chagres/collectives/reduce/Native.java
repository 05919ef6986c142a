package org.chagres.collectives.reduce;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.chagres.collectives.DataType;

/** Elements of any type in native memory, as right-aligned bits. */
record Native(DataType type, MemorySegment segment) {
    /** Room for count elements that starts off by some bytes from a 64-byte boundary. */
    static Native allocate(final Arena arena, final DataType type, final long count, final long misaligned) {
        final long bytes = count * type.size();
        return new Native(type, arena.allocate(bytes + misaligned, 64).asSlice(misaligned, bytes));
    }

    long address() {
        return segment.address();
    }

    long get(final long index) {
        final long at = index * type.size();
        return switch (type.size()) {
            case 1 -> segment.get(ValueLayout.JAVA_BYTE, at);
            case 2 -> segment.get(ValueLayout.JAVA_SHORT_UNALIGNED, at);
            case 4 -> segment.get(ValueLayout.JAVA_INT_UNALIGNED, at);
            default -> segment.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
        };
    }

    void set(final long index, final long bits) {
        final long at = index * type.size();
        switch (type.size()) {
            case 1 -> segment.set(ValueLayout.JAVA_BYTE, at, (byte) bits);
            case 2 -> segment.set(ValueLayout.JAVA_SHORT_UNALIGNED, at, (short) bits);
            case 4 -> segment.set(ValueLayout.JAVA_INT_UNALIGNED, at, (int) bits);
            default -> segment.set(ValueLayout.JAVA_LONG_UNALIGNED, at, bits);
        }
    }
}
