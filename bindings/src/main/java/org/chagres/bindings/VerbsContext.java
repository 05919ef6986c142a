package org.chagres.bindings;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import org.chagres.bindings.verbs.ibv_context;
import org.chagres.bindings.verbs.ibv_device_attr_ex;
import org.chagres.bindings.verbs.ibv_port_attr;
import org.chagres.bindings.verbs.ibv_qp_init_attr_ex;
import org.chagres.bindings.verbs.ibv_srq_init_attr_ex;
import org.chagres.bindings.verbs.verbs_context;
import org.chagres.bindings.verbs.verbs_h;

/**
 * The extended calls of one device context: what verbs.h does inline through {@code struct verbs_context}, with the
 * same fallbacks.
 * <p>
 * That struct lies directly before the {@code ibv_context} and grows at its head from version to version, so each
 * operation is addressed by its distance back from the context, which never changes, and exists only if the struct of
 * the loaded library is long enough. Calls report as in {@link Verbs}.
 */
public final class VerbsContext {
    /** {@code __VERBS_ABI_IS_EXTENDED}: without it, no verbs_context precedes the context. */
    private static final long EXTENDED = -1L;
    private static final long SIZE = back(verbs_context.sz$offset());
    private static final long QUERY_PORT = back(verbs_context.query_port$offset());
    private static final long QUERY_DEVICE_EX = back(verbs_context.query_device_ex$offset());
    private static final long QUERY_RT_VALUES = back(verbs_context.query_rt_values$offset());
    private static final long MODIFY_CQ = back(verbs_context.modify_cq$offset());
    private static final long CREATE_CQ_EX = back(verbs_context.create_cq_ex$offset());
    private static final long CREATE_SRQ_EX = back(verbs_context.create_srq_ex$offset());
    private static final long CREATE_QP_EX = back(verbs_context.create_qp_ex$offset());

    private final long context;
    /** Bytes of the verbs_context before the ibv_context; 0 where there is none. */
    private final long extent;

    private VerbsContext(final long context) {
        this.context = context;
        final long compat = Pointers.at(context, ibv_context.sizeof()).get(JAVA_LONG, ibv_context.abi_compat$offset());
        this.extent = compat == EXTENDED
                ? Pointers.at(context - SIZE, Long.BYTES).get(JAVA_LONG, 0) - ibv_context.sizeof()
                : 0;
    }

    /**
     * The extended calls of a context.
     *
     * @param context
     *            address of an open {@code ibv_context}
     * @return valid until the context is closed
     */
    public static VerbsContext of(final long context) {
        return new VerbsContext(context);
    }

    /**
     * {@code ibv_query_port}. Without the extended call, the fields that only it knows are 0.
     *
     * @param port
     *            from 1 on
     * @param attributes
     *            address of an {@code ibv_port_attr} to fill
     * @return 0, or the errno value
     */
    public int queryPort(final int port, final long attributes) {
        final long size = ibv_port_attr.sizeof();
        final MemorySegment queryPort = operation(QUERY_PORT);
        if (queryPort != null) {
            return ColdCalls.status(ColdCalls.callInt(queryPort, context, ColdCalls.u8(port), attributes, size));
        }
        // The exported function knows only the first, shorter version of the struct.
        Pointers.at(attributes, size).fill((byte) 0);
        return Verbs.queryPortShort(context, port, attributes);
    }

    /**
     * {@code ibv_query_device_ex} without input. Without the extended call, all but {@code orig_attr} is 0.
     *
     * @param attributes
     *            address of an {@code ibv_device_attr_ex} to fill
     * @return 0, or the errno value
     */
    public int queryDeviceEx(final long attributes) {
        final long size = ibv_device_attr_ex.sizeof();
        final MemorySegment queryDevice = operation(QUERY_DEVICE_EX);
        if (queryDevice != null) {
            final int status = ColdCalls.status(ColdCalls.callInt(queryDevice, context, 0, attributes, size));
            if (status != Errno.EOPNOTSUPP && status != Errno.ENOSYS) {
                return status;
            }
        }
        Pointers.at(attributes, size).fill((byte) 0);
        return Verbs.queryDevice(context, attributes + ibv_device_attr_ex.orig_attr$offset());
    }

