package org.chagres.collectives;

import java.util.Locale;
import java.util.Map;
import org.chagres.bootstrap.JoinException;
import org.chagres.bootstrap.Membership;

/** How two ranks are connected: through shared memory on one host, else by TCP; {@code CHAGRES_TRANSPORT} overrides. */
enum TransportSetting {
    /** Shared memory where it reaches, else TCP. */
    AUTO,
    /** Shared memory only. */
    SHM,
    /** TCP, also between ranks of one host. */
    TCP;

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
            default -> throw new IllegalArgumentException(VARIABLE + "=" + set + " is unknown: use auto, shm or tcp");
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
        final boolean same = membership.peer(peer).host().equals(membership.peer(membership.rank()).host());
        if (this == SHM && !same) {
            throw new JoinException(membership.peer(peer).describe() + " cannot share memory with "
                    + membership.peer(membership.rank()).describe()
                    + ": they are on different hosts or in different PID or network namespaces; leave " + VARIABLE
                    + " unset, or set it to tcp");
        }
        return same && this != TCP;
    }
}
