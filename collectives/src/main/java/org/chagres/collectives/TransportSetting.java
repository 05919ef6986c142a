package org.chagres.collectives;

import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.chagres.bootstrap.JoinException;
import org.chagres.bootstrap.Membership;

/** How two ranks are connected: through shared memory on one host, else over verbs, else by TCP; {@code CHAGRES_TRANSPORT} overrides. */
enum TransportSetting {
    /** Shared memory where it reaches, else verbs where both ends have a device, else TCP. */
    AUTO,
    /** Shared memory only. */
    SHM,
    /** TCP, also between ranks of one host. */
    TCP,
    /** Verbs, also between ranks of one host. */
    VERBS;

    static final String VARIABLE = "CHAGRES_TRANSPORT";

    /**
     * Reads the setting.
     *
     * @throws IllegalArgumentException if its value is unknown
     */
    static TransportSetting of(final Map<String, String> environment) {
        final String set = environment.getOrDefault(VARIABLE, "").strip().toLowerCase(Locale.ROOT);
        return switch (set) {
            case "", "auto" -> AUTO;
            case "shm" -> SHM;
            case "tcp" -> TCP;
            case "verbs" -> VERBS;
            default -> throw new IllegalArgumentException(
                    VARIABLE + "=" + set + " is unknown: use auto, shm, tcp or verbs");
        };
    }

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Whether {@code peer} is reached through shared memory.
     *
     * @param theirs the peer's setting
     * @throws JoinException if the two insist on different transports, or on one that does not reach
     */
    boolean sharesMemory(final Membership membership, final int peer, final String theirs) {
        if (!label().equals(theirs)) {
            throw new JoinException(membership.peer(peer).describe() + " has " + VARIABLE + "=" + theirs + ", rank "
                    + membership.rank() + " has " + label() + ": set the same on all ranks");
        }
        final boolean same = sameHost(membership, peer, membership.rank());
        if (this == SHM && !same) {
            throw new JoinException(membership.peer(peer).describe() + " cannot share memory with "
                    + membership.peer(membership.rank()).describe()
                    + ": they are on different hosts or in different PID or network namespaces; leave " + VARIABLE
                    + " unset, or set it to tcp");
        }
        return same && (this == AUTO || this == SHM);
    }

    private static boolean sameHost(final Membership membership, final int a, final int b) {
        return membership.peer(a).host().equals(membership.peer(b).host());
    }

    /** Whether two ranks are to be connected over verbs if they can be. */
    boolean wantsVerbs(final Membership membership, final int a, final int b) {
        return this == VERBS || this == AUTO && !sameHost(membership, a, b);
    }

    /** Whether this rank is to be connected to any other over verbs if it can be. */
    boolean usesVerbs(final Membership membership) {
        return IntStream.range(0, membership.size())
                .anyMatch(p -> p != membership.rank() && wantsVerbs(membership, membership.rank(), p));
    }
}
