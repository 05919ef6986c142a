package org.chagres.collectives.record;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What a process of this host says of itself, read from outside while it runs. A snapshot without a lock: numbers of an operation that ends meanwhile may
 * be of both before and after.
 *
 * @param startedMillis since 1970
 * @param readAt the monotonic clock at the time of reading, nanoseconds
 */
public record ProcessStatus(long pid, String hostName, long startedMillis, long readAt,
        List<CommunicatorStatus> communicators) {
    private static final Path PROC = Path.of("/proc");

    public ProcessStatus {
        communicators = List.copyOf(communicators);
    }

    /**
     * A communicator of the process.
     *
     * @param begun operations begun
     * @param finished operations finished; one less than begun while one runs
     * @param waitingNanos how long it has waited in the running operation; 0 if it does not
     * @param waitsFor what it waits for, in words; empty unless it has waited for a while
     * @param broken why it cannot be used any more; empty if it can
     * @param last the last operations, oldest first
     */
    public record CommunicatorStatus(long id, int rank, int size, long begun, long finished, long waitingNanos,
            String waitsFor,
            String broken, List<OperationStatus> last) {
        public CommunicatorStatus {
            last = List.copyOf(last);
        }
    }

    /**
     * An operation.
     *
     * @param number counted from 1 over all of the communicator's operations
     * @param fingerprint what it was, as {@link org.chagres.collectives.exec.Fingerprint} describes
     * @param waitBegan when it began to wait, monotonic clock; 0 if it never did
     * @param waitNanos how long it waited; 0 if not long enough to look at the clock, -1 if it still does
     */
    public record OperationStatus(long number, long fingerprint, long waitBegan, long waitNanos) {}

    /** The processes of this host that this user may look into, by id. */
    public static List<ProcessStatus> all() throws IOException {
        final List<ProcessStatus> found = new ArrayList<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (final Path process : processes) {
                final Path file = find(process);
                final ProcessStatus status = file == null ? null : read(file);
                if (status != null) {
                    found.add(status);
                }
            }
        }
        found.sort(Comparator.comparingLong(ProcessStatus::pid));
        return found;
    }

    /** The descriptor of the status file; null if there is none, the process is another user's, or it has just ended. */
    private static Path find(final Path process) {
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(process.resolve("fd"))) {
            for (final Path descriptor : descriptors) {
                if (Files.isSymbolicLink(descriptor)
                        && Files.readSymbolicLink(descriptor)
                                .toString()
                                .startsWith("/memfd:" + StatusLayout.FILE_NAME)) {
                    return descriptor;
                }
            }
            return null;
        } catch (final IOException | java.nio.file.DirectoryIteratorException e) {
            return null;
        }
    }

    /** Null if it is of another version, or the process has ended since its descriptor was found. */
    private static ProcessStatus read(final Path file) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ); Arena arena = Arena.ofConfined()) {
            if (channel.size() != StatusLayout.BYTES) {
                return null;
            }
            final MemorySegment status = channel.map(FileChannel.MapMode.READ_ONLY, 0, StatusLayout.BYTES, arena);
            return status.get(ValueLayout.JAVA_LONG, 0) == StatusLayout.MAGIC
                    && status.get(ValueLayout.JAVA_INT, 8) == StatusLayout.VERSION ? decode(status) : null;
        } catch (final IOException e) {
            return null;
        }
    }

    private static ProcessStatus decode(final MemorySegment status) {
        final long now = System.nanoTime();
        final List<CommunicatorStatus> communicators = new ArrayList<>();
        for (int i = 0; i < StatusLayout.SLOTS; i++) {
            final MemorySegment slot = status.asSlice(StatusLayout.slot(i), StatusLayout.SLOT_BYTES);
            if (slot.get(ValueLayout.JAVA_LONG, 0) != 0) {
                communicators.add(communicator(slot, now));
            }
        }
        return new ProcessStatus(status.get(ValueLayout.JAVA_LONG, StatusLayout.PID),
                text(status, StatusLayout.HOST, StatusLayout.HOST + Integer.BYTES, StatusLayout.MAX_HOST),
                status.get(ValueLayout.JAVA_LONG, StatusLayout.STARTED), now, communicators);
    }

    private static CommunicatorStatus communicator(final MemorySegment slot, final long now) {
        final long begun = slot.get(ValueLayout.JAVA_LONG, StatusLayout.BEGUN);
        final long since = slot.get(ValueLayout.JAVA_LONG, StatusLayout.WAITING_SINCE);
        final List<OperationStatus> last = new ArrayList<>();
        for (long n = Math.max(1, begun - StatusLayout.OPERATIONS + 1); n <= begun; n++) {
            final MemorySegment operation = slot.asSlice(StatusLayout.operation(n), StatusLayout.OPERATION_BYTES);
            if (operation.get(ValueLayout.JAVA_LONG, 0) == n) {
                last.add(operation(operation, n));
            }
        }
        return new CommunicatorStatus(slot.get(ValueLayout.JAVA_LONG, 0),
                slot.get(ValueLayout.JAVA_INT, StatusLayout.RANK),
                slot.get(ValueLayout.JAVA_INT, StatusLayout.SIZE), begun,
                slot.get(ValueLayout.JAVA_LONG, StatusLayout.FINISHED), since == 0 ? 0 : Math.max(1, now - since),
                text(slot, StatusLayout.WAIT_LENGTH, StatusLayout.WAIT_TEXT, StatusLayout.MAX_WAIT),
                text(slot, StatusLayout.BROKEN_LENGTH, StatusLayout.BROKEN_TEXT, StatusLayout.MAX_BROKEN), last);
    }

    private static OperationStatus operation(final MemorySegment operation, final long number) {
        final long began = operation.get(ValueLayout.JAVA_LONG, 16);
        final long ended = operation.get(ValueLayout.JAVA_LONG, 24);
        return new OperationStatus(number, operation.get(ValueLayout.JAVA_LONG, 8), began,
                ended > 0 ? ended - began : ended);
    }

    private static String text(final MemorySegment from, final long length, final long at, final int most) {
        final int bytes = Math.clamp(from.get(ValueLayout.JAVA_INT, length), 0, most);
        return new String(from.asSlice(at, bytes).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
    }
}
