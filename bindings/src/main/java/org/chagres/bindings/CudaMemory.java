package org.chagres.bindings;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import org.chagres.bindings.NativeLibrary.Since;
import org.chagres.bindings.cuda.CUipcEventHandle_st;
import org.chagres.bindings.cuda.CUipcMemHandle_st;

/**
 * The CUDA driver API: memory of the device and of the host, handles for other processes and other devices.
 * Device addresses, sizes and host addresses are {@code long}.
 * <p>
 * Calls report as in {@link Cuda}.
 */
public final class CudaMemory {
    /** These two take a struct by value, which is laid out on the stack as its layout says. */
    private static final MethodHandle OPEN_MEM = Linker.nativeLinker()
            .downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, CUipcMemHandle_st.layout(), JAVA_INT));
    private static final MethodHandle OPEN_EVENT = Linker.nativeLinker()
            .downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, CUipcEventHandle_st.layout()));

    private static final NativeFunction MEM_GET_INFO = Cuda.LIBRARY.function("cuMemGetInfo_v2");
    private static final NativeFunction MEM_ALLOC = Cuda.LIBRARY.function("cuMemAlloc_v2");
    private static final NativeFunction MEM_FREE = Cuda.LIBRARY.function("cuMemFree_v2");
    private static final NativeFunction MEM_GET_ADDRESS_RANGE = Cuda.LIBRARY.function("cuMemGetAddressRange_v2");
    private static final NativeFunction MEM_HOST_ALLOC = Cuda.LIBRARY.function("cuMemHostAlloc");
    private static final NativeFunction MEM_FREE_HOST = Cuda.LIBRARY.function("cuMemFreeHost");
    private static final NativeFunction MEM_HOST_REGISTER = Cuda.LIBRARY.function("cuMemHostRegister_v2");
    private static final NativeFunction MEM_HOST_UNREGISTER = Cuda.LIBRARY.function("cuMemHostUnregister");
    private static final NativeFunction MEM_HOST_GET_DEVICE_POINTER = Cuda.LIBRARY
            .function("cuMemHostGetDevicePointer_v2");
    private static final NativeFunction IPC_GET_MEM_HANDLE = Cuda.LIBRARY.function("cuIpcGetMemHandle");
    private static final NativeFunction IPC_OPEN_MEM_HANDLE = Cuda.LIBRARY.function(new Since("CUDA 4.1"),
            "cuIpcOpenMemHandle_v2", "cuIpcOpenMemHandle");
    private static final NativeFunction IPC_CLOSE_MEM_HANDLE = Cuda.LIBRARY.function("cuIpcCloseMemHandle");
    private static final NativeFunction IPC_GET_EVENT_HANDLE = Cuda.LIBRARY.function("cuIpcGetEventHandle");
    private static final NativeFunction IPC_OPEN_EVENT_HANDLE = Cuda.LIBRARY.function("cuIpcOpenEventHandle");
    private static final NativeFunction MEM_GET_HANDLE_FOR_ADDRESS_RANGE = Cuda.LIBRARY.function(new Since("CUDA 11.7"),
            "cuMemGetHandleForAddressRange");
    private static final NativeFunction POINTER_GET_ATTRIBUTE = Cuda.LIBRARY.function("cuPointerGetAttribute");
    private static final NativeFunction POINTER_GET_ATTRIBUTES = Cuda.LIBRARY.function("cuPointerGetAttributes");
    private static final NativeFunction POINTER_SET_ATTRIBUTE = Cuda.LIBRARY.function("cuPointerSetAttribute");

    private CudaMemory() {
    }

    /**
     * {@code cuMemGetInfo}: fills two {@code long}, in bytes.
     *
     * @return a CUresult
     */
    public static int memGetInfo(final long free, final long total) {
        return ColdCalls.callInt(MEM_GET_INFO.address(), free, total);
    }

    /**
     * {@code cuMemAlloc}: fills in a device address.
     *
     * @return a CUresult
     */
    public static int memAlloc(final long address, final long bytes) {
        return ColdCalls.callInt(MEM_ALLOC.address(), address, bytes);
    }

    /**
     * {@code cuMemFree}: waits for the device first.
     *
     * @return a CUresult
     */
    public static int memFree(final long address) {
        return ColdCalls.callInt(MEM_FREE.address(), address);
    }

    /**
     * {@code cuMemGetAddressRange}: fills in the allocation that holds an address.
     *
     * @return a CUresult
     */
    public static int memGetAddressRange(final long base, final long size, final long address) {
        return ColdCalls.callInt(MEM_GET_ADDRESS_RANGE.address(), base, size, address);
    }

    /**
     * {@code cuMemHostAlloc}: fills in the address of pinned host memory ({@code CU_MEMHOSTALLOC_}).
     *
     * @return a CUresult
     */
    public static int memHostAlloc(final long address, final long bytes, final int flags) {
        return ColdCalls.callInt(MEM_HOST_ALLOC.address(), address, bytes, flags);
    }

    /**
     * {@code cuMemFreeHost}.
     *
     * @return a CUresult
     */
    public static int memFreeHost(final long address) {
        return ColdCalls.callInt(MEM_FREE_HOST.address(), address);
    }

    /**
     * {@code cuMemHostRegister}: pins host memory for direct access ({@code CU_MEMHOSTREGISTER_}); unregister
     * before it is unmapped.
     *
     * @return a CUresult
     */
    public static int memHostRegister(final long address, final long bytes, final int flags) {
        return ColdCalls.callInt(MEM_HOST_REGISTER.address(), address, bytes, flags);
    }

    /**
     * {@code cuMemHostUnregister}.
     *
     * @return a CUresult
     */
    public static int memHostUnregister(final long address) {
        return ColdCalls.callInt(MEM_HOST_UNREGISTER.address(), address);
    }

    /**
     * {@code cuMemHostGetDevicePointer}: fills in where the device sees mapped host memory; {@code flags} is
     * 0.
     *
     * @return a CUresult
     */
    public static int memHostGetDevicePointer(final long deviceAddress, final long address, final int flags) {
        return ColdCalls.callInt(MEM_HOST_GET_DEVICE_POINTER.address(), deviceAddress, address, flags);
    }

    /**
     * {@code cuIpcGetMemHandle}: fills a {@code CUipcMemHandle}, 64 bytes that another process may open.
     *
     * @return a CUresult
     */
    public static int ipcGetMemHandle(final long handle, final long address) {
        return ColdCalls.callInt(IPC_GET_MEM_HANDLE.address(), handle, address);
    }

    /**
     * {@code cuIpcOpenMemHandle}: fills in the address of memory of another process; {@code handle} is that
     * of a {@code CUipcMemHandle}, {@code flags} is {@code CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS}.
     *
     * @return a CUresult
     */
    public static int ipcOpenMemHandle(final long address, final long handle, final int flags) {
        final var value = Pointers.at(handle, CUipcMemHandle_st.sizeof());
        try {
            return (int) OPEN_MEM.invokeExact(IPC_OPEN_MEM_HANDLE.address(), address, value, flags);
        } catch (final Throwable throwable) {
            throw ColdCalls.unexpected(throwable);
        }
    }

    /**
     * {@code cuIpcCloseMemHandle}.
     *
     * @return a CUresult
     */
    public static int ipcCloseMemHandle(final long address) {
        return ColdCalls.callInt(IPC_CLOSE_MEM_HANDLE.address(), address);
    }

    /**
     * {@code cuIpcGetEventHandle}: fills a {@code CUipcEventHandle}, 64 bytes; the event needs {@code
     * CU_EVENT_INTERPROCESS}.
     *
     * @return a CUresult
     */
    public static int ipcGetEventHandle(final long handle, final long event) {
        return ColdCalls.callInt(IPC_GET_EVENT_HANDLE.address(), handle, event);
    }

    /**
     * {@code cuIpcOpenEventHandle}: fills in a {@code CUevent}; {@code handle} is the address of a {@code
     * CUipcEventHandle}.
     *
     * @return a CUresult
     */
    public static int ipcOpenEventHandle(final long event, final long handle) {
        final var value = Pointers.at(handle, CUipcEventHandle_st.sizeof());
        try {
            return (int) OPEN_EVENT.invokeExact(IPC_OPEN_EVENT_HANDLE.address(), event, value);
        } catch (final Throwable throwable) {
            throw ColdCalls.unexpected(throwable);
        }
    }

    /**
     * {@code cuMemGetHandleForAddressRange}: fills an {@code int} with a dma-buf file descriptor for {@link
     * VerbsMemory#regDmabufMr}, to be closed ({@code CU_MEM_RANGE_HANDLE_TYPE_DMA_BUF_FD}); the range is in
     * whole host pages.
     *
     * @return a CUresult
     */
    public static int memGetHandleForAddressRange(final long handle, final long address, final long bytes,
            final int type, final long flags) {
        return ColdCalls.callInt(MEM_GET_HANDLE_FOR_ADDRESS_RANGE.address(), handle, address, bytes, type, flags);
    }

    /**
     * {@code cuPointerGetAttribute}: {@code CU_POINTER_ATTRIBUTE_}; CUDA_ERROR_INVALID_VALUE for memory that
     * CUDA does not know.
     *
     * @return a CUresult
     */
    public static int pointerGetAttribute(final long value, final int attribute, final long address) {
        return ColdCalls.callInt(POINTER_GET_ATTRIBUTE.address(), value, attribute, address);
    }

    /**
     * {@code cuPointerGetAttributes}: several at once; {@code values} are addresses.
     *
     * @return a CUresult
     */
    public static int pointerGetAttributes(final int count, final long attributes, final long values,
            final long address) {
        return ColdCalls.callInt(POINTER_GET_ATTRIBUTES.address(), count, attributes, values, address);
    }

    /**
     * {@code cuPointerSetAttribute}: {@code CU_POINTER_ATTRIBUTE_SYNC_MEMOPS}, before memory is shown to a
     * network device.
     *
     * @return a CUresult
     */
    public static int pointerSetAttribute(final long value, final int attribute, final long address) {
        return ColdCalls.callInt(POINTER_SET_ATTRIBUTE.address(), value, attribute, address);
    }
}
