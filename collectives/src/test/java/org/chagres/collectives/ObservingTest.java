package org.chagres.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersReader;
import org.chagres.collectives.record.ProcessStatus;
import org.chagres.collectives.record.ProcessStatus.CommunicatorStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What others can see of a communicator: the flight recorder, counters, JFR events. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ObservingTest {
    private static List<CommunicatorStatus> mine() throws IOException {
        return ProcessStatus.all()
                .stream()
                .filter(status -> status.pid() == ProcessHandle.current().pid())
                .findFirst()
                .orElseThrow()
                .communicators();
    }

    private static CommunicatorStatus of(final Communicator c) throws IOException {
        return mine().stream()
                .filter(status -> status.rank() == c.rank() && status.size() == c.size())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theLastOperationsCanBeReadFromOutside() {
        Worlds.run(3, c -> {
            for (int i = 1; i <= 100; i++) {
                c.allReduce(new float[i], ReduceOp.SUM);
            }
            final CommunicatorStatus status = of(c);
            assertEquals(100, status.begun());
            assertEquals(100, status.finished());
            assertEquals(64, status.last().size());
            assertEquals(37, status.last().getFirst().number());
            assertEquals("", status.broken());
            assertEquals(0, status.waitingNanos());
            c.barrier();
        });
    }

    @Test
    void aHangShowsWhoWaitsForWhom() {
        final CountDownLatch seen = new CountDownLatch(1);
        Worlds.run(2, c -> {
            if (c.rank() == 0) {
                c.barrier();
                return;
            }
            CommunicatorStatus other = waiting();
            while (other.waitsFor().isEmpty()) {
                Thread.sleep(20);
                other = waiting();
            }
            assertTrue(other.waitsFor().contains("barrier"), other.waitsFor());
            assertTrue(other.waitsFor().contains("rank 1"), other.waitsFor());
            assertTrue(other.waitingNanos() > 400_000_000, other.toString());
            seen.countDown();
            c.barrier();
        });
        assertEquals(0, seen.getCount());
    }

    private static CommunicatorStatus waiting() throws IOException {
        return mine().stream().filter(status -> status.rank() == 0 && status.size() == 2).findFirst().orElseThrow();
    }

    @Test
    void aFailureStandsInTheRecord() {
        try (World world = Worlds.open(2, Map.of("CHAGRES_TIMEOUT", "0.3"))) {
            assertThrows(CollectiveTimeoutException.class, () -> world.run(c -> {
                if (c.rank() == 0) {
                    c.barrier();
                }
                Thread.sleep(1000);
                final CommunicatorStatus zero = waiting();
                assertTrue(zero.broken().contains("waited 300 ms"), zero.broken());
            }));
        }
    }

    @Test
    void moreCommunicatorsThanTheRecordHoldsWorkWithout() {
        Worlds.run(2, c -> {
            final List<Communicator> many = Stream.generate(() -> c.split(0, c.rank())).limit(20).toList();
            for (final Communicator part : many) {
                Worlds.assertUsable(part);
                part.close();
            }
            Worlds.assertUsable(c);
        });
    }

    @Test
    void agronaReadsTheCounters() {
        Worlds.run(2, c -> {
            for (int i = 0; i < 7; i++) {
                c.allReduce(new float[10], ReduceOp.SUM);
            }
            if (c.rank() == 0) {
                assertCounters();
            }
            c.barrier();
        });
    }

    /** As any other process would: by the descriptor's link, mapped, with Agrona's own reader. */
    private static void assertCounters() throws IOException {
        final Path file;
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            file = descriptors.filter(ObservingTest::isStatus).findFirst().orElseThrow();
        }
        try (FileChannel channel = FileChannel.open(file)) {
            final var map = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
            final int counters = 32 * 4;
            final UnsafeBuffer metadata = new UnsafeBuffer(map, 4096, counters * CountersReader.METADATA_LENGTH);
            final UnsafeBuffer values = new UnsafeBuffer(map, 4096 + metadata.capacity(),
                    counters * CountersReader.COUNTER_LENGTH);
            final CountersReader reader = new CountersReader(metadata, values);
            final boolean[] found = new boolean[1];
            reader.forEach((id, label) -> {
                if (label.equals("communicator 1 rank 0: operations") && reader.getCounterValue(id) == 7) {
                    found[0] = true;
                }
            });
            assertTrue(found[0], "no counter of 7 operations");
        }
    }

    private static boolean isStatus(final Path descriptor) {
        try {
            return Files.isSymbolicLink(descriptor)
                    && Files.readSymbolicLink(descriptor).toString().contains("chagres-status");
        } catch (final IOException e) {
            return false;
        }
    }

    @Test
    void eventsAreWrittenWhenARecordingWantsThem(@TempDir final Path folder) throws IOException {
        final Path file = folder.resolve("collectives.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("org.chagres.Collective").withThreshold(Duration.ZERO);
            recording.start();
            Worlds.run(2, Map.of("CHAGRES_TRANSPORT", "tcp"), c -> {
                c.allReduce(new float[1000], ReduceOp.MAX);
                c.barrierAsync().await();
            });
            recording.stop();
            recording.dump(file);
        }
        final List<RecordedEvent> events = RecordingFile.readAllEvents(file);
        final RecordedEvent reduce = events.stream()
                .filter(event -> event.getString("collective").equals("all_reduce"))
                .findFirst()
                .orElseThrow();
        assertEquals(4, events.size());
        assertEquals(4000, reduce.getLong("bytes"));
        assertEquals("max", reduce.getString("op"));
        assertEquals("tcp", reduce.getString("transport"));
        assertTrue(reduce.getDuration("transfer").toNanos() > 0);
        assertFalse(reduce.getDuration("wait").isNegative());
    }

    @Test
    void noEventsUnlessARecordingWantsThem(@TempDir final Path folder) throws IOException {
        final Path file = folder.resolve("nothing.jfr");
        try (Recording recording = new Recording()) {
            recording.start();
            Worlds.run(2, c -> c.allReduce(new float[10], ReduceOp.SUM));
            recording.stop();
            recording.dump(file);
        }
        assertEquals(0,
                RecordingFile.readAllEvents(file)
                        .stream()
                        .filter(event -> event.getEventType().getName().startsWith("org.chagres"))
                        .count());
    }
}
