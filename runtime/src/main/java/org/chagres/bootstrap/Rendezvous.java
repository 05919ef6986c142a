package org.chagres.bootstrap;

import java.time.Duration;
import java.util.Map;

/**
 * Joins the ranks of a job: rank 0 listens at the coordinator address, the others connect to it. The connections stay open; the end of one that did
 * not say goodbye is a rank that died, and rank 0 tells the others.
 */
public final class Rendezvous {
    /** Seconds within which all ranks must have joined; default 300. */
    public static final String TIMEOUT_VARIABLE = "CHAGRES_JOIN_TIMEOUT";
    private static final long DEFAULT_TIMEOUT_S = 300;

    private Rendezvous() {
    }

    /**
     * Joins the world that the environment describes.
     *
     * @throws IllegalArgumentException if the environment is incomplete or contradicts itself
     * @throws JoinException if the ranks do not come together
     */
    public static Membership join(final Map<String, String> environment) {
        final WorldInfo info = WorldInfo.fromEnvironment(environment);
        final Duration timeout = timeout(environment);
        if (info.size() == 1) {
            return LocalMembership.world(1).getFirst();
        }
        throw new UnsupportedOperationException("worlds of processes, with a timeout of " + timeout);
    }

    static Duration timeout(final Map<String, String> environment) {
        final String set = environment.get(TIMEOUT_VARIABLE);
        if (set == null || set.isBlank()) {
            return Duration.ofSeconds(DEFAULT_TIMEOUT_S);
        }
        try {
            final double seconds = Double.parseDouble(set.strip());
            if (seconds > 0 && seconds <= Integer.MAX_VALUE) {
                return Duration.ofMillis(Math.max(1, (long) (seconds * 1000)));
            }
        } catch (final NumberFormatException e) {
            throw new IllegalArgumentException(TIMEOUT_VARIABLE + "=" + set + " is not a number of seconds", e);
        }
        throw new IllegalArgumentException(
                TIMEOUT_VARIABLE + "=" + set + " is out of range: it must be more than 0 seconds");
    }
}
