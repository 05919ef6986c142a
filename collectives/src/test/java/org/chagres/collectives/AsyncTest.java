package org.chagres.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class AsyncTest {
    private static Map<String, String> progress(final String by) {
        return Map.of("CHAGRES_PROGRESS", by);
    }

    @ParameterizedTest
    @ValueSource(strings = {"caller", "thread" })
    void operationsCompleteInOrderHoweverTheyAreAwaited(final String by) {
        Worlds.run(3, progress(by), c -> {
            final Random random = new Random(c.rank());
            for (int round = 0; round < 5; round++) {
                final List<Buffer> buffers = new ArrayList<>();
                final List<Work> works = new ArrayList<>();
                final List<Integer> finished = Collections.synchronizedList(new ArrayList<>());
                for (int i = 0; i < 12; i++) {
                    final Buffer buffer = c.allocate(DataType.INT32, i % 4 == 3 ? 30_000 : i + 1);
                    Worlds.fill(buffer, c.rank() + i);
                    final int number = i;
                    final Work work = c.allReduceAsync(buffer, buffer, ReduceOp.SUM);
                    work.stage().thenRun(() -> finished.add(number));
                    buffers.add(buffer);
                    works.add(work);
                }
                final List<Integer> order = new ArrayList<>(List.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
                Collections.shuffle(order, random);
                for (final int i : order) {
                    if (random.nextBoolean()) {
                        works.get(i).await();
                    } else {
                        while (!works.get(i).poll()) {
                            Thread.onSpinWait();
                        }
                    }
                    Worlds.assertFilled(3 + 3 * i, buffers.get(i));
                    works.get(i).await(Duration.ZERO);
                }
                buffers.forEach(Buffer::close);
                assertEquals(List.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11).subList(0, finished.size()), finished);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"caller", "thread" })
    void aBlockingCallFirstFinishesWhatIsQueued(final String by) {
        Worlds.run(2, progress(by), c -> {
            final Buffer first = c.allocate(DataType.FLOAT64, 20_000);
            final Buffer second = c.allocate(DataType.FLOAT64, 3);
            for (int round = 0; round < 20; round++) {
                Worlds.fill(first, 1);
                Worlds.fill(second, c.rank());
                final Work work = c.allReduceAsync(first, first, ReduceOp.SUM);
                c.allReduce(second, ReduceOp.SUM);
                assertTrue(work.poll(), "operations run in order");
                Worlds.assertFilled(2, first);
                Worlds.assertFilled(1, second);
            }
        });
    }

    @Test
    void messagesAndGroupsRunBehindWhatIsQueued() {
        Worlds.run(2, c -> {
            final Buffer buffer = c.allocate(DataType.INT32, 9);
            Worlds.fill(buffer, 1);
            final Work work = c.allReduceAsync(buffer, buffer, ReduceOp.SUM);
            final int[] in = new int[1];
            c.group()
                    .send(MemorySegment.ofArray(new int[]{c.rank() }), 1, DataType.INT32, 1 - c.rank())
                    .recv(MemorySegment.ofArray(in), 1, DataType.INT32, 1 - c.rank())
                    .run();
            assertTrue(work.poll());
            assertEquals(1 - c.rank(), in[0]);
            Worlds.assertFilled(2, buffer);
        });
    }

    @Test
    void aWaitThatTimesOutSaysWhereAndForWhomAndLeavesTheOperationRunning() {
        final CountDownLatch late = new CountDownLatch(1);
        Worlds.run(3, c -> {
            final Buffer buffer = c.allocate(DataType.INT32, 100);
            Worlds.fill(buffer, 1);
            if (c.rank() == 2) {
                late.await();
            }
            final Work work = c.allReduceAsync(buffer, buffer, ReduceOp.SUM);
            if (c.rank() == 0) {
                final Work behind = c.barrierAsync();
                final String message = assertThrows(CollectiveTimeoutException.class,
                        () -> work.await(Duration.ofMillis(50))).getMessage();
                assertTrue(message.contains("rank 0 waited 50 ms") && message.contains("all_reduce number 1")
                        && message.contains("step") && message.contains("rank 2"), message);
                assertFalse(work.poll());
                final String queued = assertThrows(CollectiveTimeoutException.class,
                        () -> behind.await(Duration.ofMillis(1))).getMessage();
                assertTrue(queued.contains("barrier") && queued.contains("queued behind"), queued);
                late.countDown();
                work.await();
                behind.await();
            } else {
                work.await();
                c.barrierAsync().await();
            }
            Worlds.assertFilled(3, buffer);
            Worlds.assertUsable(c);
        });
    }

    /** Whatever the strategy of waiting, a deadline is kept to a fraction of a second. */
    @ParameterizedTest
    @ValueSource(strings = {"spin", "yield", "backoff" })
    void deadlinesAreKept(final String idle) {
        final CountDownLatch late = new CountDownLatch(1);
        Worlds.run(2, Map.of("CHAGRES_IDLE", idle), c -> {
            if (c.rank() == 1) {
                late.await();
            }
            final Work work = c.barrierAsync();
            if (c.rank() == 0) {
                final long start = System.nanoTime();
                assertThrows(CollectiveTimeoutException.class, () -> work.await(Duration.ofMillis(20)));
                final long took = System.nanoTime() - start;
                late.countDown();
                assertTrue(took >= 20_000_000 && took < 2_000_000_000, took + " ns");
            }
            work.await();
        });
    }

    @Test
    void stagesRunInAnyMemory() {
        Worlds.run(2, progress("thread"), c -> {
            final float[] heap = {1, 2, 3 };
            final CompletableFuture<float[]> seen = new CompletableFuture<>();
            final Work work = c.allReduceAsync(MemorySegment.ofArray(heap), MemorySegment.ofArray(heap), 3,
                    DataType.FLOAT32, ReduceOp.SUM);
            work.stage().thenRun(() -> seen.complete(heap.clone()));
            assertEquals("[2.0, 4.0, 6.0]", java.util.Arrays.toString(seen.get(20, TimeUnit.SECONDS)));
            work.await();
        });
    }

    /** Memory of one thread: that thread can drive the operation, another cannot. */
    @ParameterizedTest
    @ValueSource(strings = {"caller", "thread" })
    void confinedMemoryWorksOrIsRefusedAtOnce(final String by) {
        Worlds.run(2, progress(by), c -> {
            try (Arena arena = Arena.ofConfined()) {
                final MemorySegment memory = arena.allocate(40, 8);
                Elements.set(memory, DataType.INT64, 0, 1 + c.rank());
                if ("thread".equals(by)) {
                    final String message = assertThrows(IllegalArgumentException.class,
                            () -> c.allReduceAsync(memory, memory, 5, DataType.INT64, ReduceOp.SUM)).getMessage();
                    assertTrue(message.contains("thread"), message);
                } else {
                    c.allReduceAsync(memory, memory, 5, DataType.INT64, ReduceOp.SUM).await();
                    assertEquals(3, memory.get(java.lang.foreign.ValueLayout.JAVA_LONG, 0));
                }
                c.allReduce(memory, memory, 5, DataType.INT64, ReduceOp.MAX);
            }
            Worlds.assertUsable(c);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"caller", "thread" })
    void aBufferInUseCannotBeClosed(final String by) {
        final CountDownLatch late = new CountDownLatch(1);
        Worlds.run(2, progress(by), c -> {
            final Buffer send = c.allocate(DataType.INT32, 100);
            final Buffer recv = c.allocate(DataType.INT32, 100);
            final Buffer other = c.allocate(DataType.INT32, 100);
            Worlds.fill(send, 3);
            if (c.rank() == 1) {
                late.await();
            }
            final Work work = c.allReduceAsync(send, recv, ReduceOp.SUM);
            if (c.rank() == 0) {
                for (final Buffer busy : List.of(send, recv)) {
                    final String message = assertThrows(IllegalStateException.class, busy::close).getMessage();
                    assertTrue(message.contains("all_reduce") && message.contains("await it"), message);
                }
                other.close();
                Worlds.fill(send, 3);
                late.countDown();
            }
            work.await();
            Worlds.assertFilled(6, recv);
            send.close();
            recv.close();
            Worlds.assertUsable(c);
        });
    }

    @Test
    void closingWithPendingOperationsFailsThem() {
        final AtomicReference<Work> head = new AtomicReference<>();
        final AtomicReference<Work> behind = new AtomicReference<>();
        final CompletableFuture<Throwable> stage = new CompletableFuture<>();
        try (World world = Worlds.open(2, Map.of())) {
            world.run(c -> {
                if (c.rank() == 0) {
                    final Buffer buffer = c.allocate(DataType.INT32, 10);
                    head.set(c.allReduceAsync(buffer, buffer, ReduceOp.SUM));
                    behind.set(c.barrierAsync());
                    behind.get().stage().whenComplete((_, why) -> stage.complete(why));
                }
            });
        }
        for (final Work work : List.of(head.get(), behind.get())) {
            assertTrue(work.poll());
            final String message = assertThrows(IllegalStateException.class, work::await).getMessage();
            assertTrue(message.contains("closed before"), message);
        }
        assertInstanceOf(IllegalStateException.class, stage.join().getCause());
    }

    @ParameterizedTest
    @ValueSource(strings = {"caller", "thread" })
    void severalThreadsMayCallOneCommunicator(final String by) {
        final int callers = 4;
        final int rounds = 100;
        Worlds.run(2, progress(by), c -> {
            final CyclicBarrier start = new CyclicBarrier(callers);
            final List<CompletableFuture<Void>> done = new ArrayList<>();
            for (int t = 0; t < callers; t++) {
                final boolean blocking = t % 2 == 0;
                done.add(CompletableFuture.runAsync(() -> {
                    try (Buffer buffer = c.allocate(DataType.INT32, 33)) {
                        start.await();
                        for (int i = 0; i < rounds; i++) {
                            Worlds.fill(buffer, 5);
                            if (blocking) {
                                c.allReduce(buffer, ReduceOp.SUM);
                            } else {
                                c.allReduceAsync(buffer, buffer, ReduceOp.SUM).await();
                            }
                            Worlds.assertFilled(10, buffer);
                        }
                    } catch (final java.util.concurrent.BrokenBarrierException | InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                }, task -> Thread.ofPlatform().daemon().start(task)));
            }
            done.forEach(CompletableFuture::join);
            Worlds.assertUsable(c);
        });
    }

    @Test
    void oneThreadMaySubmitAndAnotherAwait() {
        Worlds.run(2, c -> {
            final Buffer buffer = c.allocate(DataType.INT32, 33);
            Worlds.fill(buffer, 2);
            final Work work = c.allReduceAsync(buffer, buffer, ReduceOp.PROD);
            CompletableFuture.runAsync(work::await, task -> Thread.ofPlatform().daemon().start(task)).join();
            Worlds.assertFilled(4, buffer);
        });
    }

    /** Each operation with its own staging, and more of them than a rank may have regions. */
    @Test
    void operationsOnTheHeapGiveBackTheirStaging() {
        Worlds.run(2, c -> {
            for (int i = 0; i < 4200; i++) {
                final int[] box = {i };
                c.allReduceAsync(MemorySegment.ofArray(box), MemorySegment.ofArray(box), 1, DataType.INT32,
                        ReduceOp.SUM).await();
                assertEquals(2 * i, box[0]);
            }
        });
    }
}
