package org.chagres.progress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.IdleStrategy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 30, unit = TimeUnit.SECONDS)
class WaitingTest {
    @ParameterizedTest
    @CsvSource({"1, 1, SPIN", "2, 2, SPIN", "2, 64, SPIN", "3, 2, YIELD", "2, 1, YIELD", "64, 63, YIELD" })
    void spinsWhereThereIsACoreForEachRank(final int ranks, final int cores, final Waiting expected) {
        assertSame(expected, Waiting.choose(ranks, cores, Map.of()));
        assertSame(expected, Waiting.choose(ranks, cores, Map.of(Waiting.VARIABLE, "")));
        assertSame(expected, Waiting.choose(ranks, cores, Map.of(Waiting.VARIABLE, "  ")));
    }

    @ParameterizedTest
    @CsvSource({"spin, SPIN", "SPIN, SPIN", "' yield ', YIELD", "Backoff, BACKOFF" })
    void theSettingOverridesTheCores(final String set, final Waiting expected) {
        assertSame(expected, Waiting.choose(1, 64, Map.of(Waiting.VARIABLE, set)));
        assertSame(expected, Waiting.choose(64, 1, Map.of(Waiting.VARIABLE, set)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"busy", "spin,yield", "0", "sp in" })
    void anUnknownSettingIsAnErrorThatListsTheLegal(final String set) {
        final String message = assertThrows(IllegalArgumentException.class,
                () -> Waiting.choose(1, 1, Map.of(Waiting.VARIABLE, set))).getMessage();
        assertTrue(message.contains("CHAGRES_IDLE=" + set) && message.contains("spin, yield or backoff"), message);
    }

    @ParameterizedTest
    @EnumSource(Waiting.class)
    void everyStrategyReturnsAndHasStateOfItsOwn(final Waiting waiting) {
        final IdleStrategy strategy = waiting.strategy();
        assertNotSame(strategy, waiting.strategy());
        final long start = System.nanoTime();
        for (int i = 0; i < 2000; i++) {
            strategy.idle();
            strategy.idle(0);
            strategy.idle(1);
        }
        strategy.reset();
        assertTrue(System.nanoTime() - start < 20_000_000_000L);
    }

    /** Whoever waits long enough sleeps, and begins anew after work. */
    @Test
    void onlyBackoffSleepsOverSockets() {
        final long[] slept = new long[1];
        for (final Waiting waiting : Waiting.values()) {
            final IdleStrategy strategy = waiting.strategyForSockets(nanos -> slept[0] += nanos);
            for (int i = 0; i < 1000; i++) {
                strategy.idle(0);
                if (i % 50 == 0) {
                    strategy.idle(1);
                }
            }
            assertEquals(0, slept[0], waiting + " slept between bits of work");
            for (int i = 0; i < 1000; i++) {
                strategy.idle(0);
            }
            assertEquals(waiting == Waiting.BACKOFF, slept[0] > 0, waiting::toString);
        }
    }

    @Test
    void spinningHasAName() {
        assertEquals("spin", Waiting.SPIN.strategy().alias());
    }
}
