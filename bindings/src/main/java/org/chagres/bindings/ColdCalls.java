package org.chagres.bindings;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;

/**
 * Downcalls that may block or fail with errno: one constant handle for each result type and number of arguments, with
 * the function as an argument, so that the compiler inlines the call and linking costs little at start.
 * <p>
 * Every argument travels as 64 bits. The calling conventions of Linux on x86-64, AArch64 and RISC-V put each integer
 * argument, however narrow, into a 64-bit register or stack slot of its own, and the callee reads only its width; so
 * an {@code int} widened by Java is what the callee expects, and an unsigned narrower one must come zero-extended.
 */
final class ColdCalls {
    private static final MethodHandle INT_0 = link(FunctionDescriptor.of(JAVA_INT, words(0)));
    private static final MethodHandle INT_1 = link(FunctionDescriptor.of(JAVA_INT, words(1)));
    private static final MethodHandle INT_2 = link(FunctionDescriptor.of(JAVA_INT, words(2)));
    private static final MethodHandle INT_3 = link(FunctionDescriptor.of(JAVA_INT, words(3)));
    private static final MethodHandle INT_4 = link(FunctionDescriptor.of(JAVA_INT, words(4)));
    private static final MethodHandle INT_5 = link(FunctionDescriptor.of(JAVA_INT, words(5)));
    private static final MethodHandle INT_6 = link(FunctionDescriptor.of(JAVA_INT, words(6)));
    private static final MethodHandle INT_11 = link(FunctionDescriptor.of(JAVA_INT, words(11)));
    private static final MethodHandle LONG_0 = link(FunctionDescriptor.of(JAVA_LONG, words(0)));
    private static final MethodHandle LONG_1 = link(FunctionDescriptor.of(JAVA_LONG, words(1)));
    private static final MethodHandle LONG_2 = link(FunctionDescriptor.of(JAVA_LONG, words(2)));
    private static final MethodHandle LONG_3 = link(FunctionDescriptor.of(JAVA_LONG, words(3)));
    private static final MethodHandle LONG_4 = link(FunctionDescriptor.of(JAVA_LONG, words(4)));
    private static final MethodHandle LONG_5 = link(FunctionDescriptor.of(JAVA_LONG, words(5)));
    private static final MethodHandle LONG_6 = link(FunctionDescriptor.of(JAVA_LONG, words(6)));
    private static final MethodHandle VOID_1 = link(FunctionDescriptor.ofVoid(words(1)));
    private static final MethodHandle VOID_2 = link(FunctionDescriptor.ofVoid(words(2)));

    private ColdCalls() {
    }

    /**
     * Brings the ways in which libibverbs and librdmacm report failure down to one.
     *
     * @param result
     *            0, an errno value, its negative, or -1 with errno set
     * @return 0, or the errno value
     */
    static int status(final int result) {
        if (result == -1) {
            final int errno = CallState.errno();
            return errno != 0 ? errno : Errno.EPERM;
        }
        return Math.abs(result);
    }

    /** A {@code uint8_t} argument: Java's own narrowing would hide a wrong port. */
    static long u8(final int value) {
        return unsigned(value, 8);
    }

    /** A {@code uint16_t} argument. */
    static long u16(final int value) {
        return unsigned(value, 16);
    }

    private static long unsigned(final int value, final int bits) {
        if (value >>> bits != 0) {
            throw new IllegalArgumentException(
                    value + " is not in 0.." + ((1 << bits) - 1) + ", as the C type demands");
        }
        return value;
    }

    /**
     * What to throw for a throwable that a downcall cannot throw.
     *
     * @return never: the throwable is rethrown, wrapped if it is checked
     */
    static AssertionError unexpected(final Throwable throwable) {
        if (throwable instanceof RuntimeException exception) {
            throw exception;
        }
        if (throwable instanceof Error error) {
            throw error;
        }
        return new AssertionError("a downcall throws nothing checked", throwable);
    }

    static int callInt(final MemorySegment function) {
        try {
            return (int) INT_0.invokeExact(function, CallState.segment());
        } catch (final Throwable throwable) {
            throw unexpected(throwable);
        }
    }

    static int callInt(final MemorySegment function, final long a) {
        try {
            return (int) INT_1.invokeExact(function, CallState.segment(), a);
        } catch (final Throwable throwable) {
            throw unexpected(throwable);
        }
    }

