package org.chagres.bindings;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import org.chagres.bindings.verbs.ibv_context;
import org.chagres.bindings.verbs.ibv_context_ops;
import org.chagres.bindings.verbs.verbs_context;

/** An ibv_context in native memory, with a verbs_context before it, whose operations are those of fake_device.c. */
final class FakeDevice {
    static final int POLL_CQ = 1;
    static final int REQ_NOTIFY_CQ = 2;
    static final int POST_SRQ_RECV = 3;
    static final int POST_SEND = 4;
    static final int POST_RECV = 5;
    static final int QUERY_PORT = 6;
    static final int QUERY_DEVICE_EX = 7;
    static final int CREATE_CQ_EX = 8;
    static final int CREATE_QP_EX = 9;
    static final int CREATE_SRQ_EX = 10;
    static final int QUERY_RT_VALUES = 11;
    static final int MODIFY_CQ = 12;

    private static SymbolLookup library;

    private final MemorySegment verbsContext;
    private final MemorySegment last;

    FakeDevice(final Arena arena) throws IOException, InterruptedException {
        final var symbols = library();
        verbsContext = arena.allocate(verbs_context.layout());
        last = symbols.findOrThrow("last").reinterpret(5 * Long.BYTES);

        final var ops = ibv_context.ops(verbs_context.context(verbsContext));
        ibv_context_ops.poll_cq(ops, symbols.findOrThrow("fake_poll_cq"));
        ibv_context_ops.req_notify_cq(ops, symbols.findOrThrow("fake_req_notify_cq"));
        ibv_context_ops.post_srq_recv(ops, symbols.findOrThrow("fake_post_srq_recv"));
        ibv_context_ops.post_send(ops, symbols.findOrThrow("fake_post_send"));
        ibv_context_ops.post_recv(ops, symbols.findOrThrow("fake_post_recv"));

        verbs_context.query_port(verbsContext, symbols.findOrThrow("fake_query_port"));
        verbs_context.query_device_ex(verbsContext, symbols.findOrThrow("fake_query_device_ex"));
        verbs_context.create_cq_ex(verbsContext, symbols.findOrThrow("fake_create_cq_ex"));
        verbs_context.create_qp_ex(verbsContext, symbols.findOrThrow("fake_create_qp_ex"));
        verbs_context.create_srq_ex(verbsContext, symbols.findOrThrow("fake_create_srq_ex"));
        verbs_context.query_rt_values(verbsContext, symbols.findOrThrow("fake_query_rt_values"));
        verbs_context.modify_cq(verbsContext, symbols.findOrThrow("fake_modify_cq"));
        size(verbs_context.sizeof());
        extended(true);
    }

    /** Compiled and loaded once in a JVM. */
    private static synchronized SymbolLookup library() throws IOException, InterruptedException {
        if (library == null) {
            library = SymbolLookup.libraryLookup(CCompiler.sharedObject("fake_device.c", "libfake_device.so"),
                    Arena.global());
        }
        return library;
    }

    long context() {
        return verbs_context.context(verbsContext).address();
    }

    /** The verbs_context itself, to take operations out. */
    MemorySegment verbsContext() {
        return verbsContext;
    }

    /** Says how long the library's verbs_context is; an older library has a shorter one. */
    void size(final long bytes) {
        verbs_context.sz(verbsContext, bytes);
    }

    /** Says whether a verbs_context precedes the context at all. */
    void extended(final boolean extended) {
        ibv_context.abi_compat(verbs_context.context(verbsContext), MemorySegment.ofAddress(extended ? -1L : 0L));
    }

    /** Which function was called last; 0 after {@link #forget}. */
    long function() {
        return last.get(JAVA_LONG, 0);
    }

    /** What arrived there, as 64-bit words. */
    long argument(final int index) {
        return last.getAtIndex(JAVA_LONG, 1 + index);
    }

    void forget() {
        last.fill((byte) 0);
    }
}
