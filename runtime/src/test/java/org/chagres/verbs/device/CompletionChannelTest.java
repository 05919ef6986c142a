package org.chagres.verbs.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.chagres.verbs.Access;
import org.chagres.verbs.CompletionChannel;
import org.chagres.verbs.CompletionQueue;
import org.chagres.verbs.Context;
import org.chagres.verbs.MemoryRegion;
import org.chagres.verbs.ProtectionDomain;
import org.chagres.verbs.QueuePair;
import org.chagres.verbs.QueuePairOptions;
import org.chagres.verbs.ReceiveRequest;
import org.chagres.verbs.SendFlag;
import org.chagres.verbs.SendRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Completion queues that tell their channel. */
@Tag("rdma")
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class CompletionChannelTest {
    private static final int QUEUES = 8;

    private Context context;
    private ProtectionDomain domain;
    private CompletionChannel channel;
    private MemoryRegion region;

    @BeforeEach
    void open() {
        context = Rdma.open();
        domain = context.allocateProtectionDomain();
        channel = context.createCompletionChannel();
        region = domain.register(Arena.ofAuto().allocate(4096, 4096), Access.ALL);
    }

    @AfterEach
    void close() {
        if (context != null) {
            context.close();
        }
    }

    private QueuePair loopback(final CompletionQueue queue) {
        final QueuePair pair = domain.createQueuePair(QueuePairOptions.rc(queue));
        pair.connectLoopback();
        return pair;
    }

    private SendRequest write(final long id) {
        return SendRequest.write(id, region.slice(0, 8), region.remote(64));
    }

    @Test
    void eachQueueTellsOnceForEachRequest() throws InterruptedException {
        final List<CompletionQueue> queues = new ArrayList<>();
        final List<QueuePair> pairs = new ArrayList<>();
        for (int i = 0; i < QUEUES; i++) {
            queues.add(context.createCompletionQueue(16, channel));
            pairs.add(loopback(queues.get(i)));
            queues.get(i).requestNotification(false);
        }
        assertEquals(Optional.empty(), channel.pollEvent());
        final Random random = new Random(8);
        for (int round = 0; round < 10; round++) {
            final Set<Integer> written = new HashSet<>();
            for (int i = 0; i < QUEUES; i++) {
                if (random.nextBoolean()) {
                    written.add(i);
                    pairs.get(i).post(write(1), write(2));
                }
            }
            final Set<Integer> told = new HashSet<>();
            for (int i = 0; i < written.size(); i++) {
                final CompletionQueue queue = channel.awaitEvent(Rdma.PATIENCE).orElseThrow();
                assertTrue(told.add(queues.indexOf(queue)), "a queue told twice");
                Rdma.success(queue, 1);
                Rdma.success(queue, 2);
                queue.requestNotification(false);
            }
            assertEquals(written, told);
            assertEquals(Optional.empty(), channel.pollEvent());
        }
    }

    @Test
    void whatCompletedBeforeTheRequestIsNotTold() throws InterruptedException {
        final CompletionQueue queue = context.createCompletionQueue(16, channel);
        final QueuePair pair = loopback(queue);
        pair.post(write(1));
        Rdma.success(queue, 1);
        queue.requestNotification(false);
        assertEquals(Optional.empty(), channel.awaitEvent(Rdma.MOMENT));
        pair.post(write(2));
        assertSame(queue, channel.awaitEvent(Rdma.PATIENCE).orElseThrow());
    }

    @Test
    void onlySolicitedOrFailed() throws InterruptedException {
        final CompletionQueue queue = context.createCompletionQueue(16, channel);
        final CompletionQueue sent = context.createCompletionQueue(16);
        final QueuePair pair = domain.createQueuePair(QueuePairOptions.rc(sent).receiveQueue(queue));
        pair.connectLoopback();
        for (int i = 0; i < 3; i++) {
            pair.postReceive(ReceiveRequest.of(i, region.slice(0, 8)));
        }
        queue.requestNotification(true);
        pair.post(SendRequest.send(1, region.slice(0, 8)));
        Rdma.success(sent, 1);
        assertEquals(Optional.empty(), channel.awaitEvent(Rdma.MOMENT));
        pair.post(SendRequest.send(2, region.slice(0, 8)).with(SendFlag.SIGNALED, SendFlag.SOLICITED));
        assertSame(queue, channel.awaitEvent(Rdma.PATIENCE).orElseThrow());
        queue.requestNotification(true);
        pair.error();
        assertSame(queue, channel.awaitEvent(Rdma.PATIENCE).orElseThrow());
    }

    @Test
    void awaitSleepsUntilSomethingCompletes() throws Exception {
        final CompletionQueue queue = context.createCompletionQueue(16, channel);
        final QueuePair pair = loopback(queue);
        assertEquals(Optional.empty(), queue.await(Duration.ofMillis(120)));
        final CompletableFuture<Void> later = CompletableFuture.runAsync(() -> pair.post(write(1)),
                CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS));
        Rdma.success(queue, 1);
        later.get();
        // Many in a row, so that events are left over, which must not confuse the next wait.
        for (int i = 0; i < 100; i++) {
            pair.post(write(i));
            Rdma.success(queue, i);
        }
        assertEquals(Optional.empty(), queue.await(Duration.ofMillis(1)));
    }

    @Test
    void interruptEndsAWait() throws InterruptedException {
        final CompletionQueue queue = context.createCompletionQueue(16, channel);
        for (final Waiter waiter : List.<Waiter>of(() -> queue.await(Rdma.PATIENCE),
                () -> channel.awaitEvent(Rdma.PATIENCE), () -> context.awaitEvent(Rdma.PATIENCE),
                () -> context.createCompletionQueue(1).await(Rdma.PATIENCE))) {
            final CompletableFuture<Throwable> end = new CompletableFuture<>();
            final Thread thread = Thread.ofPlatform().start(() -> end.complete(waiter.failure()));
            Thread.sleep(50);
            thread.interrupt();
            assertEquals(InterruptedException.class, end.join().getClass());
        }
    }

    @Test
    void closeEndsAWait() throws InterruptedException {
        for (int i = 0; i < 4; i++) {
            final Context other = Rdma.open();
            final CompletionChannel itsChannel = other.createCompletionChannel();
            final CompletionQueue queue = other.createCompletionQueue(16, itsChannel);
            final CompletionQueue polled = other.createCompletionQueue(16);
            final List<Waiter> ways = List.of(() -> queue.await(Rdma.PATIENCE),
                    () -> itsChannel.awaitEvent(Rdma.PATIENCE), () -> other.awaitEvent(Rdma.PATIENCE),
                    () -> polled.await(Rdma.PATIENCE));
            final Waiter waiter = ways.get(i);
            final CompletableFuture<Throwable> end = CompletableFuture.supplyAsync(waiter::failure);
            Thread.sleep(50);
            other.close();
            assertEquals(IllegalStateException.class, end.join().getClass());
        }
    }

    /** Something that waits, and must be ended by an exception. */
    private interface Waiter {
        Object await() throws InterruptedException;

        default Throwable failure() {
            try {
                return new AssertionError("ended with " + await());
            } catch (final InterruptedException | RuntimeException e) {
                return e;
            }
        }
    }

    @Test
    void aQueueThatTellsCanBeClosedWithEventsLeft() throws Exception {
        final CompletionQueue queue = context.createCompletionQueue(16, channel);
        final QueuePair pair = loopback(queue);
        for (int i = 0; i < 5; i++) {
            queue.requestNotification(false);
            pair.post(write(i));
            Rdma.success(queue, i);
        }
        // One event was taken, but closing must not wait for anybody to acknowledge it; others are still in the channel.
        final var unused = channel.awaitEvent(Rdma.PATIENCE).orElseThrow();
        CompletableFuture.runAsync(queue::close).get();
        assertTrue(pair.isClosed());
        assertEquals(Optional.empty(), channel.pollEvent());
        assertThrows(IllegalStateException.class, () -> queue.requestNotification(false));
    }

    @Test
    void closingTheChannelClosesItsQueues() {
        final CompletionQueue queue = context.createCompletionQueue(16, channel);
        final QueuePair pair = loopback(queue);
        channel.close();
        assertTrue(queue.isClosed() && pair.isClosed());
        assertThrows(IllegalStateException.class, channel::pollEvent);
        assertThrows(IllegalStateException.class, () -> context.createCompletionQueue(1, channel));
    }

    @Test
    void aQueueWithoutChannelTellsNobody() {
        final CompletionQueue queue = context.createCompletionQueue(1);
        final String words = assertThrows(IllegalStateException.class, () -> queue.requestNotification(false))
                .getMessage();
        assertTrue(words.contains("channel"), words);
    }

    @Test
    void aChannelOfAnotherContextIsRefused() {
        try (Context other = Rdma.open()) {
            final CompletionChannel strange = other.createCompletionChannel();
            assertThrows(IllegalArgumentException.class, () -> context.createCompletionQueue(1, strange));
        }
    }
}