    static int callInt(final MemorySegment function, final long a, final long b) {
        try {
            return (int) INT_2.invokeExact(function, CallState.segment(), a, b);
        } catch (final Throwable throwable) {
            throw unexpected(throwable);
        }
    }

    static int callInt(final MemorySegment function, final long a, final long b, final long c) {
        try {
            return (int) INT_3.invokeExact(function, CallState.segment(), a, b, c);
        } catch (final Throwable throwable) {
            throw unexpected(throwable);
        }
    }

    static int callInt(final MemorySegment function, final long a, final long b, final long c, final long d) {
        try {
            return (int) INT_4.invokeExact(function, CallState.segment(), a, b, c, d);
        } catch (final Throwable throwable) {
            throw unexpected(throwable);
        }
    }

    static int callInt(final MemorySegment function, final long a, final long b, final long c, final long d,
            final long e) {
        try {
            return (int) INT_5.invokeExact(function, CallState.segment(), a, b, c, d, e);
        } catch (final Throwable throwable) {
            throw unexpected(throwable);
        }
    }

    static int callInt(final MemorySegment function, final long a, final long b, final long c, final long d,
            final long e, final long f) {
        try {
            return (int) INT_6.invokeExact(function, CallState.segment(), a, b, c, d, e, f);
        } catch (final Throwable throwable) {
            throw unexpected(throwable);
        }
    }

    static int callInt(final MemorySegment function, final long a, final long b, final long c, final long d,
            final long e, final long f, final long g, final long h, final long i, final long j, final long k) {
        try {
            return (int) INT_11.invokeExact(function, CallState.segment(), a, b, c, d, e, f, g, h, i, j, k);
        } catch (final Throwable throwable) {
            throw unexpected(throwable);
        }
    }

    static long callLong(final MemorySegment function) {
        try {
            return (long) LONG_0.invokeExact(function, CallState.segment());
        } catch (final Throwable throwable) {
            throw unexpected(throwable);
        }
    }

    static long callLong(final MemorySegment function, final long a) {
        try {
            return (long) LONG_1.invokeExact(function, CallState.segment(), a);
        } catch (final Throwable throwable) {
            throw unexpected(throwable);
        }
    }

    static long callLong(final MemorySegment function, final long a, final long b) {
        try {
            return (long) LONG_2.invokeExact(function, CallState.segment(), a, b);
        } catch (final Throwable throwable) {
            throw unexpected(throwable);
        }
    }

    static long callLong(final MemorySegment function, final long a, final long b, final long c) {
        try {
            return (long) LONG_3.invokeExact(function, CallState.segment(), a, b, c);
        } catch (final Throwable throwable) {
            throw unexpected(throwable);
        }
    }

    static long callLong(final MemorySegment function, final long a, final long b, final long c, final long d) {
        try {
            return (long) LONG_4.invokeExact(function, CallState.segment(), a, b, c, d);
        } catch (final Throwable throwable) {
            throw unexpected(throwable);
        }
    }

    static long callLong(final MemorySegment function, final long a, final long b, final long c, final long d,
            final long e) {
        try {
            return (long) LONG_5.invokeExact(function, CallState.segment(), a, b, c, d, e);
        } catch (final Throwable throwable) {
            throw unexpected(throwable);
        }
    }

    static long callLong(final MemorySegment function, final long a, final long b, final long c, final long d,
            final long e, final long f) {
        try {
            return (long) LONG_6.invokeExact(function, CallState.segment(), a, b, c, d, e, f);
        } catch (final Throwable throwable) {
            throw unexpected(throwable);
        }
    }

    static void callVoid(final MemorySegment function, final long a) {
        try {
            VOID_1.invokeExact(function, CallState.segment(), a);
        } catch (final Throwable throwable) {
            throw unexpected(throwable);
        }
    }

    static void callVoid(final MemorySegment function, final long a, final long b) {
        try {
            VOID_2.invokeExact(function, CallState.segment(), a, b);
        } catch (final Throwable throwable) {
            throw unexpected(throwable);
        }
    }

    private static MethodHandle link(final FunctionDescriptor signature) {
        return Linker.nativeLinker().downcallHandle(signature, CallState.CAPTURE_ERRNO);
    }

    private static MemoryLayout[] words(final int count) {
        final var words = new MemoryLayout[count];
        Arrays.fill(words, JAVA_LONG);
        return words;
    }
}
