package org.chagres.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Memory of a real other process. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class PeerProcessTest {
    private final Holdings before = Holdings.now();

    @Test
    void whatIsWrittenHereIsReadThere() {
        try (MemoryOwner owner = new MemoryOwner()) {
            try (PeerMemory peer = new PeerMemory(owner.address())) {
                for (int i = 0; i < 2; i++) {
                    final PageSize pages = i == 0 ? PageSize.BASE : PageSize.HUGE;
                    final long token = owner.allocate(3 << 20, pages);
                    final long address = peer.resolve(token, 0, 3 << 20);
                    assertEquals(0, address % pages.bytes());
                    Memory.putLong(address, 0x1122334455667788L);
                    Memory.putLong(peer.resolve(token, (3 << 20) - 8, 8), -9);
                    assertEquals(0x1122334455667788L, owner.getLong(i, 0));
                    assertEquals(-9, owner.getLong(i, (3 << 20) - 8));
                    assertEquals(0, owner.getLong(i, 8));
                }
            }
            assertEquals(before, Holdings.now());
        }
    }

    @Test
    void theOwnersCloseIsSeenHereAndMappedMemoryStaysAccessible() {
        try (MemoryOwner owner = new MemoryOwner(); PeerMemory peer = new PeerMemory(owner.address())) {
            final long token = owner.allocate(100, PageSize.BASE);
            final long address = peer.resolve(token, 0, 100);
            owner.closeRegion(0);
            Memory.putLong(address, 1);
            assertThrows(StaleTokenException.class, () -> peer.resolve(token, 0, 1));
            final long next = owner.allocate(100, PageSize.BASE);
            assertEquals(RegionTable.index(token), RegionTable.index(next));
            assertThrows(StaleTokenException.class, () -> peer.resolve(token, 0, 1));
            Memory.putLong(peer.resolve(next, 0, 8), 77);
            assertEquals(77, owner.getLong(1, 0));
            assertThrows(StaleTokenException.class, () -> peer.resolve(next, 100, 1));
        }
    }

    @Test
    void manyRegionsOfALongLivedPeerDoNotAccumulateHere() {
        try (MemoryOwner owner = new MemoryOwner()) {
            try (PeerMemory peer = new PeerMemory(owner.address())) {
                for (int i = 0; i < 300; i++) {
                    final long token = owner.allocate(8, PageSize.BASE);
                    Memory.putLong(peer.resolve(token, 0, 8), i);
                    assertEquals(i, owner.getLong(i, 0));
                    owner.closeRegion(i);
                }
                final Holdings now = Holdings.now();
                assertTrue(now.mappings() - before.mappings() <= 2, now + " after " + before);
                assertEquals(before.descriptors(), now.descriptors());
            }
            assertEquals(before, Holdings.now());
        }
    }

    @Test
    void aKilledOwnerTakesNothingAwayAndLeavesNothingBehind() throws IOException {
        final List<String> files = list(Path.of("/dev/shm"));
        try (MemoryOwner owner = new MemoryOwner(); PeerMemory peer = new PeerMemory(owner.address())) {
            final long mapped = owner.allocate(1 << 20, PageSize.BASE);
            final long unmapped = owner.allocate(1 << 20, PageSize.BASE);
            final long address = peer.resolve(mapped, 0, 1 << 20);
            owner.kill();
            assertFalse(owner.handle().isAlive());
            for (long offset = 0; offset < 1 << 20; offset += 4096) {
                Memory.putLong(address + offset, offset);
                assertEquals(offset, Memory.getLong(peer.resolve(mapped, offset, 8)));
            }
            final String message = assertThrows(IllegalStateException.class, () -> peer.resolve(unmapped, 0, 1))
                    .getMessage();
            assertTrue(message.contains("process " + owner.handle().pid()), message);
        }
        assertEquals(files, list(Path.of("/dev/shm")));
        assertEquals(before, Holdings.now());
    }

    private static List<String> list(final Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(Path::toString).sorted().toList();
        }
    }
}
