package org.chagres.transport.verbs;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.chagres.verbs.LinkLayer;
import org.chagres.verbs.Mtu;

/** What a person may want to know of the MTUs of a path. */
final class MtuNotes {
    /**
     * The room for headers by which Linux derives a port's MTU from its network device's ({@code iboe_get_mtu} in {@code include/rdma/ib_addr.h}): GRH
     * 40, UDP 8, BTH 12, XRC 4, atomic 28, ICRC 4.
     */
    private static final int HEADERS = 96;

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
        Stream.of(here, there)
                .filter(MtuNotes::couldBeLarger)
                .forEach(end -> notes.add("the network device of " + end.port() + " at " + end.who()
                        + " takes packets of " + end.networkMtu().getAsInt() + " bytes, enough for MTU "
                        + allowed(end).bytes() + ", but the port uses "
                        + end.activeMtu().bytes() + ": look at the device's settings"));
        return notes;
    }

    private static boolean couldBeLarger(final PathEnd end) {
        return end.linkLayer() == LinkLayer.ETHERNET && end.networkMtu().isPresent()
                && allowed(end).bytes() > end.activeMtu().bytes();
    }

    /** The largest MTU whose packets the network device takes. */
    private static Mtu allowed(final PathEnd end) {
        return Stream.of(Mtu.values())
                .filter(mtu -> mtu.bytes() + HEADERS <= end.networkMtu().getAsInt())
                .reduce(Mtu.MTU_256, (a, b) -> b);
    }
}
