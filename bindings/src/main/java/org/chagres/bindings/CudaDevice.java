package org.chagres.bindings;

import org.chagres.bindings.NativeLibrary.Since;

/**
 * The CUDA driver API: devices, primary contexts, the current context of a thread.
 * <p>
 * Calls report as in {@link Cuda}.
 */
public final class CudaDevice {
    private static final NativeFunction DEVICE_GET_COUNT = Cuda.LIBRARY.function("cuDeviceGetCount");
    private static final NativeFunction DEVICE_GET = Cuda.LIBRARY.function("cuDeviceGet");
    private static final NativeFunction DEVICE_GET_NAME = Cuda.LIBRARY.function("cuDeviceGetName");
    private static final NativeFunction DEVICE_GET_UUID = Cuda.LIBRARY.function(new Since("CUDA 9.2"),
            "cuDeviceGetUuid_v2", "cuDeviceGetUuid");
    private static final NativeFunction DEVICE_TOTAL_MEM = Cuda.LIBRARY.function("cuDeviceTotalMem_v2");
    private static final NativeFunction DEVICE_GET_ATTRIBUTE = Cuda.LIBRARY.function("cuDeviceGetAttribute");
    private static final NativeFunction DEVICE_GET_PCI_BUS_ID = Cuda.LIBRARY.function("cuDeviceGetPCIBusId");
    private static final NativeFunction DEVICE_GET_BY_PCI_BUS_ID = Cuda.LIBRARY.function("cuDeviceGetByPCIBusId");
    private static final NativeFunction DEVICE_CAN_ACCESS_PEER = Cuda.LIBRARY.function("cuDeviceCanAccessPeer");
    private static final NativeFunction DEVICE_PRIMARY_CTX_RETAIN = Cuda.LIBRARY.function("cuDevicePrimaryCtxRetain");
    private static final NativeFunction DEVICE_PRIMARY_CTX_RELEASE = Cuda.LIBRARY.function(new Since("CUDA 7.0"),
            "cuDevicePrimaryCtxRelease_v2", "cuDevicePrimaryCtxRelease");
    private static final NativeFunction DEVICE_PRIMARY_CTX_GET_STATE = Cuda.LIBRARY
            .function("cuDevicePrimaryCtxGetState");
    private static final NativeFunction CTX_GET_CURRENT = Cuda.LIBRARY.function("cuCtxGetCurrent");
    private static final NativeFunction CTX_SET_CURRENT = Cuda.LIBRARY.function("cuCtxSetCurrent");
    private static final NativeFunction CTX_PUSH_CURRENT = Cuda.LIBRARY.function("cuCtxPushCurrent_v2");
    private static final NativeFunction CTX_POP_CURRENT = Cuda.LIBRARY.function("cuCtxPopCurrent_v2");
    private static final NativeFunction CTX_GET_DEVICE = Cuda.LIBRARY.function("cuCtxGetDevice");
    private static final NativeFunction CTX_SYNCHRONIZE = Cuda.LIBRARY.function("cuCtxSynchronize");
    private static final NativeFunction CTX_ENABLE_PEER_ACCESS = Cuda.LIBRARY.function("cuCtxEnablePeerAccess");
    private static final NativeFunction CTX_DISABLE_PEER_ACCESS = Cuda.LIBRARY.function("cuCtxDisablePeerAccess");

    private CudaDevice() {
    }

    /**
     * {@code cuDeviceGetCount}: fills an {@code int}.
     *
     * @return a CUresult
     */
    public static int deviceGetCount(final long count) {
        return ColdCalls.callInt(DEVICE_GET_COUNT.address(), count);
    }

    /**
     * {@code cuDeviceGet}: fills a {@code CUdevice}, an {@code int}.
     *
     * @return a CUresult
     */
    public static int deviceGet(final long device, final int ordinal) {
        return ColdCalls.callInt(DEVICE_GET.address(), device, ordinal);
    }

    /**
     * {@code cuDeviceGetName}: fills a string of at most {@code length} bytes with its NUL.
     *
     * @return a CUresult
     */
    public static int deviceGetName(final long name, final int length, final int device) {
        return ColdCalls.callInt(DEVICE_GET_NAME.address(), name, length, device);
    }

    /**
     * {@code cuDeviceGetUuid}: fills 16 bytes.
     *
     * @return a CUresult
     */
    public static int deviceGetUuid(final long uuid, final int device) {
        return ColdCalls.callInt(DEVICE_GET_UUID.address(), uuid, device);
    }

    /**
     * {@code cuDeviceTotalMem}: fills a {@code long}.
     *
     * @return a CUresult
     */
    public static int deviceTotalMem(final long bytes, final int device) {
        return ColdCalls.callInt(DEVICE_TOTAL_MEM.address(), bytes, device);
    }

