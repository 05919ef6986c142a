package org.chagres.verbs.rdmacore;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.chagres.bindings.Errno;
import org.chagres.bindings.verbs.ibv_ah_attr;
import org.chagres.bindings.verbs.ibv_global_route;
import org.chagres.verbs.AddressVector;
import org.chagres.verbs.AddressVector.GlobalRoute;
import org.chagres.verbs.Gid;

/** {@link AddressVector} as {@code ibv_ah_attr}. */
final class AddressLayout {
    private AddressLayout() {
    }

    static void write(final MemorySegment to, final AddressVector vector) {
        ibv_ah_attr.port_num(to, (byte) vector.port());
        ibv_ah_attr.dlid(to, (short) vector.destinationLid());
        ibv_ah_attr.sl(to, (byte) vector.serviceLevel());
        ibv_ah_attr.src_path_bits(to, (byte) vector.sourcePathBits());
        ibv_ah_attr.static_rate(to, (byte) vector.staticRate());
        ibv_ah_attr.is_global(to, (byte) (vector.route().isPresent() ? 1 : 0));
        vector.route().ifPresent(route -> writeRoute(ibv_ah_attr.grh(to), route));
    }

    private static void writeRoute(final MemorySegment to, final GlobalRoute route) {
        route.destination().write(ibv_global_route.dgid(to));
        ibv_global_route.flow_label(to, route.flowLabel());
        ibv_global_route.sgid_index(to, (byte) route.sourceGidIndex());
        ibv_global_route.hop_limit(to, (byte) route.hopLimit());
        ibv_global_route.traffic_class(to, (byte) route.trafficClass());
    }

    /** What a device tells; empty if it has no address, as before a queue pair is connected. */
    static Optional<AddressVector> read(final MemorySegment from) {
        final int port = Byte.toUnsignedInt(ibv_ah_attr.port_num(from));
        if (port == 0) {
            return Optional.empty();
        }
        return Optional.of(new AddressVector(port, Short.toUnsignedInt(ibv_ah_attr.dlid(from)),
                ibv_ah_attr.sl(from) & 15,
                ibv_ah_attr.src_path_bits(from) & 127, Byte.toUnsignedInt(ibv_ah_attr.static_rate(from)),
                ibv_ah_attr.is_global(from) == 0 ? Optional.empty() : Optional.of(readRoute(ibv_ah_attr.grh(from)))));
    }

    private static GlobalRoute readRoute(final MemorySegment from) {
        return new GlobalRoute(Gid.read(ibv_global_route.dgid(from)),
                Byte.toUnsignedInt(ibv_global_route.sgid_index(from)),
                Byte.toUnsignedInt(ibv_global_route.hop_limit(from)),
                Byte.toUnsignedInt(ibv_global_route.traffic_class(from)),
                ibv_global_route.flow_label(from) & 0xfffff);
    }

    /** Why an address is refused. */
    static String advice(final int errno) {
        return switch (errno) {
            case Errno.EINVAL ->
                "Likely causes: the row of the GID table is empty or of another type than the peer's; RoCE without a global route; the port"
                        + " does not exist.";
            case Errno.ETIMEDOUT, Errno.EHOSTUNREACH, Errno.ENETUNREACH ->
                "The destination's Ethernet address cannot be found: no route from the network"
                        + " device of this GID to the peer's GID, or the peer does not answer ARP or neighbour discovery.";
            case Errno.ENODEV, Errno.EADDRNOTAVAIL -> "The network device of this GID is down or gone.";
            default -> "";
        };
    }
}
