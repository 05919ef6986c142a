package org.chagres.bootstrap;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 30, unit = TimeUnit.SECONDS)
class LocalMembershipTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final long TOPIC = 42;

    @ParameterizedTest
    @ValueSource(ints = {0, -1 })
    void refusesAWorldWithoutRanks(final int size) {
        final String message = assertThrows(IllegalArgumentException.class, () -> LocalMembership.world(size))
                .getMessage();
        assertTrue(message.contains("a world of " + size + " ranks"), message);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 9 })
    void everyRoundHasItsOwnContributions(final int size) {
        final List<CompletableFuture<Void>> done = LocalMembership.world(size)
                .stream()
                .map(rank -> CompletableFuture.runAsync(() -> {
                    final Exchange exchange = new Exchange(rank, TOPIC, TIMEOUT);
                    for (int round = 0; round < 200; round++) {
                        final byte[] mine = {(byte) rank.rank(), (byte) round };
                        final byte[][] all = exchange.allGather(mine);
                        mine[0] = -1;
                        for (int r = 0; r < size; r++) {
                            assertArrayEquals(new byte[]{(byte) r, (byte) round }, all[r]);
                        }
                    }
                }, task -> Thread.ofPlatform().daemon().start(task)))
                .toList();
        done.forEach(CompletableFuture::join);
    }

    @Test
    void namesWhoIsMissing() {
        final LocalMembership alone = LocalMembership.world(3).get(1);
        final String message = assertThrows(JoinException.class,
                () -> new Exchange(alone, TOPIC, Duration.ofMillis(50)).allGather(new byte[0])).getMessage();
        assertTrue(message.contains("[0, 2]"), message);
    }

    @Test
    void aFailureEndsAWaitAndTheFirstCauseStands() throws Exception {
        final List<LocalMembership> world = LocalMembership.world(2);
        final CompletableFuture<byte[][]> waiting = CompletableFuture.supplyAsync(
                () -> new Exchange(world.get(0), TOPIC, TIMEOUT).allGather(new byte[0]),
                task -> Thread.ofPlatform().daemon().start(task));
        Thread.sleep(50);
        assertNull(world.get(0).failure());
        final Exception first = new IllegalStateException("first");
        world.get(1).fail(first);
        world.get(0).fail(new IllegalStateException("second"));
        assertThrows(java.util.concurrent.ExecutionException.class, () -> waiting.get(10, TimeUnit.SECONDS));
        for (final LocalMembership rank : world) {
            assertEquals(1, rank.failure().rank());
            assertSame(first, rank.firstCause());
        }
    }
}
