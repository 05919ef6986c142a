package org.chagres.transport.verbs;

import java.util.Objects;
import java.util.OptionalInt;
import org.chagres.verbs.Gid;
import org.chagres.verbs.GidType;
import org.chagres.verbs.LinkLayer;
import org.chagres.verbs.Mtu;

/**
 * One end of the path between two ranks: what both ends must know to check that they fit together, and to tell of it when they do not.
 *
 * @param rank in the communicator
 * @param host the name that its host gives itself
 * @param port device and port
 * @param linkLayer what the port's wire carries
 * @param lid the port's local identifier; 0 on Ethernet
 * @param globalRouteRequired whether the port takes no packets without a global route
 * @param gidIndex the row of the GID table there
 * @param gid the GID that it sends from
 * @param gidType the packet format
 * @param activeMtu of the port
 * @param networkMtu bytes of the largest IP packet of the network device beneath; empty if there is none
 */
public record PathEnd(int rank, String host, PortName port, LinkLayer linkLayer, int lid, boolean globalRouteRequired,
        int gidIndex, Gid gid,
        GidType gidType, Mtu activeMtu, OptionalInt networkMtu) {
    /** Checks that all are there. */
    public PathEnd {
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(port, "port");
        Objects.requireNonNull(linkLayer, "linkLayer");
        Objects.requireNonNull(gid, "gid");
        Objects.requireNonNull(gidType, "gidType");
        Objects.requireNonNull(activeMtu, "activeMtu");
        Objects.requireNonNull(networkMtu, "networkMtu");
    }

    /** This rank's end. */
    public static PathEnd of(final int rank, final String host, final UsablePort port) {
        return new PathEnd(rank, host, port.name(), port.attributes().linkLayer(), port.attributes().lid(),
                port.attributes().grhRequired(),
                port.gid().chosen().index(), port.gid().chosen().gid(), port.gid().chosen().type(),
                port.attributes().activeMtu(), port.networkMtu());
    }

    /** For people: {@code rank 3 (host a)}. */
    public String who() {
        return "rank " + rank + " (host " + host + ")";
    }

    /** For people: who, and from where. */
    public String describe() {
        return who() + ", " + port + ", " + (linkLayer != LinkLayer.ETHERNET ? "LID " + lid + ", " : "") + "GID row "
                + gidIndex + " " + gid + " ("
                + gidType.text() + "), active MTU " + activeMtu.bytes();
    }
}
