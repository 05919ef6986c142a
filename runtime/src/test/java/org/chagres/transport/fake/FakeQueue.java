package org.chagres.transport.fake;

import java.util.ArrayDeque;
import java.util.Deque;
import org.chagres.transport.fake.FakeNetwork.FakeCompletion;
import org.chagres.verbs.Completion;
import org.chagres.verbs.CompletionBatch;
import org.chagres.verbs.CompletionStatus;

/** A completion queue of a {@link FakeNetwork}. The network moves when it is polled. */
final class FakeQueue {
    private final FakeNetwork network;
    private final int entries;
    private final Deque<FakeCompletion> completions = new ArrayDeque<>();

    FakeQueue(final FakeNetwork network, final int entries) {
        this.network = network;
        this.entries = entries;
    }

    void add(final FakeCompletion completion) {
        if (completions.size() == entries) {
            throw new AssertionError("the completion queue of " + entries + " entries overran");
        }
        completions.add(completion);
    }

    CompletionBatch prepareBatch(final int capacity) {
        return Partial.of(CompletionBatch.class, new Batch(new FakeCompletion[capacity]));
    }

    int poll(final CompletionBatch batch) {
        synchronized (network) {
            network.move(network.random.nextInt(4));
            final Batch into = Partial.implementation(batch, Batch.class);
            int count = 0;
            while (count < into.taken.length && !completions.isEmpty()) {
                into.taken[count] = completions.poll();
                final FakePair pair = network.pairs.get(into.taken[count].number());
                if (pair != null && (into.taken[count].opcode() & CompletionBatch.RECV) == 0) {
                    pair.freeUpTo(into.taken[count].id());
                }
                count++;
            }
            return count;
        }
    }

    void close() {
        // Nothing is held.
    }

    /** What was polled. */
    static final class Batch {
        private final FakeCompletion[] taken;

        Batch(final FakeCompletion[] taken) {
            this.taken = taken;
        }

        long id(final int index) {
            return taken[index].id();
        }

        int status(final int index) {
            return taken[index].status();
        }

        int opcode(final int index) {
            return taken[index].opcode();
        }

        int immediate(final int index) {
            return taken[index].immediate();
        }

        int queuePairNumber(final int index) {
            return taken[index].number();
        }

        Completion completion(final int index) {
            final FakeCompletion one = taken[index];
            return new Completion.Failure(one.id(), one.number(), CompletionStatus.of(one.status()), one.status(),
                    0x7e);
        }
    }
}
