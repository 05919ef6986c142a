package org.chagres.bindings;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * The few calls of the C library that the runtime needs for memory that other processes can map. Addresses are plain {@code long}s: their
 * owners (regions and mappings) keep them valid. Calls that can fail throw {@link ErrnoException} with errno.
 *
 * <p>All methods may be called from any thread.
 */
public final class LibC {
    /** {@code memfd_create}: close the descriptor when another program is executed. */
    public static final int MFD_CLOEXEC = 1;
    /** {@code memfd_create}: back the file with explicitly reserved huge pages. */
    public static final int MFD_HUGETLB = 4;
    public static final int PROT_NONE = 0;
    public static final int PROT_READ = 1;
    public static final int PROT_WRITE = 2;
    public static final int MAP_SHARED = 0x01;
    public static final int MAP_PRIVATE = 0x02;
    public static final int MAP_FIXED = 0x10;
    public static final int MAP_ANONYMOUS = 0x20;
    public static final int MAP_NORESERVE = 0x4000;
    /** {@code madvise}: gather the range into huge pages now (Linux 6.1), whatever the system-wide setting. */
    public static final int MADV_COLLAPSE = 25;
    public static final int O_RDWR = 2;
    public static final int O_CLOEXEC = 0x80000;
    /** {@code open}: an unnamed file in the directory given; it vanishes with its last descriptor. */
    public static final int O_TMPFILE = 0x410000;
    private static final int SEEK_END = 2;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

    private static final MethodHandle MEMFD_CREATE = call("memfd_create",
            FunctionDescriptor.of(INT, ValueLayout.ADDRESS, INT));
    private static final MethodHandle OPEN = variadicCall("open",
            FunctionDescriptor.of(INT, ValueLayout.ADDRESS, INT, INT), 2);
    private static final MethodHandle CLOSE = call("close", FunctionDescriptor.of(INT, INT));
    private static final MethodHandle FTRUNCATE = call("ftruncate", FunctionDescriptor.of(INT, INT, LONG));
    private static final MethodHandle FALLOCATE = call("fallocate", FunctionDescriptor.of(INT, INT, INT, LONG, LONG));
    private static final MethodHandle LSEEK = call("lseek", FunctionDescriptor.of(LONG, INT, LONG, INT));
    private static final MethodHandle MMAP = call("mmap",
            FunctionDescriptor.of(LONG, LONG, LONG, INT, INT, INT, LONG));
    private static final MethodHandle MUNMAP = call("munmap", FunctionDescriptor.of(INT, LONG, LONG));
    private static final MethodHandle MADVISE = call("madvise", FunctionDescriptor.of(INT, LONG, LONG, INT));
    private static final MethodHandle MEMCPY = LINKER.downcallHandle(symbol("memcpy"),
            FunctionDescriptor.ofVoid(LONG, LONG, LONG), Linker.Option.critical(false));

    private LibC() {
    }

