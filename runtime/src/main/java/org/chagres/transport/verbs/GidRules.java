package org.chagres.transport.verbs;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.chagres.verbs.GidEntry;
import org.chagres.verbs.GidScope;
import org.chagres.verbs.GidType;
import org.chagres.verbs.LinkLayer;

/**
 * What speaks against a row of a GID table. On Ethernet a row is an address of a network device, and only its properties tell whether it serves; on
 * InfiniBand all rows reach the same port.
 *
 * @param layer of the port
 */
record GidRules(LinkLayer layer, GidPolicy policy, NetworkDevices network) {
    /** RoCE v2 before v1, routed before link-local, IPv4 before IPv6, then the lowest index. */
    static final Comparator<GidEntry> PREFERENCE = Comparator.comparing(GidRules::oldFormat)
            .thenComparing(GidRules::linkLocal)
            .thenComparing(GidRules::six)
            .thenComparing(GidEntry::index);

    /** Why a row cannot be used; empty if it can. */
    Optional<String> objection(final GidEntry entry) {
        if (entry.gid().isZero()) {
            return Optional.of("is empty");
        }
        if (layer != LinkLayer.ETHERNET) {
            return Optional.empty();
        }
        if (policy.index().isPresent() && policy.index().get().value() != entry.index()) {
            return Optional.of("is not the row that " + policy.index().get().text() + " asks for");
        }
        return nature(entry).or(() -> asked(entry)).or(() -> elsewhere(entry));
    }

    private static Optional<String> nature(final GidEntry entry) {
        if (entry.type() != GidType.ROCE_V1 && entry.type() != GidType.ROCE_V2) {
            return Optional
                    .of("is of a type that RoCE does not have; in a container, the address may belong to another one");
        }
        return switch (entry.scope()) {
            case MULTICAST -> Optional.of("is a multicast address");
            case HOST -> Optional.of("is an address that no other host can reach");
            case LINK, PRIVATE, GLOBAL -> Optional.empty();
        };
    }

    private Optional<String> asked(final GidEntry entry) {
        final Optional<String> type = wrongType(entry);
        // As in NCCL, who names a row has chosen its address too.
        if (type.isPresent() || policy.index().isPresent()) {
            return type;
        }
        if (policy.family().isPresent() && policy.family().get().value() != AddressFamily.of(entry.gid())) {
            return Optional.of("is " + AddressFamily.of(entry.gid()).text() + ", and " + policy.family().get().text()
                    + " asks for "
                    + policy.family().get().value().text());
        }
        return policy.ranges()
                .filter(ranges -> ranges.value().stream().noneMatch(range -> range.contains(entry.gid())))
                .map(ranges -> "is outside " + ranges.text());
    }

    private Optional<String> wrongType(final GidEntry entry) {
        if (policy.roceType().isPresent()) {
            return policy.roceType()
                    .filter(asked -> asked.value() != entry.type())
                    .map(asked -> "is " + entry.type().text() + ", and " + asked.text() + " asks for "
                            + asked.value().text());
        }
        return policy.index()
                .filter(asked -> entry.type() == GidType.ROCE_V1)
                .map(asked -> "is RoCE v1, which passes no router and cannot talk to RoCE v2: name a row of RoCE v2 instead of "
                        + asked.text()
                        + ", leave the choice to Chagres, or set CHAGRES_IB_ROCE_VERSION_NUM=1 on all hosts if v1 is meant");
    }

    private Optional<String> elsewhere(final GidEntry entry) {
        final Optional<NetworkDevice> device = GidSelection.networkDevice(entry, network);
        if (device.isEmpty()) {
            return Optional.of(entry.networkDevice()
                    .map(name -> "belongs to " + name + ", which this network namespace does not have")
                    .orElse("is no address of this network namespace"));
        }
        return device.filter(one -> !one.up())
                .map(one -> "belongs to " + one.name() + ", which is down: 'ip link set " + one.name() + " up'");
    }

    /** Why another row is better than one that could be used too. */
    static String inferiority(final GidEntry entry, final GidEntry best) {
        final String other = ", and row " + best.index() + " is not";
        if (oldFormat(entry) != oldFormat(best)) {
            return "is RoCE v1" + other;
        }
        if (linkLocal(entry) != linkLocal(best)) {
            return "is link-local" + other;
        }
        if (six(entry) != six(best)) {
            return "is IPv6" + other;
        }
        return "comes after row " + best.index() + ", which is of the same kind";
    }

    /** What a person may want to know of the row that is used. */
    List<String> notes(final GidEntry chosen) {
        final List<String> notes = new ArrayList<>();
        if (layer != LinkLayer.ETHERNET) {
            policy.index().ifPresent(asked -> notes.add(asked.text() + " is for RoCE, and this port is InfiniBand"));
            return notes;
        }
        if (chosen.type() == GidType.ROCE_V1) {
            notes.add("RoCE v1 reaches only hosts on the same Ethernet segment");
        } else if (linkLocal(chosen)) {
            notes.add("a link-local address reaches only hosts on the same Ethernet segment: give "
                    + chosen.networkDevice().orElse("the network device")
                    + " an address that is routed if there are others");
        }
        return notes;
    }

    private static boolean oldFormat(final GidEntry entry) {
        return entry.type() == GidType.ROCE_V1;
    }

    private static boolean linkLocal(final GidEntry entry) {
        return entry.scope() == GidScope.LINK;
    }

    private static boolean six(final GidEntry entry) {
        return !entry.gid().isIpv4Mapped();
    }
}
