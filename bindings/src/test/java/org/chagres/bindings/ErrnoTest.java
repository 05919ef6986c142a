package org.chagres.bindings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

final class ErrnoTest {
    @Test
    void namesAreThoseOfTheCLibrary() throws Throwable {
        final var linker = Linker.nativeLinker();
        final var symbol = linker.defaultLookup().find("strerrorname_np");
        Assumptions.assumeTrue(symbol.isPresent(), "this C library has no strerrorname_np");
        final var handle = linker.downcallHandle(symbol.get(),
                FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
        for (int errno = 1; errno < 200; errno++) {
            final var name = (MemorySegment) handle.invokeExact(errno);
            assertEquals(name.address() == 0 ? "errno " + errno : Pointers.readString(name.address()),
                    Errno.name(errno));
        }
    }

    @Test
    void oddNumbersHaveNamesToo() {
        for (final int errno : new int[]{Integer.MIN_VALUE, -1, 0, 41, 58, 134, Integer.MAX_VALUE }) {
            assertEquals("errno " + errno, Errno.name(errno));
            assertFalse(Errno.message(errno).isBlank());
        }
        assertEquals("ENOMEM (12, Cannot allocate memory)", Errno.describe(Errno.ENOMEM));
    }

    @Test
    void errnoIsCapturedForEachThread() throws InterruptedException {
        final var close = Linker.nativeLinker().defaultLookup().findOrThrow("close");
        assertEquals(9, ColdCalls.status(ColdCalls.callInt(close, -1)));
        final var other = Thread.ofVirtual().start(() -> CallState.errno(Errno.ENOMEM));
        other.join();
        assertEquals("EBADF", Errno.name(CallState.errno()));
    }

    @Test
    void everyWayToReportFailureIsAnErrnoValue() {
        CallState.errno(Errno.EBUSY);
        assertEquals(0, ColdCalls.status(0));
        assertEquals(Errno.EBUSY, ColdCalls.status(-1));
        assertEquals(Errno.ENOMEM, ColdCalls.status(Errno.ENOMEM));
        assertEquals(Errno.ENOMEM, ColdCalls.status(-Errno.ENOMEM));
        CallState.errno(0);
        assertEquals(Errno.EPERM, ColdCalls.status(-1), "a failure is never reported as success");
    }

    @Test
    void narrowUnsignedArgumentsAreNotCutOff() {
        assertEquals(255, ColdCalls.u8(255));
        assertEquals(65535, ColdCalls.u16(65535));
        for (final int port : new int[]{-1, 256, Integer.MIN_VALUE }) {
            final var thrown = assertThrows(IllegalArgumentException.class, () -> ColdCalls.u8(port));
            assertTrue(thrown.getMessage().contains(port + " is not in 0..255"), thrown.getMessage());
        }
        assertThrows(IllegalArgumentException.class, () -> ColdCalls.u16(65536));
    }
}