    /** Makes an anonymous file in memory and returns its descriptor. */
    public static int memfdCreate(final String name, final int flags) {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment state = CallState.segment();
            final int fd = (int) MEMFD_CREATE.invokeExact(state, arena.allocateFrom(name), flags);
            return CallState.checked("memfd_create(" + name + ")", fd);
        } catch (final Throwable t) {
            throw rethrow(t);
        }
    }

    /** Opens {@code path} and returns a descriptor. */
    public static int open(final String path, final int flags, final int mode) {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment state = CallState.segment();
            final int fd = (int) OPEN.invokeExact(state, arena.allocateFrom(path), flags, mode);
            return CallState.checked("open(" + path + ")", fd);
        } catch (final Throwable t) {
            throw rethrow(t);
        }
    }

    public static void close(final int fd) {
        try {
            final MemorySegment state = CallState.segment();
            CallState.checked("close(" + fd + ")", (int) CLOSE.invokeExact(state, fd));
        } catch (final Throwable t) {
            throw rethrow(t);
        }
    }

    /** Sets the length of a file, in bytes. */
    public static void ftruncate(final int fd, final long length) {
        try {
            final MemorySegment state = CallState.segment();
            CallState.checked("ftruncate(" + length + " bytes)", (int) FTRUNCATE.invokeExact(state, fd, length));
        } catch (final Throwable t) {
            throw rethrow(t);
        }
    }

    /** Reserves the pages of a file, so that touching them later cannot fail. */
    public static void fallocate(final int fd, final long length) {
        try {
            final MemorySegment state = CallState.segment();
            CallState.checked("fallocate(" + length + " bytes)", (int) FALLOCATE.invokeExact(state, fd, 0, 0L, length));
        } catch (final Throwable t) {
            throw rethrow(t);
        }
    }

    /** Returns the length of an open file, in bytes. */
    public static long length(final int fd) {
        try {
            final MemorySegment state = CallState.segment();
            final long end = (long) LSEEK.invokeExact(state, fd, 0L, SEEK_END);
            CallState.checked("lseek(" + fd + ")", end < 0 ? -1 : 0);
            return end;
        } catch (final Throwable t) {
            throw rethrow(t);
        }
    }

    /** Maps memory and returns its address; {@code address} is a hint unless {@code flags} has {@link #MAP_FIXED}. */
    public static long mmap(final long address, final long length, final int protection, final int flags, final int fd,
            final long offset) {
        try {
            final MemorySegment state = CallState.segment();
            final long mapped = (long) MMAP.invokeExact(state, address, length, protection, flags, fd, offset);
            CallState.checked("mmap(" + length + " bytes)", mapped == -1 ? -1 : 0);
            return mapped;
        } catch (final Throwable t) {
            throw rethrow(t);
        }
    }

    public static void munmap(final long address, final long length) {
        try {
            final MemorySegment state = CallState.segment();
            CallState.checked("munmap(" + length + " bytes)", (int) MUNMAP.invokeExact(state, address, length));
        } catch (final Throwable t) {
            throw rethrow(t);
        }
    }

    /** Gives the kernel advice on a range; returns 0, or the errno of a refusal, which callers may ignore. */
    public static int madvise(final long address, final long length, final int advice) {
        try {
            final MemorySegment state = CallState.segment();
            return (int) MADVISE.invokeExact(state, address, length, advice) == 0 ? 0 : CallState.errno();
        } catch (final Throwable t) {
            throw rethrow(t);
        }
    }

    /**
     * Copies without a thread transition. The C library's string-move instructions take whole cache lines without reading them first, which
     * makes this two to three times faster than the JVM's own copy into lines that another core holds.
     *
     * <p>The call holds up safepoints while it runs: keep {@code bytes} at or below 256 KiB.
     */
    public static void memcpy(final long to, final long from, final long bytes) {
        try {
            MEMCPY.invokeExact(to, from, bytes);
        } catch (final Throwable t) {
            throw rethrow(t);
        }
    }

    private static MethodHandle call(final String name, final FunctionDescriptor descriptor) {
        return LINKER.downcallHandle(symbol(name), descriptor, CallState.CAPTURE_ERRNO);
    }

    private static MethodHandle variadicCall(final String name, final FunctionDescriptor descriptor,
            final int firstVariadic) {
        return LINKER.downcallHandle(symbol(name), descriptor, CallState.CAPTURE_ERRNO,
                Linker.Option.firstVariadicArg(firstVariadic));
    }

    /** A function of the C library. */
    static MemorySegment symbol(final String name) {
        return LINKER.defaultLookup()
                .find(name)
                .orElseThrow(() -> new UnsupportedOperationException(
                        "the C library has no " + name + ": Chagres needs Linux with glibc 2.27 or newer"));
    }

    private static RuntimeException rethrow(final Throwable t) {
        if (t instanceof final RuntimeException e) {
            return e;
        }
        if (t instanceof final Error e) {
            throw e;
        }
        return new IllegalStateException("a downcall threw a checked exception", t);
    }
}
