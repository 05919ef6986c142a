package org.chagres.bindings;

import org.chagres.bindings.NativeLibrary.Since;
import org.chagres.bindings.verbs.verbs_h;

/**
 * libibverbs: protection domains and memory regions.
 * <p>
 * Calls report as in {@link Verbs}.
 */
public final class VerbsMemory {
    private static final NativeFunction ALLOC_PD = Verbs.LIBRARY.function("ibv_alloc_pd");
    private static final NativeFunction DEALLOC_PD = Verbs.LIBRARY.function("ibv_dealloc_pd");
    private static final NativeFunction REG_MR = Verbs.LIBRARY.function("ibv_reg_mr");
    private static final NativeFunction REG_MR_IOVA2 = Verbs.LIBRARY.function(new Since("rdma-core 28"),
            "ibv_reg_mr_iova2");
    private static final NativeFunction REG_DMABUF_MR = Verbs.LIBRARY.function(new Since("rdma-core 34"),
            "ibv_reg_dmabuf_mr");
    private static final NativeFunction DEREG_MR = Verbs.LIBRARY.function("ibv_dereg_mr");

    private VerbsMemory() {
    }

    /**
     * {@code ibv_alloc_pd}.
     *
     * @return address of an {@code ibv_pd}; 0 on failure
     */
    public static long allocPd(final long context) {
        return ColdCalls.callLong(ALLOC_PD.address(), context);
    }

    /**
     * {@code ibv_dealloc_pd}: EBUSY while anything made from it exists.
     *
     * @return 0, or the errno value
     */
    public static int deallocPd(final long pd) {
        return ColdCalls.status(ColdCalls.callInt(DEALLOC_PD.address(), pd));
    }

    /**
     * {@code ibv_reg_mr}: pins memory and makes it reachable by the device. ENOMEM nearly always means that the limit
     * of locked memory is too low. Optional access flags, as relaxed ordering, are dropped where the library is too
     * old to know them: they are permissions that a device may ignore.
     *
     * @param pd
     *            address of an {@code ibv_pd}
     * @param address
     *            of the first byte
     * @param length
     *            in bytes
     * @param access
     *            {@code IBV_ACCESS_} flags
     * @return address of an {@code ibv_mr}; 0 on failure
     */
    public static long regMr(final long pd, final long address, final long length, final int access) {
        final int optional = verbs_h.IBV_ACCESS_OPTIONAL_RANGE();
        if ((access & optional) != 0 && REG_MR_IOVA2.available()) {
            return regMrIova2(pd, address, length, address, access);
        }
        return ColdCalls.callLong(REG_MR.address(), pd, address, length, access & ~optional);
    }

    /**
     * {@code ibv_reg_mr_iova2}: as {@link #regMr}; work requests address the region from {@code iova} on.
     *
     * @return address of an {@code ibv_mr}; 0 on failure
     */
    public static long regMrIova2(final long pd, final long address, final long length, final long iova,
            final int access) {
        return ColdCalls.callLong(REG_MR_IOVA2.address(), pd, address, length, iova, access);
    }

    /**
     * {@code ibv_reg_dmabuf_mr}: registers {@code length} bytes from {@code offset} of a dma-buf, such as
     * memory of a GPU.
     *
     * @return address of an {@code ibv_mr}; 0 on failure
     */
    public static long regDmabufMr(final long pd, final long offset, final long length, final long iova, final int fd,
            final int access) {
        return ColdCalls.callLong(REG_DMABUF_MR.address(), pd, offset, length, iova, fd, access);
    }

    /**
     * Whether {@link #regDmabufMr} can be called; the device may still refuse it with EOPNOTSUPP.
     *
     * @return false if the library is absent or too old
     */
    public static boolean hasRegDmabufMr() {
        return REG_DMABUF_MR.available();
    }

    /**
     * {@code ibv_dereg_mr}: unpins; requests still in flight on the region fail.
     *
     * @return 0, or the errno value
     */
    public static int deregMr(final long mr) {
        return ColdCalls.status(ColdCalls.callInt(DEREG_MR.address(), mr));
    }
}
