package org.chagres.verbs;

import java.util.Objects;
import java.util.Optional;

/**
 * The way to a port ({@code ibv_ah_attr}).
 *
 * @param port the local port to leave by, from 1 on
 * @param destinationLid the destination's local identifier; 0 on Ethernet
 * @param serviceLevel 0 to 15; on Ethernet the priority
 * @param sourcePathBits added to the local port's identifier; 0 on Ethernet
 * @param staticRate a code of {@code ibv_rate}; 0 is as fast as the port
 * @param route the global route, which RoCE always needs
 */
public record AddressVector(int port, int destinationLid, int serviceLevel, int sourcePathBits, int staticRate,
        Optional<GlobalRoute> route) {
    /** Hops that a packet may take where nothing else is asked for. */
    public static final int DEFAULT_HOP_LIMIT = 64;

    /** Checks that all numbers fit their fields. */
    public AddressVector {
        Range.check("port", port, 1, 255);
        Range.check("destinationLid", destinationLid, 0, 0xffff);
        Range.check("serviceLevel", serviceLevel, 0, 15);
        Range.check("sourcePathBits", sourcePathBits, 0, 127);
        Range.check("staticRate", staticRate, 0, 255);
        Objects.requireNonNull(route, "route");
    }

    /**
     * The global part of the way ({@code ibv_global_route}).
     *
     * @param destination the destination's GID
     * @param sourceGidIndex the row of the local GID table to send from, which also decides the packet format
     * @param hopLimit routers that a packet may pass, 1 to 255; IP's time to live
     * @param trafficClass IP's type of service, 0 to 255
     * @param flowLabel 0 to 1048575
     */
    public record GlobalRoute(Gid destination, int sourceGidIndex, int hopLimit, int trafficClass, int flowLabel) {
        /** Checks that all numbers fit their fields. */
        public GlobalRoute {
            Objects.requireNonNull(destination, "destination");
            Range.check("sourceGidIndex", sourceGidIndex, 0, 255);
            Range.check("hopLimit", hopLimit, 0, 255);
            Range.check("trafficClass", trafficClass, 0, 255);
            Range.check("flowLabel", flowLabel, 0, 0xfffff);
        }
    }

    /** The way to a GID, for RoCE or through routers. */
    public static AddressVector of(final int port, final int sourceGidIndex, final Gid destination) {
        return new AddressVector(port, 0, 0, 0, 0,
                Optional.of(new GlobalRoute(destination, sourceGidIndex, DEFAULT_HOP_LIMIT, 0, 0)));
    }

    /** The way to a local identifier in the same InfiniBand subnet. */
    public static AddressVector of(final int port, final int destinationLid) {
        return new AddressVector(port, destinationLid, 0, 0, 0, Optional.empty());
    }
}