    /**
     * {@code cuDeviceGetAttribute}: fills an {@code int}; an attribute newer than the driver is
     * CUDA_ERROR_INVALID_VALUE.
     *
     * @return a CUresult
     */
    public static int deviceGetAttribute(final long value, final int attribute, final int device) {
        return ColdCalls.callInt(DEVICE_GET_ATTRIBUTE.address(), value, attribute, device);
    }

    /**
     * {@code cuDeviceGetPCIBusId}: fills a string such as {@code 0000:65:00.0}.
     *
     * @return a CUresult
     */
    public static int deviceGetPciBusId(final long id, final int length, final int device) {
        return ColdCalls.callInt(DEVICE_GET_PCI_BUS_ID.address(), id, length, device);
    }

    /**
     * {@code cuDeviceGetByPCIBusId}: fills a {@code CUdevice}.
     *
     * @return a CUresult
     */
    public static int deviceGetByPciBusId(final long device, final long id) {
        return ColdCalls.callInt(DEVICE_GET_BY_PCI_BUS_ID.address(), device, id);
    }

    /**
     * {@code cuDeviceCanAccessPeer}: fills an {@code int}, 0 or 1.
     *
     * @return a CUresult
     */
    public static int deviceCanAccessPeer(final long can, final int device, final int peer) {
        return ColdCalls.callInt(DEVICE_CAN_ACCESS_PEER.address(), can, device, peer);
    }

    /**
     * {@code cuDevicePrimaryCtxRetain}: fills a {@code CUcontext}, the one that the CUDA runtime uses too; to
     * be released.
     *
     * @return a CUresult
     */
    public static int devicePrimaryCtxRetain(final long context, final int device) {
        return ColdCalls.callInt(DEVICE_PRIMARY_CTX_RETAIN.address(), context, device);
    }

    /**
     * {@code cuDevicePrimaryCtxRelease}.
     *
     * @return a CUresult
     */
    public static int devicePrimaryCtxRelease(final int device) {
        return ColdCalls.callInt(DEVICE_PRIMARY_CTX_RELEASE.address(), device);
    }

    /**
     * {@code cuDevicePrimaryCtxGetState}: fills two {@code int}.
     *
     * @return a CUresult
     */
    public static int devicePrimaryCtxGetState(final int device, final long flags, final long active) {
        return ColdCalls.callInt(DEVICE_PRIMARY_CTX_GET_STATE.address(), device, flags, active);
    }

    /**
     * {@code cuCtxGetCurrent}: fills in the context of the calling thread, 0 if none.
     *
     * @return a CUresult
     */
    public static int ctxGetCurrent(final long context) {
        return ColdCalls.callInt(CTX_GET_CURRENT.address(), context);
    }

    /**
     * {@code cuCtxSetCurrent}: binds a context to the calling thread.
     *
     * @return a CUresult
     */
    public static int ctxSetCurrent(final long context) {
        return ColdCalls.callInt(CTX_SET_CURRENT.address(), context);
    }

    /**
     * {@code cuCtxPushCurrent}.
     *
     * @return a CUresult
     */
    public static int ctxPushCurrent(final long context) {
        return ColdCalls.callInt(CTX_PUSH_CURRENT.address(), context);
    }

    /**
     * {@code cuCtxPopCurrent}: fills in the context that was current.
     *
     * @return a CUresult
     */
    public static int ctxPopCurrent(final long context) {
        return ColdCalls.callInt(CTX_POP_CURRENT.address(), context);
    }

    /**
     * {@code cuCtxGetDevice}: fills the {@code CUdevice} of the current context.
     *
     * @return a CUresult
     */
    public static int ctxGetDevice(final long device) {
        return ColdCalls.callInt(CTX_GET_DEVICE.address(), device);
    }

    /**
     * {@code cuCtxSynchronize}: waits for all work of the current context.
     *
     * @return a CUresult
     */
    public static int ctxSynchronize() {
        return ColdCalls.callInt(CTX_SYNCHRONIZE.address());
    }

    /**
     * {@code cuCtxEnablePeerAccess}: lets the current context read and write the memory of a peer's; {@code
     * flags} is 0.
     *
     * @return a CUresult
     */
    public static int ctxEnablePeerAccess(final long peer, final int flags) {
        return ColdCalls.callInt(CTX_ENABLE_PEER_ACCESS.address(), peer, flags);
    }

    /**
     * {@code cuCtxDisablePeerAccess}.
     *
     * @return a CUresult
     */
    public static int ctxDisablePeerAccess(final long peer) {
        return ColdCalls.callInt(CTX_DISABLE_PEER_ACCESS.address(), peer);
    }
}
