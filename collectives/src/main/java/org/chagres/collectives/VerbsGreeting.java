package org.chagres.collectives;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import org.chagres.transport.verbs.PathEnd;
import org.chagres.transport.verbs.PortName;
import org.chagres.transport.verbs.link.ConnectionData;
import org.chagres.verbs.Gid;
import org.chagres.verbs.GidType;
import org.chagres.verbs.LinkLayer;
import org.chagres.verbs.Mtu;

/**
 * What a rank tells of its ends of connections over verbs.
 *
 * @param problem why there are none; empty if there are
 * @param end its end of all paths; empty if there is a problem
 * @param connections for each rank that it would connect to
 */
record VerbsGreeting(Optional<String> problem, Optional<PathEnd> end, SortedMap<Integer, ConnectionData> connections) {
    private static final int UNKNOWN = -1;

    /** Of a rank that can have no connections. */
    static VerbsGreeting none(final String problem) {
        return new VerbsGreeting(Optional.of(problem), Optional.empty(), new TreeMap<>());
    }

    byte[] encode() {
        return Parcel.of(out -> {
            Parcel.writeOptional(out, problem);
            out.writeBoolean(end.isPresent());
            if (end.isPresent()) {
                write(out, end.get());
            }
            out.writeInt(connections.size());
            for (final var connection : connections.entrySet()) {
                out.writeInt(connection.getKey());
                Parcel.writeBytes(out, connection.getValue().encode());
            }
        });
    }

    static VerbsGreeting decode(final byte[] bytes) {
        return Parcel.open(bytes, in -> {
            final Optional<String> problem = Parcel.readOptional(in);
            final Optional<PathEnd> end = in.readBoolean() ? Optional.of(readEnd(in)) : Optional.empty();
            final SortedMap<Integer, ConnectionData> connections = new TreeMap<>();
            final int count = in.readInt();
            for (int i = 0; i < count; i++) {
                connections.put(in.readInt(), ConnectionData.decode(Parcel.readBytes(in)));
            }
            return new VerbsGreeting(problem, end, connections);
        });
    }

    private static void write(final DataOutputStream out, final PathEnd end) throws IOException {
        out.writeInt(end.rank());
        Parcel.writeText(out, end.host());
        Parcel.writeText(out, end.port().device());
        out.writeInt(end.port().port());
        Parcel.writeText(out, end.linkLayer().name());
        out.writeInt(end.lid());
        out.writeBoolean(end.globalRouteRequired());
        out.writeInt(end.gidIndex());
        out.writeLong(end.gid().subnetPrefix());
        out.writeLong(end.gid().interfaceId());
        Parcel.writeText(out, end.gidType().name());
        out.writeInt(end.activeMtu().bytes());
        out.writeInt(end.networkMtu().orElse(UNKNOWN));
    }

    private static PathEnd readEnd(final DataInputStream in) throws IOException {
        final int rank = in.readInt();
        final String host = Parcel.readText(in);
        final PortName port = new PortName(Parcel.readText(in), in.readInt());
        final LinkLayer layer = LinkLayer.valueOf(Parcel.readText(in));
        final int lid = in.readInt();
        final boolean routed = in.readBoolean();
        final int index = in.readInt();
        final Gid gid = new Gid(in.readLong(), in.readLong());
        final GidType type = GidType.valueOf(Parcel.readText(in));
        final Mtu mtu = Mtu.ofBytes(in.readInt());
        final int network = in.readInt();
        return new PathEnd(rank, host, port, layer, lid, routed, index, gid, type, mtu,
                network == UNKNOWN ? OptionalInt.empty() : OptionalInt.of(network));
    }
}
