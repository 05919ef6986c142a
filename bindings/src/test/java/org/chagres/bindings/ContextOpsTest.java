package org.chagres.bindings;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicReference;
import org.chagres.bindings.verbs.ibv_context;
import org.chagres.bindings.verbs.ibv_recv_wr;
import org.chagres.bindings.verbs.ibv_send_wr;
import org.chagres.bindings.verbs.ibv_sge;
import org.chagres.bindings.verbs.ibv_wc;
import org.chagres.bindings.verbs.verbs_h;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What verbs.h posts and polls inline arrives at a device written in C. */
final class ContextOpsTest {
    private static final long QUEUE = 0x7fff_1234_5678L;

    private final Arena arena = Arena.ofConfined();
    private FakeDevice device;
    private ContextOps ops;

    @BeforeEach
    void open() throws Exception {
        CCompiler.assumeHeaders("infiniband/verbs.h");
        device = new FakeDevice(arena);
        device.forget();
        ops = ContextOps.of(device.context());
    }

    @AfterEach
    void close() {
        arena.close();
    }

    @Test
    void postSendPassesTheListAndReturnsErrnoItself() {
        final var requests = arena.allocate(ibv_send_wr.layout(), 2);
        final var bad = arena.allocate(JAVA_LONG);
        final var rdma = ibv_send_wr.wr.rdma(ibv_send_wr.wr(requests));
        ibv_send_wr.wr.rdma.remote_addr(rdma, 0xcafe_0000_0000_0001L);

        assertEquals(0, ops.postSend(QUEUE, requests.address(), bad.address()));
        assertArrived(FakeDevice.POST_SEND, QUEUE, requests.address(), bad.address(), 0xcafe_0000_0000_0001L);

        ibv_send_wr.next(requests, ibv_send_wr.asSlice(requests, 1));
        assertEquals(Errno.ENOMEM, ops.postSend(QUEUE, requests.address(), bad.address()));
        assertEquals(requests.address() + ibv_send_wr.sizeof(), bad.get(JAVA_LONG, 0), "the request that was refused");
    }

    @Test
    void postRecvPassesTheList() {
        final var request = arena.allocate(ibv_recv_wr.layout());
        final var element = arena.allocate(ibv_sge.layout());
        ibv_sge.lkey(element, 0xfeed);
        ibv_recv_wr.sg_list(request, element);
        assertEquals(0, ops.postRecv(QUEUE, request.address(), 16));
        assertArrived(FakeDevice.POST_RECV, QUEUE, request.address(), 16, 0xfeed);
    }

    @Test
    void postSrqRecvPassesTheList() {
        assertEquals(0, ops.postSrqRecv(QUEUE, -8, 16));
        assertArrived(FakeDevice.POST_SRQ_RECV, QUEUE, -8, 16, 0);
    }

    @Test
    void pollCqFillsAsManyCompletionsAsAsked() {
        final int max = 5;
        final var completions = arena.allocate(ibv_wc.layout(), max);
        for (int n = 0; n <= max; n++) {
            completions.fill((byte) 0);
            assertEquals(n, ops.pollCq(QUEUE, n, completions.address()));
            assertArrived(FakeDevice.POLL_CQ, QUEUE, n, completions.address(), 0);
            for (int i = 0; i < max; i++) {
                final var completion = ibv_wc.asSlice(completions, i);
                assertEquals(i < n ? 1000 + i : 0, ibv_wc.wr_id(completion));
                assertEquals(i < n ? verbs_h.IBV_WC_RETRY_EXC_ERR() : 0, ibv_wc.status(completion));
                assertEquals(i < n ? 77 : 0, ibv_wc.qp_num(completion));
                assertEquals(i < n ? 129 : 0, ibv_wc.vendor_err(completion));
            }
        }
    }

    @Test
    void reqNotifyCqPassesWhetherSolicitedOnly() {
        for (final boolean solicitedOnly : new boolean[]{true, false }) {
            assertEquals(0, ops.reqNotifyCq(QUEUE, solicitedOnly));
            assertArrived(FakeDevice.REQ_NOTIFY_CQ, QUEUE, solicitedOnly ? 1 : 0, 0, 0);
        }
    }

    @Test
    void anyThreadMayPost() throws InterruptedException {
        final var failure = new AtomicReference<Throwable>();
        final var thread = Thread.ofPlatform()
                .uncaughtExceptionHandler((_, thrown) -> failure.set(thrown))
                .start(() -> assertEquals(0, ops.postSrqRecv(QUEUE, 8, 16)));
        thread.join();
        assertEquals(null, failure.get());
        assertArrived(FakeDevice.POST_SRQ_RECV, QUEUE, 8, 16, 0);
    }

    @Test
    void aProviderWithoutTheOperationDoesNotCrashTheVm() {
        final MemorySegment empty = arena.allocate(ibv_context.layout());
        final var none = ContextOps.of(empty.address());
        assertThrows(IllegalArgumentException.class, () -> none.postSend(QUEUE, 8, 16));
        assertThrows(IllegalArgumentException.class, () -> none.pollCq(QUEUE, 1, 16));
        assertThrows(IllegalArgumentException.class, () -> none.reqNotifyCq(QUEUE, true));
    }

    @Test
    void postingAndPollingAllocateNothing() {
        final var request = arena.allocate(ibv_send_wr.layout()).address();
        final var completion = arena.allocate(ibv_wc.layout()).address();
        final var bad = arena.allocate(JAVA_LONG).address();
        final var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        final int rounds = 50_000;
        long allocated = Long.MAX_VALUE;
        // The compiler needs some rounds before it removes what the interpreter allocates.
        for (int attempt = 0; attempt < 20 && allocated >= rounds; attempt++) {
            final long before = threads.getCurrentThreadAllocatedBytes();
            postAndPoll(rounds, request, bad, completion);
            allocated = threads.getCurrentThreadAllocatedBytes() - before;
        }
        assertTrue(allocated < rounds, "bytes for " + rounds + " rounds: " + allocated);
    }

    private void postAndPoll(final int rounds, final long request, final long bad, final long completion) {
        for (int i = 0; i < rounds; i++) {
            if (ops.postSend(QUEUE, request, bad) != 0 || ops.pollCq(QUEUE, 1, completion) != 1) {
                throw new AssertionError("round " + i);
            }
        }
    }

    private void assertArrived(final int function, final long... arguments) {
        assertEquals(function, device.function());
        for (int i = 0; i < arguments.length; i++) {
            assertEquals(arguments[i], device.argument(i), "argument " + i);
        }
        device.forget();
    }
}
