package org.chagres.verbs;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A row of a port's GID table.
 *
 * @param port from 1 on
 * @param index the row
 * @param gid the address
 * @param type the packet format that it stands for
 * @param networkDevice the network device that it belongs to, such as {@code eth0}; empty on InfiniBand
 */
public record GidEntry(int port, int index, Gid gid, GidType type, Optional<String> networkDevice) {
    /** How far the address reaches. */
    public GidScope scope() {
        return gid.scope();
    }

    /**
     * The row that most likely reaches other hosts: RoCE v2 or InfiniBand before RoCE v1, routed before link-local, IPv4 before IPv6, and then the
     * lowest index. Whoever connects over more than loopback compares with the peer's before.
     *
     * @param entries the rows of one port
     * @return empty if no row holds a unicast address
     */
    public static Optional<GidEntry> preferred(final List<GidEntry> entries) {
        return entries.stream()
                .filter(e -> e.scope() != GidScope.MULTICAST && e.scope() != GidScope.HOST)
                .min(Comparator
                        .comparing((final GidEntry e) -> e.type() == GidType.ROCE_V1 || e.type() == GidType.UNKNOWN)
                        .thenComparing(e -> e.scope() == GidScope.LINK)
                        .thenComparing(e -> !e.gid().isIpv4Mapped())
                        .thenComparing(GidEntry::index));
    }
}
