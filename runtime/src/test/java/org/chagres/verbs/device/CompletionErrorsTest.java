package org.chagres.verbs.device;

import static org.chagres.verbs.CompletionStatus.LOC_PROT_ERR;
import static org.chagres.verbs.CompletionStatus.LOC_QP_OP_ERR;
import static org.chagres.verbs.CompletionStatus.REM_ACCESS_ERR;
import static org.chagres.verbs.CompletionStatus.REM_INV_REQ_ERR;
import static org.chagres.verbs.CompletionStatus.REM_OP_ERR;
import static org.chagres.verbs.CompletionStatus.RETRY_EXC_ERR;
import static org.chagres.verbs.CompletionStatus.RNR_RETRY_EXC_ERR;
import static org.chagres.verbs.CompletionStatus.WR_FLUSH_ERR;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.chagres.verbs.Access;
import org.chagres.verbs.Completion;
import org.chagres.verbs.CompletionErrorException;
import org.chagres.verbs.CompletionStatus;
import org.chagres.verbs.ConnectionOptions;
import org.chagres.verbs.MemoryRegion;
import org.chagres.verbs.Mtu;
import org.chagres.verbs.PreparedReceives;
import org.chagres.verbs.PreparedSends;
import org.chagres.verbs.QueuePairAttributes;
import org.chagres.verbs.QueuePairState;
import org.chagres.verbs.QueuePairType;
import org.chagres.verbs.ReceiveRequest;
import org.chagres.verbs.RemoteMemory;
import org.chagres.verbs.SendRequest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every error that a request on soft-RoCE can end with, each made by what makes it in practice, and what the queue pair is afterwards. */
@Tag("rdma")
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class CompletionErrorsTest {
    private static final int WRONG_KEY = 0x00dead01;

    /** The failure of {@code a}'s only request, which leaves the queue pair in the error state and later requests flushed. */
    private static void fails(final Couple couple, final SendRequest request, final CompletionStatus status) {
        couple.a.pair().post(request);
        check(couple, request.id(), status);
    }

    private static void check(final Couple couple, final long id, final CompletionStatus status) {
        final Completion.Failure failure = Rdma.failure(couple.a.queue(), id, status);
        assertEquals(couple.a.pair().number(), failure.queuePairNumber());
        final String words = assertThrows(CompletionErrorException.class, failure::orThrow).getMessage();
        assertTrue(words.contains(status.name()) && words.contains(status.causes().getFirst()), words);
        assertEquals(QueuePairState.ERR, couple.a.pair().query().state());
        assertEquals(QueuePairState.ERR, couple.a.pair().state());
        couple.a.pair().post(SendRequest.write(99, couple.a.region().slice(0, 8), couple.b.region().remote(0)));
        Rdma.failure(couple.a.queue(), 99, WR_FLUSH_ERR);
    }

    private static SendRequest write(final Couple couple, final RemoteMemory remote, final long length) {
        return SendRequest.write(7, couple.a.region().slice(0, length), remote);
    }

    @Test
    void remoteKeyThatNeverWas() {
        try (Couple couple = Couple.of(QueuePairType.RC)) {
            fails(couple, write(couple, new RemoteMemory(couple.b.region().address(), WRONG_KEY), 8), REM_ACCESS_ERR);
        }
    }

    @Test
    void remoteKeyOfARegionThatWasClosed() {
        try (Couple couple = Couple.of(QueuePairType.RC)) {
            final RemoteMemory stale = couple.b.region().remote(0);
            couple.b.region().close();
            couple.a.pair().post(SendRequest.write(7, couple.a.region().slice(0, 8), stale));
            Rdma.failure(couple.a.queue(), 7, REM_ACCESS_ERR);
        }
    }

    @Test
    void beyondTheRemoteRegion() {
        try (Couple couple = Couple.of(QueuePairType.RC)) {
            fails(couple, write(couple, couple.b.region().remote(Couple.BYTES - 8), 9), REM_ACCESS_ERR);
            assertEquals(0, couple.b.memory().get(java.lang.foreign.ValueLayout.JAVA_LONG, Couple.BYTES - 8));
        }
    }

    @Test
    void beforeTheRemoteRegion() {
        try (Couple couple = Couple.of(QueuePairType.RC)) {
            fails(couple, write(couple, couple.b.region().remote(0).plus(-1), 8), REM_ACCESS_ERR);
        }
    }

    @Test
    void writeWithoutTheRegionsPermission() {
        try (Couple couple = Couple.of(QueuePairType.RC, o -> o, Set.of(Access.LOCAL_WRITE, Access.REMOTE_READ))) {
            fails(couple, write(couple, couple.b.region().remote(0), 8), REM_ACCESS_ERR);
        }
    }

    @Test
    void readWithoutTheRegionsPermission() {
        try (Couple couple = Couple.of(QueuePairType.RC, o -> o, Set.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE))) {
            fails(couple, SendRequest.read(7, couple.a.region().slice(0, 8), couple.b.region().remote(0)),
                    REM_ACCESS_ERR);
        }
    }

    @Test
    void atomicWithoutTheRegionsPermission() {
        try (Couple couple = Couple.of(QueuePairType.RC, o -> o, Set.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE))) {
            fails(couple, SendRequest.fetchAndAdd(7, couple.a.region().slice(0, 8), couple.b.region().remote(0), 1),
                    REM_ACCESS_ERR);
        }
    }

    /** The queue pair may allow less than the region does. */
    @Test
    void writeWithoutTheQueuePairsPermission() {
        try (Couple couple = Couple.hasty(o -> o.access(Set.of(Access.LOCAL_WRITE, Access.REMOTE_READ)))) {
            fails(couple, write(couple, couple.b.region().remote(0), 8), REM_INV_REQ_ERR);
        }
    }

    @Test
    void messageLongerThanTheReceive() {
        try (Couple couple = Couple.of(QueuePairType.RC)) {
            couple.b.receive(1, 0, 100);
            couple.a.pair().post(SendRequest.send(7, couple.a.region().slice(0, 101)));
            final CompletionStatus atPeer = Rdma.next(couple.b.queue()).status();
            // InfiniBand calls it LOC_LEN_ERR; soft-RoCE notices while it copies, and says so differently.
            assertTrue(Set.of(CompletionStatus.LOC_LEN_ERR, LOC_QP_OP_ERR, REM_INV_REQ_ERR).contains(atPeer),
                    atPeer::toString);
            final CompletionStatus here = Rdma.next(couple.a.queue()).status();
            assertTrue(Set.of(REM_INV_REQ_ERR, REM_OP_ERR).contains(here), here::toString);
            assertEquals(QueuePairState.ERR, couple.a.pair().query().state());
            assertEquals(QueuePairState.ERR, couple.b.pair().query().state());
        }
    }

    /** Packets of 4096 bytes at a peer that was told 1024. */
    @Test
    void pathWithDifferentMtus() {
        try (Couple couple = Couple.unconnected(QueuePairType.RC, o -> o)) {
            final ConnectionOptions hasty = ConnectionOptions.defaults().timeout(8).retryCount(1);
            final var endOfA = couple.a.pair().endpoint(hasty);
            final var endOfB = couple.b.pair().endpoint(hasty);
            couple.a.pair().connect(endOfA, endOfB, hasty.mtu(Mtu.MTU_4096));
            couple.b.pair().connect(endOfB, endOfA, hasty.mtu(Mtu.MTU_1024));
            fails(couple, write(couple, couple.b.region().remote(0), 4096), REM_INV_REQ_ERR);
        }
    }

    /** What is sent from is not read until the peer answers, so the device notices when it builds the packet. */
    @Test
    void localKeyThatNeverWas() {
        try (Couple couple = Couple.of(QueuePairType.RC);
                PreparedSends sends = couple.a.pair().prepareSends(1, 1)) {
            sends.write(0, 7, couple.a.region().address(), WRONG_KEY, 8, couple.b.region().address(),
                    couple.b.region().remoteKey(), PreparedSends.SIGNALED);
            assertEquals(0, sends.post(0, 1));
            final CompletionStatus status = Rdma.next(couple.a.queue()).status();
            assertTrue(Set.of(LOC_PROT_ERR, LOC_QP_OP_ERR).contains(status), status::toString);
            assertEquals(QueuePairState.ERR, couple.a.pair().query().state());
        }
    }

    @Test
    void beyondTheLocalRegion() {
        try (Couple couple = Couple.of(QueuePairType.RC);
                PreparedSends sends = couple.a.pair().prepareSends(1, 1)) {
            sends.write(0, 7, couple.a.region().address() + Couple.BYTES - 4, couple.a.region().localKey(), 8,
                    couple.b.region().address(), couple.b.region().remoteKey(), PreparedSends.SIGNALED);
            assertEquals(0, sends.post(0, 1));
            check(couple, 7, LOC_PROT_ERR);
        }
    }

    @Test
    void readIntoMemoryThatMayNotBeWritten() {
        try (Couple couple = Couple.of(QueuePairType.RC);
                PreparedSends sends = couple.a.pair().prepareSends(1, 1)) {
            final MemoryRegion readOnly = couple.domain.register(couple.a.memory(), Set.of());
            final SendRequest read = SendRequest.read(7, readOnly.slice(0, 8), couple.b.region().remote(0));
            assertThrows(IllegalArgumentException.class, () -> couple.a.pair().post(read));
            Way.lay(sends, 0, read);
            assertEquals(0, sends.post(0, 1));
            check(couple, 7, LOC_PROT_ERR);
        }
    }

    /** The receiver's memory fails, so the receiver's request does too, and the sender learns that the peer could not. */
    @Test
    void receiveIntoMemoryThatMayNotBeWritten() {
        try (Couple couple = Couple.of(QueuePairType.RC);
                PreparedReceives receives = couple.b.pair().prepareReceives(1, 1)) {
            final MemoryRegion readOnly = couple.domain.register(couple.b.memory(), Set.of());
            final ReceiveRequest receive = ReceiveRequest.of(1, readOnly.slice(0, 64));
            assertThrows(IllegalArgumentException.class, () -> couple.b.pair().postReceive(receive));
            Way.lay(receives, 0, receive);
            assertEquals(0, receives.post(0, 1));
            couple.a.pair().post(SendRequest.send(7, couple.a.region().slice(0, 8)));
            final CompletionStatus atPeer = Rdma.next(couple.b.queue()).status();
            assertTrue(Set.of(LOC_PROT_ERR, LOC_QP_OP_ERR).contains(atPeer), atPeer::toString);
            check(couple, 7, REM_OP_ERR);
        }
    }

    @Test
    void receiveIntoARegionThatWasClosed() {
        try (Couple couple = Couple.of(QueuePairType.RC);
                PreparedReceives receives = couple.b.pair().prepareReceives(1, 1)) {
            final MemoryRegion closed = couple.domain.register(couple.b.memory(), Access.LOCAL);
            receives.receive(0, 1, closed.address(), closed.localKey(), 64);
            closed.close();
            assertEquals(0, receives.post(0, 1));
            couple.a.pair().post(SendRequest.send(7, couple.a.region().slice(0, 8)));
            final CompletionStatus atPeer = Rdma.next(couple.b.queue()).status();
            assertTrue(Set.of(LOC_PROT_ERR, LOC_QP_OP_ERR).contains(atPeer), atPeer::toString);
            check(couple, 7, REM_OP_ERR);
        }
    }

    @Test
    void atomicAtAnOddAddress() {
        try (Couple couple = Couple.of(QueuePairType.RC);
                PreparedSends sends = couple.a.pair().prepareSends(1, 1)) {
            sends.fetchAndAdd(0, 7, couple.a.region().address(), couple.a.region().localKey(),
                    couple.b.region().address() + 4, couple.b.region().remoteKey(), 1, PreparedSends.SIGNALED);
            // Either the library sees it, or the peer does.
            if (sends.post(0, 1) == 0) {
                check(couple, 7, REM_INV_REQ_ERR);
            }
        }
    }

    @Test
    void peerThatWasReset() {
        try (Couple couple = Couple.hasty(o -> o)) {
            couple.b.pair().reset();
            fails(couple, write(couple, couple.b.region().remote(0), 8), RETRY_EXC_ERR);
        }
    }

    @Test
    void peerThatIsGone() {
        try (Couple couple = Couple.hasty(o -> o)) {
            couple.b.pair().close();
            fails(couple, SendRequest.send(7, couple.a.region().slice(0, 8)), RETRY_EXC_ERR);
        }
    }

    @Test
    void peerThatIsInError() {
        try (Couple couple = Couple.hasty(o -> o)) {
            couple.b.pair().error();
            fails(couple, write(couple, couple.b.region().remote(0), 8), RETRY_EXC_ERR);
        }
    }

    /** The peer goes away while another thread posts one write of many packets after the other. */
    @Test
    void peerThatVanishesDuringAWrite() throws InterruptedException {
        final int many = 48;
        try (Couple couple = Couple.hasty(o -> o)) {
            final Thread poster = Thread.ofPlatform().start(() -> {
                for (int i = 0; i < many; i++) {
                    couple.a.pair().post(SendRequest.write(i, couple.a.region().slice(), couple.b.region().remote(0)));
                }
            });
            Rdma.success(couple.a.queue(), 0);
            couple.b.pair().close();
            boolean failed = false;
            for (int i = 1; i < many; i++) {
                final Completion completion = Rdma.next(couple.a.queue());
                assertEquals(i, completion.id(), "in order");
                final CompletionStatus wanted = failed ? WR_FLUSH_ERR : RETRY_EXC_ERR;
                assertTrue(completion.status() == wanted || !failed && completion.succeeded(), completion::toString);
                failed |= !completion.succeeded();
            }
            assertTrue(failed, "3 MiB were written before the peer was closed, which takes seconds");
            poster.join();
        }
    }

    @Test
    void peerWithoutReceiveRequest() {
        try (Couple couple = Couple.hasty(o -> o)) {
            fails(couple, SendRequest.send(7, couple.a.region().slice(0, 8)), RNR_RETRY_EXC_ERR);
        }
    }

    @Test
    void peerWithoutReceiveRequestForAWriteWithImmediate() {
        try (Couple couple = Couple.hasty(o -> o)) {
            fails(couple, SendRequest.writeWithImmediate(7, couple.a.region().slice(0, 8), couple.b.region().remote(0),
                    1), RNR_RETRY_EXC_ERR);
        }
    }

    /** With seven RNR repeats a send waits for the peer's receive, however late. */
    @Test
    void receiveRequestThatComesLate() {
        try (Couple couple = Couple.hasty(o -> o.rnrRetry(7))) {
            couple.a.pair().post(SendRequest.send(7, couple.a.region().slice(0, 8)));
            Rdma.nothing(couple.a.queue());
            couple.b.receive(1, 0, 8);
            Rdma.success(couple.b.queue(), 1);
            Rdma.success(couple.a.queue(), 7);
        }
    }

    @Test
    void allThatIsPostedIsFlushedInOrder() {
        try (Couple couple = Couple.hasty(o -> o)) {
            couple.b.pair().reset();
            for (int i = 0; i < 8; i++) {
                couple.a.receive(100 + i, 8L * i, 8);
                // Unsignalled requests that fail make completions too.
                couple.a.pair().post(write(couple, couple.b.region().remote(0), 8).with());
            }
            couple.a.pair().error();
            int sends = 0;
            int receives = 0;
            for (int i = 0; i < 16; i++) {
                final Completion flushed = Rdma.next(couple.a.queue());
                assertTrue(Set.of(WR_FLUSH_ERR, RETRY_EXC_ERR).contains(flushed.status()), flushed::toString);
                if (flushed.id() == 7) {
                    sends++;
                } else {
                    assertEquals(100 + receives, flushed.id());
                    receives++;
                }
            }
            assertEquals(List.of(8, 8), List.of(sends, receives));
            // A receive that is posted in this state is flushed by hardware, but soft-RoCE of Linux 6.1 forgets it.
            Rdma.nothing(couple.a.queue());
        }
    }

    /** A reset forgets; it flushes nothing. */
    @Test
    void resetLeavesNoCompletions() {
        try (Couple couple = Couple.of(QueuePairType.RC)) {
            couple.b.receive(1, 0, 8);
            couple.b.pair().reset();
            Rdma.nothing(couple.b.queue());
            assertEquals(QueuePairState.RESET, couple.b.pair().query().state());
            assertThrows(IllegalStateException.class, () -> couple.b.receive(2, 0, 8));
        }
    }

    /** After an error, a queue pair can be brought back by way of RESET. */
    @Test
    void brokenQueuePairCanBeConnectedAgain() {
        try (Couple couple = Couple.hasty(o -> o)) {
            fails(couple, SendRequest.send(7, couple.a.region().slice(0, 8)), RNR_RETRY_EXC_ERR);
            couple.a.pair().reset();
            couple.b.pair().reset();
            couple.connect(ConnectionOptions.defaults());
            couple.b.receive(1, 0, 8);
            couple.a.pair().post(SendRequest.send(8, couple.a.region().slice(0, 8)));
            Rdma.success(couple.b.queue(), 1);
            Rdma.success(couple.a.queue(), 8);
        }
    }

    /** Packet sequence numbers that do not fit are packets that nobody answers. */
    @Test
    void sequenceNumberThatDoesNotFit() {
        try (Couple couple = Couple.unconnected(QueuePairType.RC, o -> o)) {
            final ConnectionOptions hasty = ConnectionOptions.defaults().timeout(8).retryCount(1);
            final var endOfA = couple.a.pair().endpoint(hasty);
            final var endOfB = couple.b.pair().endpoint(hasty);
            couple.a.pair().connect(endOfA, endOfB, hasty);
            couple.b.pair().initialize(hasty);
            couple.b.pair().readyToReceive(endOfA, hasty);
            couple.b.pair().readyToSend(endOfB.packetSequenceNumber(), hasty);
            couple.a.pair().modify(QueuePairAttributes.to(QueuePairState.RESET));
            final var other = new org.chagres.verbs.Endpoint(endOfA.queuePairNumber(),
                    endOfA.packetSequenceNumber() ^ 0x400000, endOfA.lid(), endOfA.gid(), endOfA.mtu());
            couple.a.pair().connect(other, endOfB, hasty);
            fails(couple, write(couple, couple.b.region().remote(0), 8), RETRY_EXC_ERR);
        }
    }
}
