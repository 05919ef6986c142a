package org.chagres.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class MemoryDomainTest {
    private final Holdings before = Holdings.now();

    @ParameterizedTest
    @EnumSource(PageSize.class)
    void regionsAreAlignedZeroedAndExactlyAsLongAsAskedFor(final PageSize pages) {
        try (MemoryDomain domain = new MemoryDomain(Map.of())) {
            for (final long bytes : new long[]{0, 1, 7, 4095, 4096, 4097, 1 << 20, (2 << 20) + 1 }) {
                final Region region = domain.allocate(bytes, pages);
                assertEquals(bytes, region.length());
                assertEquals(bytes, region.segment().byteSize());
                assertEquals(0, region.address() % pages.bytes());
                assertEquals(-1, region.segment().asSlice(0).mismatch(MemorySegment.ofArray(new byte[(int) bytes])));
                region.segment().fill((byte) -1);
            }
        }
        assertEquals(before, Holdings.now());
    }

    @Test
    void memoryIsZeroedAgainWhenAnIndexIsReused() {
        try (MemoryDomain domain = new MemoryDomain(Map.of())) {
            long last = 0;
            for (int i = 0; i < 50; i++) {
                try (Region region = domain.allocate(5000, PageSize.BASE)) {
                    assertEquals(0, region.segment().get(ValueLayout.JAVA_BYTE, 4999));
                    assertNotEquals(last, region.token());
                    assertEquals(0, RegionTable.index(region.token()));
                    assertTrue(RegionTable.generation(region.token()) > RegionTable.generation(last));
                    region.segment().fill((byte) 3);
                    last = region.token();
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, Long.MIN_VALUE })
    void refusesNegativeLengths(final long bytes) {
        try (MemoryDomain domain = new MemoryDomain(Map.of())) {
            final String message = assertThrows(IllegalArgumentException.class,
                    () -> domain.allocate(bytes, PageSize.BASE)).getMessage();
            assertTrue(message.contains("" + bytes) && message.contains("0 or more"), message);
        }
    }

    /** Lengths that no machine has, from what the arithmetic cannot hold to what only the memory cannot. */
    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE, Long.MAX_VALUE - 4095, 1L << 62, 1L << 50, 1L << 45 })
    void aRequestBeyondTheMachineIsAnExceptionAndHarmless(final long bytes) {
        try (MemoryDomain domain = new MemoryDomain(Map.of())) {
            for (final PageSize pages : PageSize.values()) {
                final String message = assertThrows(MemoryExhaustedException.class,
                        () -> domain.allocate(bytes, pages)).getMessage();
                assertTrue(message.contains("" + bytes) || message.contains("" + pages.bytes()), message);
            }
            try (Region region = domain.allocate(8, PageSize.BASE)) {
                assertSame(region, domain.find(region.address(), 8));
            }
        }
        assertEquals(before, Holdings.now());
    }

    @Test
    void findsExactlyWhatLiesWithinOneRegion() {
        final Random random = new Random(7);
        try (MemoryDomain domain = new MemoryDomain(Map.of())) {
            final List<Region> regions = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                regions.add(domain.allocate(1 + random.nextInt(3 * 4096), PageSize.BASE));
                if (i % 3 == 2) {
                    regions.remove(random.nextInt(regions.size())).close();
                }
                for (final Region region : regions) {
                    final long end = region.address() + region.length();
                    assertSame(region, domain.find(region.address(), region.length()));
                    assertSame(region, domain.find(end - 1, 1));
                    assertSame(region, domain.find(region.address(), 0));
                    assertNull(domain.find(region.address(), region.length() + 1));
                    assertNull(domain.find(end - 1, 2));
                    assertNull(domain.find(end, 1));
                    assertNull(domain.find(region.address() - 1, 2));
                }
            }
            assertNull(domain.find(0, 1));
            assertNull(domain.find(Long.MAX_VALUE, 1));
        }
    }

    @Test
    void aClosedRegionIsNotFoundAndItsSegmentRefusesAccess() {
        try (MemoryDomain domain = new MemoryDomain(Map.of())) {
            final Region region = domain.allocate(64, PageSize.BASE);
            final MemorySegment slice = region.segment().asSlice(8, 8);
            region.close();
            assertTrue(region.isClosed());
            assertNull(domain.find(region.address(), 1));
            assertThrows(IllegalStateException.class, () -> slice.get(ValueLayout.JAVA_LONG, 0));
            region.close();
            region.closeUnused();
        }
        assertEquals(before, Holdings.now());
    }

    @Test
    void closingTheDomainClosesItsRegionsOnce() {
        final MemoryDomain domain = new MemoryDomain(Map.of());
        final Region first = domain.allocate(10, PageSize.BASE);
        final Region second = domain.allocate(10, PageSize.HUGE);
        first.close();
        domain.close();
        assertTrue(second.isClosed());
        domain.close();
        second.close();
        final String message = assertThrows(IllegalStateException.class, () -> domain.allocate(1, PageSize.BASE))
                .getMessage();
        assertTrue(message.contains("closed"), message);
        assertNull(domain.find(first.address(), 1));
        assertEquals(before, Holdings.now());
    }

    @Test
    void aUserMayKeepARegionOpenAndIsAskedOnlyWhereItMatters() {
        try (MemoryDomain domain = new MemoryDomain(Map.of())) {
            final Region region = domain.allocate(10, PageSize.BASE);
            final List<Region> asked = new ArrayList<>();
            final RegionUser user = closing -> {
                asked.add(closing);
                assertTrue(closing.isClosed(), "no new operation may begin while the region is being closed");
                throw new IllegalStateException("in use");
            };
            domain.addUser(user);
            assertEquals("in use", assertThrows(IllegalStateException.class, region::close).getMessage());
            assertFalse(region.isClosed());
            region.segment().set(ValueLayout.JAVA_BYTE, 9, (byte) 1);
            assertSame(region, domain.find(region.address(), 10));
            domain.allocate(10, PageSize.BASE).closeUnused();
            domain.removeUser(user);
            region.close();
            assertEquals(List.of(region), asked);
        }
        assertEquals(before, Holdings.now());
    }

    @Test
    void aSegmentThatTheKernelIsReadingIntoKeepsItsRegion() throws Exception {
        final Pipe pipe = Pipe.open();
        try (MemoryDomain domain = new MemoryDomain(Map.of())) {
            final Region region = domain.allocate(8, PageSize.BASE);
            final Thread reader = Thread.ofPlatform().start(() -> {
                try {
                    pipe.source().read(region.segment().asByteBuffer());
                } catch (final java.io.IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });
            while (reader.getState() != Thread.State.RUNNABLE || !inNative(reader)) {
                Thread.sleep(1);
            }
            assertThrows(IllegalStateException.class, region::close);
            assertFalse(region.isClosed());
            assertSame(region, domain.find(region.address(), 8));
            pipe.sink().write(ByteBuffer.wrap(new byte[8]));
            reader.join();
            region.close();
        } finally {
            pipe.source().close();
            pipe.sink().close();
        }
        assertEquals(before, Holdings.now());
    }

    private static boolean inNative(final Thread thread) {
        final StackTraceElement[] stack = thread.getStackTrace();
        return stack.length > 0 && stack[0].isNativeMethod();
    }

    @Test
    void saysWhenThereAreTooManyRegions() {
        try (MemoryDomain domain = new MemoryDomain(Map.of())) {
            final List<Region> regions = new ArrayList<>();
            for (int i = 0; i < RegionTable.CAPACITY; i++) {
                regions.add(domain.allocate(1, PageSize.BASE));
            }
            final String message = assertThrows(IllegalStateException.class, () -> domain.allocate(1, PageSize.BASE))
                    .getMessage();
            assertTrue(message.contains("4096") && message.contains("fewer, larger"), message);
            regions.get(1234).close();
            assertEquals(1234, RegionTable.index(domain.allocate(1, PageSize.BASE).token()));
        }
        assertEquals(before, Holdings.now());
    }

    @Test
    void manyThreadsMayAllocateAndClose() throws Exception {
        try (MemoryDomain domain = new MemoryDomain(Map.of())) {
            final List<Throwable> failures = new java.util.concurrent.CopyOnWriteArrayList<>();
            final List<Thread> threads = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                threads.add(Thread.ofPlatform()
                        .uncaughtExceptionHandler((_, e) -> failures.add(e))
                        .start(() -> churn(domain)));
            }
            for (final Thread thread : threads) {
                thread.join();
            }
            assertEquals(List.of(), failures);
        }
        assertEquals(before, Holdings.now());
    }

    private static void churn(final MemoryDomain domain) {
        for (int i = 0; i < 200; i++) {
            try (Region region = domain.allocate(100, PageSize.BASE)) {
                assertSame(region, domain.find(region.address() + 50, 50));
                region.segment().fill((byte) i);
            }
        }
    }
}