    /**
     * {@code ibv_query_rt_values_ex}: reads the device's clock.
     *
     * @param values
     *            address of an {@code ibv_values_ex} whose {@code comp_mask} says what to read
     * @return 0, or the errno value; EOPNOTSUPP where the library or the device cannot
     */
    public int queryRtValuesEx(final long values) {
        final MemorySegment query = operation(QUERY_RT_VALUES);
        return query == null ? Errno.EOPNOTSUPP : ColdCalls.status(ColdCalls.callInt(query, context, values));
    }

    /**
     * {@code ibv_modify_cq}: changes a queue's moderation of events.
     *
     * @param cq
     *            address of an {@code ibv_cq} of this context
     * @param attributes
     *            address of an {@code ibv_modify_cq_attr}
     * @return 0, or the errno value; EOPNOTSUPP where the library or the device cannot
     */
    public int modifyCq(final long cq, final long attributes) {
        final MemorySegment modify = operation(MODIFY_CQ);
        return modify == null ? Errno.EOPNOTSUPP : ColdCalls.status(ColdCalls.callInt(modify, cq, attributes));
    }

    /**
     * {@code ibv_create_cq_ex}.
     *
     * @param attributes
     *            address of an {@code ibv_cq_init_attr_ex}
     * @return address of the queue, which is an {@code ibv_cq} too; 0 on failure
     */
    public long createCqEx(final long attributes) {
        return create(CREATE_CQ_EX, attributes);
    }

    /**
     * {@code ibv_create_srq_ex}; a plain queue needs no extended call.
     *
     * @param attributes
     *            address of an {@code ibv_srq_init_attr_ex}
     * @return address of the {@code ibv_srq}; 0 on failure
     */
    public long createSrqEx(final long attributes) {
        final var fields = Pointers.at(attributes, ibv_srq_init_attr_ex.sizeof());
        final int mask = ibv_srq_init_attr_ex.comp_mask(fields);
        final int type = verbs_h.IBV_SRQ_INIT_ATTR_TYPE();
        final int domain = verbs_h.IBV_SRQ_INIT_ATTR_PD();
        final boolean basic = (mask & type) == 0
                || ibv_srq_init_attr_ex.srq_type(fields) == verbs_h.IBV_SRQT_BASIC();
        if ((mask & ~(type | domain)) == 0 && (mask & domain) != 0 && basic) {
            return VerbsQueues.createSrq(ibv_srq_init_attr_ex.pd(fields).address(), attributes);
        }
        return create(CREATE_SRQ_EX, attributes);
    }

    /**
     * {@code ibv_create_qp_ex}; attributes that name only a protection domain need no extended call.
     *
     * @param attributes
     *            address of an {@code ibv_qp_init_attr_ex}
     * @return address of the {@code ibv_qp}; 0 on failure
     */
    public long createQpEx(final long attributes) {
        final var fields = Pointers.at(attributes, ibv_qp_init_attr_ex.sizeof());
        if (ibv_qp_init_attr_ex.comp_mask(fields) == verbs_h.IBV_QP_INIT_ATTR_PD()) {
            return VerbsQueues.createQp(ibv_qp_init_attr_ex.pd(fields).address(), attributes);
        }
        return create(CREATE_QP_EX, attributes);
    }

    private long create(final long distance, final long attributes) {
        final MemorySegment create = operation(distance);
        if (create == null) {
            CallState.errno(Errno.EOPNOTSUPP);
            return 0;
        }
        return ColdCalls.callLong(create, context, attributes);
    }

    /** The function pointer at a distance before the context, or null if the library or the provider lacks it. */
    private MemorySegment operation(final long distance) {
        if (distance > extent) {
            return null;
        }
        final MemorySegment operation = Pointers.at(context - distance, ADDRESS.byteSize()).get(ADDRESS, 0);
        return operation.address() == 0 ? null : operation;
    }

    private static long back(final long offset) {
        return verbs_context.context$offset() - offset;
    }
}
