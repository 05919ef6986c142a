package org.chagres.bindings;

/**
 * The CUDA driver API: copies and fills. The asynchronous ones are ordered by their stream, 0 being the default
 * one; host memory must then stay valid, and is copied without staging only if pinned.
 * <p>
 * Calls report as in {@link Cuda}.
 */
public final class CudaCopy {
    private static final NativeFunction MEMCPY = Cuda.LIBRARY.function("cuMemcpy");
    private static final NativeFunction MEMCPY_ASYNC = Cuda.LIBRARY.function("cuMemcpyAsync");
    private static final NativeFunction MEMCPY_HTOD = Cuda.LIBRARY.function("cuMemcpyHtoD_v2");
    private static final NativeFunction MEMCPY_DTOH = Cuda.LIBRARY.function("cuMemcpyDtoH_v2");
    private static final NativeFunction MEMCPY_DTOD = Cuda.LIBRARY.function("cuMemcpyDtoD_v2");
    private static final NativeFunction MEMCPY_HTOD_ASYNC = Cuda.LIBRARY.function("cuMemcpyHtoDAsync_v2");
    private static final NativeFunction MEMCPY_DTOH_ASYNC = Cuda.LIBRARY.function("cuMemcpyDtoHAsync_v2");
    private static final NativeFunction MEMCPY_DTOD_ASYNC = Cuda.LIBRARY.function("cuMemcpyDtoDAsync_v2");
    private static final NativeFunction MEMCPY_PEER_ASYNC = Cuda.LIBRARY.function("cuMemcpyPeerAsync");
    private static final NativeFunction MEMSET_D8 = Cuda.LIBRARY.function("cuMemsetD8_v2");
    private static final NativeFunction MEMSET_D32 = Cuda.LIBRARY.function("cuMemsetD32_v2");
    private static final NativeFunction MEMSET_D8_ASYNC = Cuda.LIBRARY.function("cuMemsetD8Async");
    private static final NativeFunction MEMSET_D32_ASYNC = Cuda.LIBRARY.function("cuMemsetD32Async");

    private CudaCopy() {
    }

    /**
     * {@code cuMemcpy}: either address of any kind.
     *
     * @return a CUresult
     */
    public static int memcpy(final long destination, final long source, final long bytes) {
        return ColdCalls.callInt(MEMCPY.address(), destination, source, bytes);
    }

    /**
     * {@code cuMemcpyAsync}: either address of any kind.
     *
     * @return a CUresult
     */
    public static int memcpyAsync(final long destination, final long source, final long bytes, final long stream) {
        return ColdCalls.callInt(MEMCPY_ASYNC.address(), destination, source, bytes, stream);
    }

    /**
     * {@code cuMemcpyHtoD}.
     *
     * @return a CUresult
     */
    public static int memcpyHtoD(final long device, final long host, final long bytes) {
        return ColdCalls.callInt(MEMCPY_HTOD.address(), device, host, bytes);
    }

    /**
     * {@code cuMemcpyDtoH}.
     *
     * @return a CUresult
     */
    public static int memcpyDtoH(final long host, final long device, final long bytes) {
        return ColdCalls.callInt(MEMCPY_DTOH.address(), host, device, bytes);
    }

    /**
     * {@code cuMemcpyDtoD}.
     *
     * @return a CUresult
     */
    public static int memcpyDtoD(final long destination, final long source, final long bytes) {
        return ColdCalls.callInt(MEMCPY_DTOD.address(), destination, source, bytes);
    }

    /**
     * {@code cuMemcpyHtoDAsync}.
     *
     * @return a CUresult
     */
    public static int memcpyHtoDAsync(final long device, final long host, final long bytes, final long stream) {
        return ColdCalls.callInt(MEMCPY_HTOD_ASYNC.address(), device, host, bytes, stream);
    }

    /**
     * {@code cuMemcpyDtoHAsync}.
     *
     * @return a CUresult
     */
    public static int memcpyDtoHAsync(final long host, final long device, final long bytes, final long stream) {
        return ColdCalls.callInt(MEMCPY_DTOH_ASYNC.address(), host, device, bytes, stream);
    }

    /**
     * {@code cuMemcpyDtoDAsync}.
     *
     * @return a CUresult
     */
    public static int memcpyDtoDAsync(final long destination, final long source, final long bytes, final long stream) {
        return ColdCalls.callInt(MEMCPY_DTOD_ASYNC.address(), destination, source, bytes, stream);
    }

    /**
     * {@code cuMemcpyPeerAsync}: between the memories of two contexts.
     *
     * @return a CUresult
     */
    public static int memcpyPeerAsync(final long destination, final long destinationContext, final long source,
            final long sourceContext, final long bytes, final long stream) {
        return ColdCalls.callInt(MEMCPY_PEER_ASYNC.address(), destination, destinationContext, source, sourceContext,
                bytes, stream);
    }

    /**
     * {@code cuMemsetD8}: {@code count} bytes.
     *
     * @return a CUresult
     */
    public static int memsetD8(final long address, final int value, final long count) {
        return ColdCalls.callInt(MEMSET_D8.address(), address, ColdCalls.u8(value), count);
    }

    /**
     * {@code cuMemsetD32}: {@code count} words of 4 bytes.
     *
     * @return a CUresult
     */
    public static int memsetD32(final long address, final int value, final long count) {
        return ColdCalls.callInt(MEMSET_D32.address(), address, value, count);
    }

    /**
     * {@code cuMemsetD8Async}: {@code count} bytes.
     *
     * @return a CUresult
     */
    public static int memsetD8Async(final long address, final int value, final long count, final long stream) {
        return ColdCalls.callInt(MEMSET_D8_ASYNC.address(), address, ColdCalls.u8(value), count, stream);
    }

    /**
     * {@code cuMemsetD32Async}: {@code count} words of 4 bytes.
     *
     * @return a CUresult
     */
    public static int memsetD32Async(final long address, final int value, final long count, final long stream) {
        return ColdCalls.callInt(MEMSET_D32_ASYNC.address(), address, value, count, stream);
    }
}
