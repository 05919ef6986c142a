package org.chagres.bindings;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import org.chagres.bindings.cuda.CUipcMemHandle_st;
import org.junit.jupiter.api.Test;

/** Calls arrive at a driver of CUDA 11, written in C, with structs by value and more arguments than registers. */
final class OldCudaTest {
    @Test
    void callsArriveOrFallBack() throws Exception {
        CCompiler.assumeHeaders("stdio.h");
        final var library = CCompiler.sharedObject("fake_cuda.c", "old-cuda/libcuda.so.1");
        final var result = Child.java(library.getParent(), Caller.class, "--enable-native-access=ALL-UNNAMED");
        long mixed = 0;
        for (int i = 0; i < 64; i++) {
            mixed = mixed * 31 + (i ^ 0xa5);
        }
        assertEquals("""
                available
                init 0 1
                CUDA_ERROR_NO_DEVICE (100, no CUDA-capable device is detected)
                CUresult 4242
                cuGetProcAddress cuInit 12040 7
                getProcAddress 500, 1
                elapsed 0, 96.0
                ipcOpenMemHandle 0, %d
                ipcOpenEventHandle 0, 154
                memsetD8 0
                cuLaunchKernel 0x11 1 2 3 4 5 6 4294967295 0x7f0000000008 0x9 (nil)
                launchKernel 0
                cuMemGetHandleForAddressRange (since CUDA 11.7): this version of libcuda.so.1 does not export it
                cuStreamCreate: this version of libcuda.so.1 does not export it
                """.formatted(mixed + 1), result.output());
        assertEquals(0, result.status());
    }

    /** Runs in a JVM of its own. */
    static final class Caller {
        private Caller() {
        }

        public static void main(final String[] arguments) {
            System.out.println(Cuda.LIBRARY.reason());
            System.out.println("init " + Cuda.init(0) + " " + Cuda.init(1));
            System.out.println(Cuda.describe(100));
            System.out.println(Cuda.describe(4242));
            try (Arena arena = Arena.ofConfined()) {
                fills(arena);
            }
            System.out.println("memsetD8 " + CudaCopy.memsetD8(0x7000_0000_0000L, 200, 5_000_000_000L));
            System.out.println(
                    "launchKernel " + CudaModule.launchKernel(0x11, 1, 2, 3, 4, 5, 6, -1, 0x7f00_0000_0008L, 9, 0));
            refused(() -> CudaMemory.memGetHandleForAddressRange(8, 16, 4096, 1, 0));
            refused(() -> CudaStream.streamCreate(8, 0));
        }

        private static void fills(final Arena arena) {
            final var value = arena.allocate(JAVA_LONG);
            final var status = arena.allocate(JAVA_INT);
            final int found = Cuda.getProcAddress(arena.allocateFrom("cuInit").address(), value.address(), 12040, 7,
                    status.address());
            System.out.println("getProcAddress " + found + ", " + status.get(JAVA_INT, 0));

            final var milliseconds = arena.allocate(JAVA_FLOAT);
            System.out.println("elapsed " + CudaStream.eventElapsedTime(milliseconds.address(), 4, 100) + ", "
                    + milliseconds.get(JAVA_FLOAT, 0));

            final var handle = arena.allocate(CUipcMemHandle_st.layout());
            for (int i = 0; i < handle.byteSize(); i++) {
                handle.set(JAVA_BYTE, i, (byte) (i ^ 0xa5));
            }
            System.out.println("ipcOpenMemHandle " + CudaMemory.ipcOpenMemHandle(value.address(), handle.address(), 1)
                    + ", " + value.get(JAVA_LONG, 0));
            System.out.println("ipcOpenEventHandle " + CudaMemory.ipcOpenEventHandle(value.address(), handle.address())
                    + ", " + value.get(JAVA_LONG, 0));
        }

        private static void refused(final Runnable call) {
            try {
                call.run();
                System.out.println("not refused");
            } catch (final UnsupportedOperationException expected) {
                System.out.println(expected.getMessage());
            }
        }
    }
}
