package org.chagres.verbs.rdmacore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.chagres.verbs.CompletionChannel;
import org.chagres.verbs.CompletionQueue;
import org.chagres.verbs.QueuePair;
import org.chagres.verbs.QueuePairOptions;
import org.chagres.verbs.ReceiveRequest;
import org.chagres.verbs.SendFlag;
import org.chagres.verbs.SendRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Completion channels: told once for each request to be told, and nothing hangs when events are left. */
@Tag("rdma")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class CompletionEventTest {
    private Rig rig;
    private CompletionChannel channel;
    private CompletionQueue queue;
    private QueuePair loop;

    @BeforeAll
    static void device() {
        Rig.assumeDevice();
    }

    @BeforeEach
    void open() {
        rig = new Rig();
        channel = rig.context.createCompletionChannel();
        queue = rig.context.createCompletionQueue(64, channel);
        loop = rig.domain.createQueuePair(QueuePairOptions.rc(queue));
        loop.connectLoopback();
    }

    @AfterEach
    void close() {
        rig.close();
    }

    private SendRequest write(final long id) {
        return SendRequest.write(id, rig.region.slice(0, 8), rig.region.remote(64));
    }

    @Test
    void tellsOnceForEachRequest() throws InterruptedException {
        queue.requestNotification(false);
        loop.post(write(1), write(2));
        assertEquals(queue, channel.awaitEvent(Rig.SOON).orElseThrow());
        assertTrue(channel.awaitEvent(Duration.ofMillis(50)).isEmpty());
        assertEquals(1, queue.await(Rig.SOON).orElseThrow().id());
        assertEquals(2, queue.await(Rig.SOON).orElseThrow().id());
    }

    @Test
    void waitsAsleepForManyCompletions() throws InterruptedException {
        for (int i = 0; i < 1500; i++) {
            loop.post(write(i));
            assertEquals(i, queue.await(Rig.SOON).orElseThrow().orThrow().id());
        }
        assertTrue(queue.await(Duration.ofMillis(30)).isEmpty());
    }

    @Test
    void toldOfSolicitedOnes() throws InterruptedException {
        queue.requestNotification(true);
        loop.postReceive(ReceiveRequest.of(1, rig.region.slice(0, 8)), ReceiveRequest.of(2, rig.region.slice(0, 8)));
        loop.post(SendRequest.send(3, rig.region.slice(64, 8)).with());
        assertEquals(1, poll());
        assertTrue(channel.pollEvent().isEmpty());
        loop.post(SendRequest.send(4, rig.region.slice(64, 8)).with(SendFlag.SOLICITED));
        assertTrue(channel.awaitEvent(Rig.SOON).isPresent());
        assertEquals(2, poll());
    }

    private long poll() throws InterruptedException {
        final long deadline = System.nanoTime() + Rig.SOON.toNanos();
        var completion = queue.poll();
        while (completion.isEmpty() && System.nanoTime() < deadline) {
            Thread.sleep(1);
            completion = queue.poll();
        }
        return completion.orElseThrow().orThrow().id();
    }

    /** Two queues of one channel: neither takes the other's events when waited for. */
    @Test
    void severalQueuesShareAChannel() throws InterruptedException {
        final CompletionQueue second = rig.context.createCompletionQueue(16, channel);
        final QueuePair other = rig.domain.createQueuePair(QueuePairOptions.rc(second));
        other.connectLoopback();
        second.requestNotification(false);
        other.post(write(7));
        loop.post(write(8));
        assertEquals(8, queue.await(Rig.SOON).orElseThrow().id());
        assertEquals(second, channel.awaitEvent(Rig.SOON).orElseThrow());
        assertEquals(7, second.poll().orElseThrow().id());
    }

    /** Destroying a queue waits in C until its events are acknowledged: here, taken and untaken ones. */
    @Test
    void closesWithEventsLeft() throws InterruptedException {
        queue.requestNotification(false);
        loop.post(write(1));
        assertTrue(channel.awaitEvent(Rig.SOON).isPresent());
        queue.await(Rig.SOON);
        queue.requestNotification(false);
        loop.post(write(2));
        Thread.sleep(100);
        queue.close();
        assertTrue(loop.isClosed());
        assertTrue(channel.pollEvent().isEmpty());
        channel.close();
    }

    @Test
    void aQueueWithoutChannelCannotTell() {
        assertTrue(assertThrows(IllegalStateException.class, () -> rig.queue.requestNotification(false)).getMessage()
                .contains("no completion channel"));
    }
}
