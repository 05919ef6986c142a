package org.chagres.memory;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.chagres.bindings.LibC;
import org.chagres.bindings.ErrnoException;

/**
 * Memory with a file descriptor, which a peer opens through {@code /proc/PID/fd/FD} and maps. The file never has a name: it is gone with the
 * last process that holds it, however that process ends.
 *
 * <p>It comes from {@code memfd_create}, which no size limit of {@code /dev/shm} applies to, or, where {@code CHAGRES_SHM_DIR} is set, from
 * an unnamed file in that directory.
 */
final class SharedFile {
    /** The directory for unnamed files, if not {@code memfd_create}. */
    static final String DIRECTORY_VARIABLE = "CHAGRES_SHM_DIR";
    private static final int ENOSPC = 28;
    private static final int EFBIG = 27;
    private static final int EINTR = 4;
    private static final int ENOMEM = 12;
    private static final int EACCES = 13;
    private static final int EROFS = 30;
    private static final int OWNER_ONLY = 0600;

    private SharedFile() {
    }

    /**
     * Creates a file of {@code length} bytes whose pages are reserved, so that touching them cannot fail later.
     *
     * @return its descriptor
     * @throws MemoryExhaustedException if there is no room
     */
    static int create(final long length, final Map<String, String> environment) {
        final String directory = environment.get(DIRECTORY_VARIABLE);
        final boolean anonymous = directory == null || directory.isEmpty();
        if (anonymous && length >= AvailableMemory.WORTH_A_LOOK && length > AvailableMemory.bytes()) {
            throw exhausted(length, environment, null);
        }
        try {
            return sized(anonymous ? LibC.memfdCreate("chagres", LibC.MFD_CLOEXEC) : openUnnamed(directory), length);
        } catch (final ErrnoException e) {
            if (e.errno() == ENOSPC || e.errno() == ENOMEM || e.errno() == EFBIG) {
                throw exhausted(length, environment, e);
            }
            throw e;
        }
    }

    /** Like {@link #create}, from the huge pages that the system has reserved; returns -1 if it has too few. */
    static int createFromReservedHugePages(final long length) {
        try {
            return sized(LibC.memfdCreate("chagres", LibC.MFD_CLOEXEC | LibC.MFD_HUGETLB), length);
        } catch (final ErrnoException e) {
            return -1;
        }
    }

    private static int sized(final int fd, final long length) {
        try {
            LibC.ftruncate(fd, length);
            reserve(fd, length);
            return fd;
        } catch (final ErrnoException e) {
            LibC.close(fd);
            throw e;
        }
    }

    /** Signals, such as a profiler's, interrupt a long reservation; it then starts over. */
    private static void reserve(final int fd, final long length) {
        while (true) {
            try {
                LibC.fallocate(fd, length);
                return;
            } catch (final ErrnoException e) {
                if (e.errno() != EINTR) {
                    throw e;
                }
            }
        }
    }

    private static int openUnnamed(final String directory) {
        if (!Files.isDirectory(Path.of(directory))) {
            throw new IllegalArgumentException(
                    DIRECTORY_VARIABLE + "=" + directory
                            + " is not a directory: name a tmpfs such as /dev/shm, or unset it");
        }
        try {
            return LibC.open(directory, LibC.O_TMPFILE | LibC.O_RDWR | LibC.O_CLOEXEC, OWNER_ONLY);
        } catch (final ErrnoException e) {
            final String why = e.errno() == EACCES || e.errno() == EROFS
                    ? "it is not writable for this user"
                    : "its file system may not support unnamed files";
            throw new IllegalStateException("no shared memory in " + DIRECTORY_VARIABLE + "=" + directory + ": " + why
                    + "; name another tmpfs, or unset it to use anonymous memory", e);
        }
    }

    /** There is no room for {@code length} bytes: says where, how much there is, and what to do. */
    static MemoryExhaustedException exhausted(final long length, final Map<String, String> environment,
            final ErrnoException cause) {
        final String directory = environment.get(DIRECTORY_VARIABLE);
        final String message = directory != null && !directory.isEmpty()
                ? "no room for " + length + " bytes of shared memory in " + DIRECTORY_VARIABLE + "=" + directory + " ("
                        + Path.of(directory).toFile().getUsableSpace()
                        + " bytes free): make it larger (mount -o remount,size=...), or unset " + DIRECTORY_VARIABLE
                        + " to use anonymous memory, which that limit does not apply to"
                : "no room for " + length + " bytes of shared memory (" + AvailableMemory.bytes()
                        + " available): free memory, or raise the memory limit of this container or control group";
        return new MemoryExhaustedException(message, cause);
    }
}
