package org.chagres.bindings;

import org.chagres.bindings.NativeLibrary.Since;

/**
 * The CUDA driver API: modules of device code and the launch of their functions.
 * <p>
 * Calls report as in {@link Cuda}.
 */
public final class CudaModule {
    private static final NativeFunction MODULE_LOAD = Cuda.LIBRARY.function("cuModuleLoad");
    private static final NativeFunction MODULE_LOAD_DATA = Cuda.LIBRARY.function("cuModuleLoadData");
    private static final NativeFunction MODULE_LOAD_DATA_EX = Cuda.LIBRARY.function("cuModuleLoadDataEx");
    private static final NativeFunction MODULE_UNLOAD = Cuda.LIBRARY.function("cuModuleUnload");
    private static final NativeFunction MODULE_GET_FUNCTION = Cuda.LIBRARY.function("cuModuleGetFunction");
    private static final NativeFunction MODULE_GET_GLOBAL = Cuda.LIBRARY.function("cuModuleGetGlobal_v2");
    private static final NativeFunction FUNC_GET_ATTRIBUTE = Cuda.LIBRARY.function("cuFuncGetAttribute");
    private static final NativeFunction FUNC_SET_ATTRIBUTE = Cuda.LIBRARY.function(new Since("CUDA 9.0"),
            "cuFuncSetAttribute");
    private static final NativeFunction LAUNCH_KERNEL = Cuda.LIBRARY.function("cuLaunchKernel");

    private CudaModule() {
    }

    /**
     * {@code cuModuleLoad}: fills in a {@code CUmodule}.
     *
     * @return a CUresult
     */
    public static int moduleLoad(final long module, final long path) {
        return ColdCalls.callInt(MODULE_LOAD.address(), module, path);
    }

    /**
     * {@code cuModuleLoadData}: fills in a {@code CUmodule}; {@code image} is PTX with a NUL, a cubin or a
     * fatbin.
     *
     * @return a CUresult
     */
    public static int moduleLoadData(final long module, final long image) {
        return ColdCalls.callInt(MODULE_LOAD_DATA.address(), module, image);
    }

    /**
     * {@code cuModuleLoadDataEx}: with {@code count} options ({@code CU_JIT_}) as an array of {@code int} and
     * one of pointers.
     *
     * @return a CUresult
     */
    public static int moduleLoadDataEx(final long module, final long image, final int count, final long options,
            final long values) {
        return ColdCalls.callInt(MODULE_LOAD_DATA_EX.address(), module, image, count, options, values);
    }

    /**
     * {@code cuModuleUnload}.
     *
     * @return a CUresult
     */
    public static int moduleUnload(final long module) {
        return ColdCalls.callInt(MODULE_UNLOAD.address(), module);
    }

    /**
     * {@code cuModuleGetFunction}: fills in a {@code CUfunction}.
     *
     * @return a CUresult
     */
    public static int moduleGetFunction(final long function, final long module, final long name) {
        return ColdCalls.callInt(MODULE_GET_FUNCTION.address(), function, module, name);
    }

    /**
     * {@code cuModuleGetGlobal}: fills in where a global variable is and its size.
     *
     * @return a CUresult
     */
    public static int moduleGetGlobal(final long address, final long bytes, final long module, final long name) {
        return ColdCalls.callInt(MODULE_GET_GLOBAL.address(), address, bytes, module, name);
    }

    /**
     * {@code cuFuncGetAttribute}: fills an {@code int} ({@code CU_FUNC_ATTRIBUTE_}).
     *
     * @return a CUresult
     */
    public static int funcGetAttribute(final long value, final int attribute, final long function) {
        return ColdCalls.callInt(FUNC_GET_ATTRIBUTE.address(), value, attribute, function);
    }

    /**
     * {@code cuFuncSetAttribute}.
     *
     * @return a CUresult
     */
    public static int funcSetAttribute(final long function, final int attribute, final int value) {
        return ColdCalls.callInt(FUNC_SET_ATTRIBUTE.address(), function, attribute, value);
    }

    /**
     * {@code cuLaunchKernel}: {@code parameters} is an array of addresses of the arguments, {@code extra} is
     * 0.
     *
     * @return a CUresult
     */
    public static int launchKernel(final long function, final int gridX, final int gridY, final int gridZ,
            final int blockX, final int blockY, final int blockZ, final int sharedBytes, final long stream,
            final long parameters, final long extra) {
        return ColdCalls.callInt(LAUNCH_KERNEL.address(), function, gridX, gridY, gridZ, blockX, blockY, blockZ,
                sharedBytes, stream, parameters, extra);
    }
}
