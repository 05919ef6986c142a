package org.chagres.transport.verbs;

import java.util.ArrayList;
import java.util.List;
import org.chagres.verbs.GidType;

/** What keeps two ends from talking to each other. Such queue pairs would connect all the same, and the first request would fail after seconds. */
final class Compatibility {
    private Compatibility() {
    }

    /** Each with its remedy; none if the ends fit together. */
    static List<String> obstacles(final PathEnd here, final PathEnd there) {
        final List<String> obstacles = new ArrayList<>();
        if (here.linkLayer() != there.linkLayer()) {
            obstacles.add(here.who() + " is on " + here.linkLayer().text() + ", " + there.who() + " on "
                    + there.linkLayer().text()
                    + ": choose ports of one network with NCCL_IB_HCA");
            return obstacles;
        }
        if (here.gidType() != there.gidType()) {
            obstacles.add(
                    here.who() + " sends " + here.gidType().text() + ", " + there.who() + " " + there.gidType().text()
                            + ": set NCCL_IB_ROCE_VERSION_NUM=2 on all hosts, and look at NCCL_IB_GID_INDEX");
        } else if (here.gidType() == GidType.ROCE_V2) {
            families(here, there, obstacles);
        }
        if (here.gid().equals(there.gid()) && !here.host().equals(there.host())) {
            obstacles.add("both have the GID " + here.gid() + ": two hosts have the same address");
        }
        return obstacles;
    }

    private static void families(final PathEnd here, final PathEnd there, final List<String> obstacles) {
        final AddressFamily ours = AddressFamily.of(here.gid());
        final AddressFamily theirs = AddressFamily.of(there.gid());
        if (ours != theirs) {
            obstacles.add(here.who() + " has an " + ours.text() + " address, " + there.who() + " an " + theirs.text()
                    + " one: set NCCL_IB_ADDR_FAMILY to AF_INET or AF_INET6 on all hosts");
        } else if (here.gid().isLinkLocal() != there.gid().isLinkLocal()) {
            final PathEnd local = here.gid().isLinkLocal() ? here : there;
            obstacles.add(local.who() + " has only the link-local address " + local.gid()
                    + ", which routers do not pass: give the network device of "
                    + local.port() + " an address like the other host's");
        }
    }
}
