package org.chagres.transport.verbs;

import java.util.List;
import java.util.OptionalInt;
import org.chagres.verbs.Gid;
import org.chagres.verbs.GidType;
import org.chagres.verbs.LinkLayer;
import org.chagres.verbs.Mtu;
import org.chagres.verbs.PortState;

/** Ends of paths, and ports, for tests. */
final class Ends {
    private Ends() {
    }

    static UsablePort port(final String device, final String gid, final Mtu mtu) {
        return new UsablePort(FakeDevice.roce(device, 0, gid), new PortName(device, 1),
                FakeDevice.attributes(1, PortState.ACTIVE, LinkLayer.ETHERNET, mtu, FakeDevice.SPEED_50, 0),
                new GidChoice(FakeDevice.row(1, 3, gid, GidType.ROCE_V2, "eth0"), List.of(), List.of()),
                OptionalInt.of(9000));
    }

    static PathEnd roce(final int rank, final String gid, final GidType type, final Mtu mtu, final int networkMtu) {
        return new PathEnd(rank, "host" + rank, new PortName("mlx5_" + rank, 1), LinkLayer.ETHERNET, 0, true, 3,
                Gid.parse(gid), type, mtu,
                networkMtu == 0 ? OptionalInt.empty() : OptionalInt.of(networkMtu));
    }

    static PathEnd roce(final int rank, final String gid) {
        return roce(rank, gid, GidType.ROCE_V2, Mtu.MTU_4096, 9000);
    }

    static PathEnd infiniBand(final int rank, final int lid, final String gid) {
        return new PathEnd(rank, "host" + rank, new PortName("mlx5_" + rank, 1), LinkLayer.INFINIBAND, lid, false, 0,
                Gid.parse(gid),
                GidType.INFINIBAND, Mtu.MTU_4096, OptionalInt.empty());
    }
}
