package org.chagres.bindings;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.chagres.bindings.verbs.ibv_context;
import org.chagres.bindings.verbs.ibv_context_ops;

/**
 * The data path of one device context: what verbs.h does inline through {@code ibv_context.ops}, for which no symbol is
 * exported.
 * <p>
 * The function pointers are read once; hold this object in a final field beside the queue. Posting and polling are
 * linked as critical: they cost a few nanoseconds and never block, but a garbage collection waits for them, so they are
 * not for a provider that calls back into Java. Nothing here allocates. Objects must belong to the context that was
 * given; a wrong or closed one crashes the JVM. Thread rules are those of libibverbs: every call is thread-safe unless
 * the queue was created single-threaded.
 */
public final class ContextOps {
    private static final long POLL_CQ = offset(ibv_context_ops.poll_cq$offset());
    private static final long REQ_NOTIFY_CQ = offset(ibv_context_ops.req_notify_cq$offset());
    private static final long POST_SRQ_RECV = offset(ibv_context_ops.post_srq_recv$offset());
    private static final long POST_SEND = offset(ibv_context_ops.post_send$offset());
    private static final long POST_RECV = offset(ibv_context_ops.post_recv$offset());

    private static final MethodHandle POST = critical(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle POLL = critical(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG));

    private final MemorySegment pollCq;
    private final MemorySegment reqNotifyCq;
    private final MemorySegment postSrqRecv;
    private final MemorySegment postSend;
    private final MemorySegment postRecv;

    private ContextOps(final MemorySegment context) {
        this.pollCq = context.get(ADDRESS, POLL_CQ);
        this.reqNotifyCq = context.get(ADDRESS, REQ_NOTIFY_CQ);
        this.postSrqRecv = context.get(ADDRESS, POST_SRQ_RECV);
        this.postSend = context.get(ADDRESS, POST_SEND);
        this.postRecv = context.get(ADDRESS, POST_RECV);
    }

    /**
     * The data path of a context.
     *
     * @param context
     *            address of an open {@code ibv_context}
     * @return valid until the context is closed
     */
    public static ContextOps of(final long context) {
        return new ContextOps(Pointers.at(context, ibv_context.sizeof()));
    }

    /**
     * {@code ibv_post_send}: posts a linked list of work requests to a send queue.
     *
     * @param qp
     *            address of an {@code ibv_qp}
     * @param workRequest
     *            address of the first {@code ibv_send_wr}
     * @param badWorkRequest
     *            address of a pointer that receives the first request not posted, on failure
     * @return 0, or the errno value
     */
    public int postSend(final long qp, final long workRequest, final long badWorkRequest) {
        return post(postSend, qp, workRequest, badWorkRequest);
    }

    /**
     * {@code ibv_post_recv}: posts a linked list of {@code ibv_recv_wr} to a receive queue; see {@link #postSend}.
     *
     * @return 0, or the errno value
     */
    public int postRecv(final long qp, final long workRequest, final long badWorkRequest) {
        return post(postRecv, qp, workRequest, badWorkRequest);
    }

    /**
     * {@code ibv_post_srq_recv}: posts a linked list of {@code ibv_recv_wr} to a shared receive queue; see
     * {@link #postSend}.
     *
     * @return 0, or the errno value
     */
    public int postSrqRecv(final long srq, final long workRequest, final long badWorkRequest) {
        return post(postSrqRecv, srq, workRequest, badWorkRequest);
    }

    /**
     * {@code ibv_poll_cq}: takes completions off a queue without waiting.
     *
     * @param cq
     *            address of an {@code ibv_cq}
     * @param max
     *            the most completions to take
     * @param completions
     *            address of an array of at least {@code max} {@code ibv_wc}
     * @return the number taken, or a negative value on failure
     */
    public int pollCq(final long cq, final int max, final long completions) {
        try {
            return (int) POLL.invokeExact(pollCq, cq, max, completions);
        } catch (final Throwable throwable) {
            throw ColdCalls.unexpected(throwable);
        }
    }

    /**
     * {@code ibv_req_notify_cq}: asks for one event on the queue's channel at the next completion. Poll once more after
     * it: a completion that came before raises no event.
     *
     * @param cq
     *            address of an {@code ibv_cq} with a completion channel
     * @param solicitedOnly
     *            whether only solicited or failed completions count
     * @return 0, or the errno value
     */
    public int reqNotifyCq(final long cq, final boolean solicitedOnly) {
        // Not critical: software providers enter the kernel here, and the caller is about to sleep anyway.
        return ColdCalls.status(ColdCalls.callInt(reqNotifyCq, cq, solicitedOnly ? 1 : 0));
    }

    private static int post(final MemorySegment function, final long queue, final long request, final long bad) {
        try {
            return (int) POST.invokeExact(function, queue, request, bad);
        } catch (final Throwable throwable) {
            throw ColdCalls.unexpected(throwable);
        }
    }

    private static long offset(final long inOps) {
        return ibv_context.ops$offset() + inOps;
    }

    private static MethodHandle critical(final FunctionDescriptor signature) {
        return Linker.nativeLinker().downcallHandle(signature, Linker.Option.critical(false));
    }
}
