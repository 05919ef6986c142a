package org.chagres.collectives.reduce;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;

/** All of the address space as one segment, so that an offset is an address. */
final class Memory {
    /** Constant, so that the JIT compiler drops its liveness and thread checks. */
    static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
    static final ByteOrder ORDER = ByteOrder.nativeOrder();

    private Memory() {
    }
}
