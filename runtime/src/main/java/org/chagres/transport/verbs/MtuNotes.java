package org.chagres.transport.verbs;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.chagres.verbs.LinkLayer;
import org.chagres.verbs.Mtu;

/** What a person may want to know of the MTUs of a path. */
final class MtuNotes {
    /** What RoCE v2 adds to a packet's payload within an IPv6 packet: IPv6 40, UDP 8, BTH 12, RETH 16, immediate 4, ICRC 4. */
    private static final int HEADERS = 84;

    private MtuNotes() {
    }

    static List<String> of(final PathEnd here, final PathEnd there) {
        final List<String> notes = new ArrayList<>();
        if (here.activeMtu() != there.activeMtu()) {
            notes.add(here.who() + " has MTU " + here.activeMtu().bytes() + ", " + there.who() + " "
                    + there.activeMtu().bytes() + ": both use "
                    + Mtu.min(here.activeMtu(), there.activeMtu()).bytes()
                    + "; give their network devices the same MTU");
        }
        Stream.of(here, there).forEach(end -> network(end, notes));
        return notes;
    }

    private static void network(final PathEnd end, final List<String> notes) {
        if (end.linkLayer() == LinkLayer.INFINIBAND || end.networkMtu().isEmpty()) {
            return;
        }
        final int bytes = end.networkMtu().getAsInt();
        final Mtu allowed = allowed(bytes);
        if (allowed.bytes() > end.activeMtu().bytes()) {
            notes.add("the network device of " + end.port() + " at " + end.who() + " takes packets of " + bytes
                    + " bytes, enough for MTU "
                    + allowed.bytes() + ", but the port uses " + end.activeMtu().bytes()
                    + ": look at the device's settings");
        } else if (end.activeMtu() != Mtu.MTU_4096) {
            notes.add("the network device of " + end.port() + " at " + end.who() + " takes packets of " + bytes
                    + " bytes, so the port uses MTU "
                    + end.activeMtu().bytes()
                    + ": with 'ip link set DEVICE mtu 9000' on all hosts and switches it would be 4096, and faster");
        }
    }

    /** The largest MTU whose packets a network device takes. */
    private static Mtu allowed(final int networkMtu) {
        return Stream.of(Mtu.values())
                .filter(mtu -> mtu.bytes() + HEADERS <= networkMtu)
                .reduce(Mtu.MTU_256, (a, b) -> b);
    }
}
