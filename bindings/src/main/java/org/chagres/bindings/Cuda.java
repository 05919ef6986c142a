package org.chagres.bindings;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import org.chagres.bindings.NativeLibrary.Since;
import org.chagres.bindings.cuda.cuda_h;

/**
 * The CUDA driver API: start, versions, errors, entry points.
 * <p>
 * One method for each C function, in this class and the other {@code Cuda} ones, named as in NVIDIA's manual without
 * the leading {@code cu}; addresses and handles are {@code long}. "Fills" means that the first address receives a
 * value. A call returns a CUresult, 0 being success; {@link #describe} tells it to people. Each function is looked up
 * when it is first called, and without it, or without the driver, the call throws
 * {@link UnsupportedOperationException} with the reason. Calls are thread-safe and act on the thread's current
 * context; a wrong address crashes the JVM.
 * <p>
 * cuda.h maps names to versioned symbols. A call falls back to an older symbol only where its prototype is the same;
 * symbols from before CUDA 3.2 took 32-bit device addresses, so for those there is no way back.
 */
public final class Cuda {
    /** The CUDA driver, or the reason why it is not there. */
    public static final NativeLibrary LIBRARY = NativeLibrary.load("libcuda.so.1",
            "comes with the NVIDIA driver, not with the CUDA toolkit");

    private static final NativeFunction INIT = LIBRARY.function("cuInit");
    private static final NativeFunction DRIVER_GET_VERSION = LIBRARY.function("cuDriverGetVersion");
    private static final NativeFunction GET_ERROR_NAME = LIBRARY.function("cuGetErrorName");
    private static final NativeFunction GET_ERROR_STRING = LIBRARY.function("cuGetErrorString");
    private static final NativeFunction GET_PROC_ADDRESS = LIBRARY.function(new Since("CUDA 12.0"),
            "cuGetProcAddress_v2");
    /** The first version does not tell why a symbol is missing: it has one argument less. */
    private static final NativeFunction GET_PROC_ADDRESS_11 = LIBRARY.function(new Since("CUDA 11.3"),
            "cuGetProcAddress");

    private Cuda() {
    }

    /**
     * {@code cuInit}: must come before any other call; {@code flags} is 0.
     *
     * @return a CUresult; CUDA_ERROR_NO_DEVICE where the driver finds no GPU
     */
    public static int init(final int flags) {
        return ColdCalls.callInt(INIT.address(), flags);
    }

    /**
     * {@code cuDriverGetVersion}: fills an {@code int} with the newest CUDA version that the driver supports, 12040 for
     * 12.4.
     *
     * @return a CUresult
     */
    public static int driverGetVersion(final long version) {
        return ColdCalls.callInt(DRIVER_GET_VERSION.address(), version);
    }

    /**
     * {@code cuGetProcAddress}: fills in the address of a driver function as of a CUDA version.
     *
     * @param symbol
     *            address of its name, without a version suffix
     * @param function
     *            address of a pointer to fill; 0 there means absent
     * @param cudaVersion
     *            such as 12040
     * @param flags
     *            {@code CU_GET_PROC_ADDRESS_DEFAULT}
     * @param status
     *            address of an {@code int} to fill with {@code CU_GET_PROC_ADDRESS_SUCCESS} or why there is none
     * @return a CUresult
     */
    public static int getProcAddress(final long symbol, final long function, final int cudaVersion, final long flags,
            final long status) {
        if (GET_PROC_ADDRESS.available()) {
            return ColdCalls.callInt(GET_PROC_ADDRESS.address(), symbol, function, cudaVersion, flags, status);
        }
        final int result = ColdCalls.callInt(GET_PROC_ADDRESS_11.address(), symbol, function, cudaVersion, flags);
        Pointers.putInt(status,
                result == cuda_h.CUDA_SUCCESS()
                        ? cuda_h.CU_GET_PROC_ADDRESS_SUCCESS()
                        : cuda_h.CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND());
        return result;
    }

    /**
     * {@code cuGetErrorName}.
     *
     * @param result
     *            any number
     * @return such as {@code CUDA_ERROR_NO_DEVICE}; {@code CUresult 100} without the driver or for an unknown number
     */
    public static String errorName(final int result) {
        final String name = text(GET_ERROR_NAME, result);
        return name != null ? name : "CUresult " + result;
    }

    /**
     * Name, number and text in the form used in exceptions.
     *
     * @param result
     *            any number
     * @return such as {@code CUDA_ERROR_NO_DEVICE (100, no CUDA-capable device is detected)}
     */
    public static String describe(final int result) {
        final String message = text(GET_ERROR_STRING, result);
        return message == null ? errorName(result) : errorName(result) + " (" + result + ", " + message + ")";
    }

    private static String text(final NativeFunction function, final int result) {
        if (!function.available()) {
            return null;
        }
        try (Arena arena = Arena.ofConfined()) {
            final var text = arena.allocate(JAVA_LONG);
            final int unknown = ColdCalls.callInt(function.address(), result, text.address());
            return unknown == cuda_h.CUDA_SUCCESS() ? Pointers.readString(text.get(JAVA_LONG, 0)) : null;
        }
    }
}
