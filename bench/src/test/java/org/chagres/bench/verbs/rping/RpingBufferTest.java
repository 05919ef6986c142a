package org.chagres.bench.verbs.rping;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import org.chagres.bench.verbs.PeerLostException;
import org.chagres.verbs.RemoteMemory;
import org.junit.jupiter.api.Test;

class RpingBufferTest {
    private static final byte[] BYTES = HexFormat.of().parseHex("00007f0102030400" + "80000a46" + "00000040");

    @Test
    void isTheStructOfTheCProgram() {
        final RpingBuffer buffer = new RpingBuffer(new RemoteMemory(0x7f01_0203_0400L, 0x8000_0a46), 64);
        final byte[] message = new byte[RpingBuffer.BYTES];
        buffer.write(MemorySegment.ofArray(message));
        assertEquals(HexFormat.of().formatHex(BYTES), HexFormat.of().formatHex(message));
        assertEquals(buffer, RpingBuffer.read(MemorySegment.ofArray(BYTES), 16, 64));
    }

    @Test
    void whatDoesNotFitIsRefused() {
        final MemorySegment message = MemorySegment.ofArray(BYTES.clone());
        assertThrows(PeerLostException.class, () -> RpingBuffer.read(message, 15, 64));
        assertThrows(PeerLostException.class, () -> RpingBuffer.read(message, 16, 63));
        message.fill((byte) 0);
        assertThrows(PeerLostException.class, () -> RpingBuffer.read(message, 16, 64));
        message.fill((byte) 0xff);
        assertThrows(PeerLostException.class, () -> RpingBuffer.read(message, 16, 64));
    }
}
