package org.chagres.progress;

import java.util.Map;
import java.util.function.LongConsumer;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;

/**
 * How a rank waits for its peers: it spins where every spinning rank of the host has a core of its own, and otherwise soon gives its core to a
 * rank that has work. {@code CHAGRES_IDLE} ({@code spin}, {@code yield} or {@code backoff}) overrides.
 */
public enum Waiting {
    /** Busy-spin: the lowest latency; needs a core for each rank. */
    SPIN,
    /** A short spin, then {@code sched_yield}: ranks take turns on too few cores. */
    YIELD,
    /** Spin, yield, then sleep for up to a millisecond, over sockets until data come: frees cores for others, at the cost of latency. */
    BACKOFF;

    public static final String VARIABLE = "CHAGRES_IDLE";
    private static final int SPINS_BEFORE_YIELD = 20;
    private static final long YIELDS_BEFORE_PARK = 1L << 20;
    private static final long MIN_PARK_NS = 1_000;
    private static final long MAX_PARK_NS = 1_000_000;

    /**
     * Chooses by the setting, else by cores.
     *
     * @param localRanks ranks on this host, each with one spinning thread
     * @throws IllegalArgumentException if the setting has an unknown value
     */
    public static Waiting choose(final int localRanks, final int cores, final Map<String, String> environment) {
        final String set = environment.get(VARIABLE);
        if (set == null || set.isBlank()) {
            return localRanks <= cores ? SPIN : YIELD;
        }
        return switch (set.strip().toLowerCase(java.util.Locale.ROOT)) {
            case "spin" -> SPIN;
            case "yield" -> YIELD;
            case "backoff" -> BACKOFF;
            default ->
                throw new IllegalArgumentException(VARIABLE + "=" + set + " is unknown: use spin, yield or backoff");
        };
    }

    /**
     * A new strategy for where polling costs system calls.
     *
     * @param sleeper waits until polling may be worth it, but not longer than the nanoseconds that it gets
     */
    public IdleStrategy strategyForSockets(final LongConsumer sleeper) {
        return switch (this) {
            case SPIN -> new SocketSpinStrategy();
            case YIELD -> strategy();
            case BACKOFF -> new SocketSleepStrategy(sleeper, MAX_PARK_NS);
        };
    }

    /** A new strategy; it has state, so each waiting thread needs its own. */
    public IdleStrategy strategy() {
        return switch (this) {
            case SPIN -> new SpinStrategy();
            case YIELD -> new BackoffIdleStrategy(SPINS_BEFORE_YIELD, YIELDS_BEFORE_PARK, MIN_PARK_NS, MAX_PARK_NS);
            case BACKOFF -> new BackoffIdleStrategy(1_000, 100, MIN_PARK_NS, MAX_PARK_NS);
        };
    }
}
