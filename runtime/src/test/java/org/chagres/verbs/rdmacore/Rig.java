package org.chagres.verbs.rdmacore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Optional;
import org.chagres.verbs.Access;
import org.chagres.verbs.Completion;
import org.chagres.verbs.CompletionQueue;
import org.chagres.verbs.Context;
import org.chagres.verbs.MemoryRegion;
import org.chagres.verbs.ProtectionDomain;
import org.chagres.verbs.QueuePair;
import org.chagres.verbs.QueuePairOptions;
import org.chagres.verbs.QueuePairType;
import org.chagres.verbs.QueuePairs;

/** An open device with what most tests need, closed as a whole. */
final class Rig implements AutoCloseable {
    static final Duration SOON = Duration.ofSeconds(10);
    private static final int BYTES = 1 << 16;

    final Arena arena = Arena.ofShared();
    final Context context;
    final ProtectionDomain domain;
    final CompletionQueue queue;
    final MemorySegment memory;
    final MemoryRegion region;

    Rig() {
        this.context = new RdmaCoreProvider().devices().getFirst().open();
        this.domain = context.allocateProtectionDomain();
        this.queue = context.createCompletionQueue(256);
        this.memory = arena.allocate(BYTES, 4096);
        this.region = domain.register(memory, Access.ALL);
    }

    /** Skips the tests of a class where there is no device, and says why. */
    static void assumeDevice() {
        final Optional<String> reason = new RdmaCoreProvider().unavailable();
        assumeTrue(reason.isEmpty(), () -> "needs an RDMA device, run it with lab/vm: " + reason.orElse(""));
    }

    QueuePairOptions options(final QueuePairType type) {
        return QueuePairOptions.of(type, queue).sends(64, 3).receives(64, 3).inline(64);
    }

    QueuePair queuePair(final QueuePairType type) {
        return domain.createQueuePair(options(type));
    }

    /** Two queue pairs that are connected to each other. */
    QueuePair[] pair(final QueuePairType type) {
        final QueuePair[] pair = {queuePair(type), queuePair(type) };
        QueuePairs.connect(pair[0], pair[1]);
        return pair;
    }

    Completion next() throws InterruptedException {
        return queue.await(SOON).orElseThrow(() -> new AssertionError("no completion within " + SOON));
    }

    Completion.Success success(final long id) throws InterruptedException {
        final Completion.Success success = next().orThrow();
        assertEquals(id, success.id());
        return success;
    }

    void fill(final long offset, final int bytes, final int seed) {
        for (int i = 0; i < bytes; i++) {
            memory.set(java.lang.foreign.ValueLayout.JAVA_BYTE, offset + i, (byte) (seed * 31 + i * 7));
        }
    }

    void assertSame(final long expected, final long actual, final int bytes) {
        assertTrue(memory.asSlice(expected, bytes).mismatch(memory.asSlice(actual, bytes)) == -1,
                () -> bytes + " bytes at " + actual + " differ from those at " + expected);
    }

    @Override
    public void close() {
        context.close();
        arena.close();
    }
}
