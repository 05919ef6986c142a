package org.chagres.transport.fake;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.chagres.memory.Memory;
import org.chagres.verbs.Access;
import org.chagres.verbs.CompletionBatch;
import org.chagres.verbs.CompletionStatus;
import org.chagres.verbs.PreparedSends;
import org.chagres.verbs.QueuePairCapacities;
import org.chagres.verbs.QueuePairState;

/**
 * A device in memory with a wire that is as unkind as reliable connections allow: it reads the source of a request as late as it likes, keeps the order of
 * each queue pair and of no others, and completes when asked to. What a correct transport never causes (no receive request, an overrun queue, too much
 * inline) is a failure of the test.
 */
final class FakeNetwork {
    final Random random;
    final Map<Integer, FakePair> pairs = new HashMap<>();
    final Map<Integer, FakeRegion> byRemoteKey = new HashMap<>();
    final Map<Integer, FakeRegion> byLocalKey = new HashMap<>();
    /** Whether requests go no further. */
    private boolean stopped;
    /** Whether what is written shows in memory, but nobody is told. */
    private boolean silent;
    private final List<Runnable> untold = new ArrayList<>();
    private int nextNumber = 0x10;
    private int nextKey = 0x100;
    private RuntimeException refusal;

    FakeNetwork(final long seed) {
        this.random = new Random(seed);
    }

    /** Registered memory. */
    record FakeRegion(long address, long length, int localKey, int remoteKey, java.util.Set<Access> access) {
        boolean holds(final long from, final long bytes) {
            return from >= address && from + bytes <= address + length;
        }
    }

    synchronized FakeRegion register(final long address, final long length, final java.util.Set<Access> access) {
        if (refusal != null) {
            throw refusal;
        }
        final FakeRegion region = new FakeRegion(address, length, nextKey, nextKey + 1, access);
        nextKey += 2;
        byLocalKey.put(region.localKey, region);
        byRemoteKey.put(region.remoteKey, region);
        return region;
    }

    /** Has all registrations from now on fail; null lets them succeed. */
    synchronized void refuse(final RuntimeException why) {
        refusal = why;
    }

    synchronized void deregister(final FakeRegion region) {
        byLocalKey.remove(region.localKey);
        byRemoteKey.remove(region.remoteKey);
    }

    synchronized FakePair pair(final FakeDevice.FakeDomain domain, final FakeQueue queue,
            final QueuePairCapacities capacities, final int inline) {
        final FakePair pair = new FakePair(this, domain, nextNumber++, queue, capacities, inline);
        pairs.put(pair.number, pair);
        return pair;
    }

    /** Stops or starts the wire. */
    synchronized void stop(final boolean wanted) {
        stopped = wanted;
    }

    /** From now on data arrive, but no completion does before {@link #tell}. */
    synchronized void silence() {
        silent = true;
    }

    /** Completions come again, those that were held back first. */
    synchronized void tell() {
        silent = false;
        untold.forEach(Runnable::run);
        untold.clear();
    }

    /** Moves some requests, of any queue pairs. */
    synchronized void move(final int most) {
        if (stopped) {
            return;
        }
        final List<FakePair> busy = new ArrayList<>(pairs.values().stream().filter(FakePair::hasWork).toList());
        for (int i = 0; i < most && !busy.isEmpty(); i++) {
            final FakePair pair = busy.get(random.nextInt(busy.size()));
            execute(pair, pair.sending.poll());
            if (!pair.hasWork()) {
                busy.remove(pair);
            }
        }
    }

    private void execute(final FakePair pair, final FakeRequest request) {
        if (pair.state != QueuePairState.RTS) {
            complete(pair, request.id, CompletionStatus.WR_FLUSH_ERR, false, 0, false);
            return;
        }
        final FakePair peer = pairs.get(pair.remoteNumber);
        if (peer == null || peer.state != QueuePairState.RTS && peer.state != QueuePairState.RTR) {
            fail(pair, request, CompletionStatus.RETRY_EXC_ERR);
            return;
        }
        if (!localMemory(request)) {
            fail(pair, request, CompletionStatus.LOC_PROT_ERR);
            return;
        }
        final FakeRegion target = byRemoteKey.get(request.remoteKey);
        if (request.length() > 0 && (target == null || !target.holds(request.remote, request.length())
                || !target.access.contains(Access.REMOTE_WRITE))) {
            fail(pair, request, CompletionStatus.REM_ACCESS_ERR);
            peer.breakDown();
            return;
        }
        final byte[] data = request.data();
        for (int i = 0; i < data.length; i++) {
            Memory.putByte(request.remote + i, data[i]);
        }
        if (request.hasImmediate) {
            if (peer.receives.isEmpty()) {
                throw new AssertionError("receiver not ready: queue pair " + peer.number);
            }
            final long receive = peer.receives.poll();
            complete(peer, receive, CompletionStatus.SUCCESS, true, request.immediate, true);
        }
        if (request.has(PreparedSends.SIGNALED)) {
            complete(pair, request.id, CompletionStatus.SUCCESS, false, 0, true);
        }
    }

    private boolean localMemory(final FakeRequest request) {
        for (int e = 0; e < request.from.length && !request.has(PreparedSends.INLINE); e++) {
            final FakeRegion region = byLocalKey.get(request.keys[e]);
            if (request.lengths[e] > 0 && (region == null || !region.holds(request.from[e], request.lengths[e]))) {
                return false;
            }
        }
        return true;
    }

    private void fail(final FakePair pair, final FakeRequest request, final CompletionStatus status) {
        complete(pair, request.id, status, false, 0, true);
        pair.breakDown();
    }

    void complete(final FakePair pair, final long id, final CompletionStatus status, final boolean receive,
            final int immediate,
            final boolean maySilence) {
        final int opcode = receive ? CompletionBatch.RECV_RDMA_WITH_IMM : CompletionBatch.RDMA_WRITE;
        final FakeCompletion completion = new FakeCompletion(id, status.code(), opcode, immediate, pair.number);
        if (silent && maySilence) {
            untold.add(() -> pair.queue.add(completion));
        } else {
            pair.queue.add(completion);
        }
    }

    /** A work completion. */
    record FakeCompletion(long id, int status, int opcode, int immediate, int number) {}
}
