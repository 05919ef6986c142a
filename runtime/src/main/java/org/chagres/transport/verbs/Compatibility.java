package org.chagres.transport.verbs;

import java.util.ArrayList;
import java.util.List;
import org.chagres.verbs.GidType;
import org.chagres.verbs.LinkLayer;

/** What keeps two ends from talking to each other. Such queue pairs might connect all the same, and the first request would fail after seconds. */
final class Compatibility {
    private Compatibility() {
    }

    /** What cannot work, each with its remedy; none if the ends fit together. */
    static List<String> obstacles(final PathEnd here, final PathEnd there) {
        if (here.linkLayer() != there.linkLayer()) {
            return List.of(here.who() + " is on " + here.linkLayer().text() + ", " + there.who() + " on "
                    + there.linkLayer().text()
                    + ": choose ports of one network with CHAGRES_IB_HCA");
        }
        if (here.gidType() != there.gidType()) {
            return List.of(
                    here.who() + " sends " + here.gidType().text() + ", " + there.who() + " " + there.gidType().text()
                            + ": set CHAGRES_IB_ROCE_VERSION_NUM=2 on all hosts, and look at CHAGRES_IB_GID_INDEX");
        }
        final AddressFamily ours = AddressFamily.of(here.gid());
        final AddressFamily theirs = AddressFamily.of(there.gid());
        if (here.gidType() == GidType.ROCE_V2 && ours != theirs) {
            return List.of(here.who() + " has an " + ours.text() + " address, " + there.who() + " an " + theirs.text()
                    + " one: set CHAGRES_IB_ADDR_FAMILY to AF_INET or AF_INET6 on all hosts");
        }
        return List.of();
    }

    /** What may not work, for people. */
    static List<String> doubts(final PathEnd here, final PathEnd there) {
        final List<String> doubts = new ArrayList<>();
        if (here.gid().equals(there.gid()) && !here.host().equals(there.host())) {
            doubts.add(here.who() + " and " + there.who() + " have the same GID " + here.gid()
                    + ": unless these are containers of one host, two hosts have the same address");
        }
        if (here.linkLayer() != LinkLayer.ETHERNET) {
            if (here.gid().subnetPrefix() != there.gid().subnetPrefix()) {
                doubts.add(here.who() + " and " + there.who()
                        + " are in different InfiniBand subnets: a router must join them");
            }
        } else if (here.gid().isLinkLocal() != there.gid().isLinkLocal()) {
            final PathEnd local = here.gid().isLinkLocal() ? here : there;
            doubts.add(local.who() + " has only the link-local address " + local.gid()
                    + ", which routers do not pass: give the network device of "
                    + local.port() + " an address like the other host's");
        }
        return doubts;
    }
}
