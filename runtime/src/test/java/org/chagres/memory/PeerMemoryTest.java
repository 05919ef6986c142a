package org.chagres.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class PeerMemoryTest {
    private final Holdings before = Holdings.now();
    private final MemoryDomain domain = new MemoryDomain(Map.of());
    private final PeerMemory peer = new PeerMemory(domain.address());

    @AfterEach
    void nothingIsLeft() {
        domain.close();
        peer.close();
        peer.close();
        assertEquals(before, Holdings.now());
    }

    @Test
    void bothSeeTheSameBytes() {
        final Random random = new Random(3);
        for (final PageSize pages : PageSize.values()) {
            final Region region = domain.allocate(10_001, pages);
            for (int i = 0; i < 100; i++) {
                final long offset = random.nextInt(10_001 - 8);
                final long value = random.nextLong();
                Memory.putLong(peer.resolve(region.token(), offset, 8), value);
                assertEquals(value, region.segment().get(ValueLayout.JAVA_LONG_UNALIGNED, offset));
            }
        }
    }

    @Test
    void boundsAreThoseAskedForNotThoseOfThePages() {
        final Region region = domain.allocate(100, PageSize.BASE);
        final long token = region.token();
        assertEquals(peer.resolve(token, 0, 100), peer.resolve(token, 0, 0));
        assertEquals(peer.resolve(token, 0, 0) + 99, peer.resolve(token, 99, 1));
        assertEquals(peer.resolve(token, 0, 0) + 100, peer.resolve(token, 100, 0));
        final long[][] wrong = {{0, 101 }, {100, 1 }, {101, 0 }, {-1, 1 }, {0, -1 }, {1, Long.MAX_VALUE },
                {Long.MAX_VALUE, 1 }, {Long.MAX_VALUE, Long.MAX_VALUE }, {Long.MIN_VALUE, 0 }, {99, 2 } };
        for (final long[] range : wrong) {
            final String message = assertThrows(StaleTokenException.class,
                    () -> peer.resolve(token, range[0], range[1]), () -> range[0] + " " + range[1]).getMessage();
            assertTrue(message.contains("100 bytes") && message.contains("" + range[0]), message);
        }
    }

    @Test
    void anEmptyRegionHasNoBytes() {
        final Region region = domain.allocate(0, PageSize.BASE);
        assertNotEquals(0, peer.resolve(region.token(), 0, 0));
        assertThrows(StaleTokenException.class, () -> peer.resolve(region.token(), 0, 1));
    }

    /** Tokens that this domain never gave: no region, indices and generations beyond the table, all bits. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1, 15, 16, 4095, 4096, 65535, 1 << 16, (1 << 16) + 1, -1, Long.MIN_VALUE, Long.MAX_VALUE })
    void refusesTokensThatWereNeverGiven(final long token) {
        assertThrows(StaleTokenException.class, () -> peer.resolve(token, 0, 0));
        assertThrows(StaleTokenException.class, () -> peer.resolve(token, 0, 8));
        final Region region = domain.allocate(8, PageSize.BASE);
        peer.resolve(region.token(), 0, 8);
        region.close();
        assertThrows(StaleTokenException.class, () -> peer.resolve(token, 0, 0));
        domain.allocate(8, PageSize.BASE).close();
        assertThrows(StaleTokenException.class, () -> peer.resolve(token, 0, 0));
    }

    @Test
    void aClosedRegionIsStaleWhetherItWasMappedOrNot() {
        final Region mapped = domain.allocate(64, PageSize.BASE);
        final Region unmapped = domain.allocate(64, PageSize.BASE);
        peer.resolve(mapped.token(), 0, 64);
        mapped.close();
        unmapped.close();
        for (final Region region : List.of(mapped, unmapped)) {
            final String message = assertThrows(StaleTokenException.class, () -> peer.resolve(region.token(), 0, 1))
                    .getMessage();
            assertTrue(message.contains("has closed its region " + RegionTable.index(region.token()))
                    && message.contains("keep a region open"), message);
        }
        assertThrows(StaleTokenException.class, () -> peer.resolve(0, 0, 0));
    }

    @Test
    void aReusedIndexHasANewTokenAndTheOldOneStaysStale() {
        final List<Long> old = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            final Region region = domain.allocate(8, PageSize.BASE);
            assertEquals(0, RegionTable.index(region.token()));
            Memory.putLong(peer.resolve(region.token(), 0, 8), i);
            assertEquals(i, region.segment().get(ValueLayout.JAVA_LONG, 0));
            for (final long token : old) {
                assertThrows(StaleTokenException.class, () -> peer.resolve(token, 0, 8));
            }
            assertEquals(i, Memory.getLong(peer.resolve(region.token(), 0, 8)));
            old.add(region.token());
            region.close();
        }
    }

    @Test
    void memoryStaysAccessibleToWhoeverResolvedItBeforeTheOwnerClosed() {
        final Region region = domain.allocate(8, PageSize.BASE);
        final long address = peer.resolve(region.token(), 0, 8);
        region.close();
        Memory.putLong(address, 5);
        assertEquals(5, Memory.getLong(address));
    }

    @Test
    void aHeldMappingOutlivesItsRegionAndTheReuseOfItsIndex() {
        final Region region = domain.allocate(100, PageSize.BASE);
        assertThrows(StaleTokenException.class, () -> peer.hold(region.token(), 101));
        final long address = peer.hold(region.token(), 100);
        assertEquals(address, peer.hold(region.token(), 8));
        region.close();
        for (int i = 0; i < 3; i++) {
            try (Region next = domain.allocate(8, PageSize.BASE)) {
                assertNotEquals(address, peer.resolve(next.token(), 0, 8));
            }
            Memory.putLong(address, i);
            assertEquals(i, Memory.getLong(address));
        }
        assertThrows(StaleTokenException.class, () -> peer.hold(region.token(), 8));
    }

    @Test
    void useAfterCloseIsAnException() {
        final Region region = domain.allocate(8, PageSize.BASE);
        peer.resolve(region.token(), 0, 8);
        peer.close();
        assertThrows(IllegalStateException.class, () -> peer.resolve(region.token(), 0, 8));
        assertThrows(IllegalStateException.class, () -> peer.hold(region.token(), 8));
    }

    @Test
    void mappingsOfClosedRegionsGoWhenAnotherRegionIsMapped() {
        for (int i = 0; i < 3000; i++) {
            try (Region region = domain.allocate(8, PageSize.BASE)) {
                peer.resolve(region.token(), 0, 8);
            }
        }
        final Holdings now = Holdings.now();
        assertTrue(now.mappings() - before.mappings() <= 4, now + " after " + before);
        assertTrue(now.descriptors() - before.descriptors() <= 1, now + " after " + before);
    }

    @Test
    void manyRegionsAtOnce() {
        final List<Region> regions = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            regions.add(domain.allocate(8 + i, PageSize.BASE));
        }
        for (final Region region : regions.reversed()) {
            Memory.putLong(peer.resolve(region.token(), region.length() - 8, 8), region.length());
        }
        for (final Region region : regions) {
            assertEquals(region.length(), region.segment().get(ValueLayout.JAVA_LONG_UNALIGNED, region.length() - 8));
        }
    }

    @Test
    void anAddressSurvivesItsEncoding() {
        final ByteBuffer bytes = ByteBuffer.allocate(DomainAddress.BYTES);
        domain.address().write(bytes);
        assertEquals(0, bytes.remaining());
        assertEquals(domain.address(), DomainAddress.read(bytes.flip()));
    }

    @Test
    void aProcessThatIsGoneCannotBeMapped() {
        final DomainAddress mine = domain.address();
        final ByteBuffer bytes = ByteBuffer.allocate(DomainAddress.BYTES);
        mine.write(bytes);
        final DomainAddress gone = DomainAddress.read(bytes.putLong(0, Integer.MAX_VALUE).flip());
        final String message = assertThrows(IllegalStateException.class, () -> new PeerMemory(gone)).getMessage();
        assertTrue(message.contains("process " + Integer.MAX_VALUE) && message.contains("PID namespace"), message);
    }
}
