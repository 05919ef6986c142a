package org.chagres.bindings;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/**
 * Where a downcall linked with {@link #CAPTURE_ERRNO} leaves errno: one small native segment for each thread.
 * <p>
 * The JVM may overwrite the thread's real errno between the call and any later read, so it is copied as part of the
 * call. {@link #errno()} is meaningful only directly after a call that reported failure, on the same thread.
 */
public final class CallState {
    /** The linker option that captures errno into {@link #segment()}. */
    public static final Linker.Option CAPTURE_ERRNO = Linker.Option.captureCallState("errno");

    private static final StructLayout LAYOUT = Linker.Option.captureStateLayout();
    private static final long ERRNO_OFFSET = LAYOUT
            .byteOffset(PathElement.groupElement("errno"));

    /** An automatic arena: freed with its thread, and passed to a downcall without the cost of a shared arena. */
    private static final ThreadLocal<MemorySegment> SEGMENT = ThreadLocal
            .withInitial(() -> Arena.ofAuto().allocate(LAYOUT));

    private CallState() {
    }

    /**
     * The calling thread's segment, to pass as the capture argument of a downcall.
     *
     * @return a segment that lives as long as the thread refers to it
     */
    public static MemorySegment segment() {
        return SEGMENT.get();
    }

    /**
     * The errno that the last capturing call of this thread left.
     *
     * @return an errno value, see {@link Errno}; meaningless after a call that succeeded
     */
    public static int errno() {
        return SEGMENT.get().get(ValueLayout.JAVA_INT, ERRNO_OFFSET);
    }

    /**
     * The errno that the last capturing call left in {@code state}, for loops that keep their segment.
     *
     * @return an errno value, see {@link Errno}; meaningless after a call that succeeded
     */
    static int errno(final MemorySegment state) {
        return state.get(ValueLayout.JAVA_INT, ERRNO_OFFSET);
    }

    /**
     * The result of a call, which is negative where it failed.
     *
     * @throws ErrnoException if it failed; {@code call} names it
     */
    static int checked(final String call, final int result) {
        if (result < 0) {
            throw new ErrnoException(call, errno());
        }
        return result;
    }

    /** For inline functions of C that set errno themselves. */
    static void errno(final int value) {
        SEGMENT.get().set(ValueLayout.JAVA_INT, ERRNO_OFFSET, value);
    }
}
