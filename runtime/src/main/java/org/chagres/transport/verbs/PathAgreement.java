package org.chagres.transport.verbs;

import java.util.ArrayList;
import java.util.List;
import org.chagres.verbs.LinkLayer;
import org.chagres.verbs.Mtu;
import org.chagres.verbs.VerbsException;

/**
 * What two ends that fit together use. Both compute the same.
 *
 * @param mtu the smaller of both active MTUs
 * @param globalRoute whether packets need a global route: on Ethernet, between subnets, and where a port demands it
 * @param notes what a person may want to know; often nothing
 */
public record PathAgreement(Mtu mtu, boolean globalRoute, List<String> notes) {
    /** Keeps the list as it is. */
    public PathAgreement {
        notes = List.copyOf(notes);
    }

    /**
     * Checks that two ends fit together; to be called before either is moved to ready-to-receive.
     *
     * @throws VerbsException if they do not: the message names both and says what to change
     */
    public static PathAgreement of(final PathEnd here, final PathEnd there) {
        final List<String> obstacles = Compatibility.obstacles(here, there);
        if (!obstacles.isEmpty()) {
            throw new VerbsException(here.describe() + ", and " + there.describe() + ", do not fit together: "
                    + String.join("; ", obstacles));
        }
        final boolean ethernet = here.linkLayer() == LinkLayer.ETHERNET;
        final boolean subnets = here.gid().subnetPrefix() != there.gid().subnetPrefix();
        final List<String> notes = new ArrayList<>(MtuNotes.of(here, there));
        notes.addAll(Compatibility.doubts(here, there));
        return new PathAgreement(Mtu.min(here.activeMtu(), there.activeMtu()),
                ethernet || subnets || here.globalRouteRequired() || there.globalRouteRequired(), notes);
    }
}
