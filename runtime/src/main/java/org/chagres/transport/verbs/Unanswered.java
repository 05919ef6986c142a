package org.chagres.transport.verbs;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.chagres.verbs.GidType;
import org.chagres.verbs.LinkLayer;
import org.chagres.verbs.Mtu;

/** Why a peer may not have answered: what is suspicious of the ends comes first, then what fits a connection that has worked, or has not. */
final class Unanswered {
    /** What RoCE v2 adds to the payload beyond what ping adds: UDP 8, BTH 12, RETH 16, immediate 4, ICRC 4, less ICMP's 8. */
    private static final int PING_EXTRA = 36;
    /** The largest timeout that NCCL's user guide names. */
    private static final int LONGEST = 22;
    private static final Mtu SMALL = Mtu.MTU_1024;

    private Unanswered() {
    }

    static List<Cause> causes(final RequestFailure failure) {
        final List<Cause> causes = new ArrayList<>();
        if (failure.answered()) {
            causes.add(new Cause("the peer's process, host or device is gone", "look at " + failure.there().who()));
            causes.add(new Cause("a link on the way went down: cable, switch or port",
                    "look at the ports " + failure.here().port() + " and "
                            + failure.there().port() + " with './chagres devices', and at the switches between"));
            causes.add(loss(failure));
            suspicions(failure, causes);
        } else {
            suspicions(failure, causes);
            causes.add(unreachable(failure));
            causes.add(new Cause("the peer's process is gone, or had not made its queue pair ready",
                    "look at " + failure.there().who()));
            causes.add(mtu(failure));
            causes.add(loss(failure));
        }
        return causes;
    }

    /** What an expert would see in the two ends. */
    private static void suspicions(final RequestFailure failure, final List<Cause> causes) {
        Stream.of(failure.here(), failure.there())
                .filter(end -> end.linkLayer() == LinkLayer.ETHERNET)
                .forEach(end -> {
                    if (end.gidType() == GidType.ROCE_V1) {
                        causes.add(new Cause(end.who() + " uses RoCE v1, which passes no router",
                                "set CHAGRES_IB_ROCE_VERSION_NUM=2 on all hosts"));
                    } else if (end.gid().isLinkLocal()) {
                        causes.add(new Cause(
                                end.who() + " sends from the link-local address " + end.gid()
                                        + ", which passes no router",
                                "give the network device of " + end.port() + " an address that is routed"));
                    }
                });
        if (failure.here().activeMtu() != failure.there().activeMtu()) {
            causes.add(new Cause(
                    "the ends have different MTUs, " + failure.here().activeMtu().bytes() + " and "
                            + failure.there().activeMtu().bytes()
                            + ", so the network between may be set for the smaller or not",
                    "give all network devices and switches the same MTU"));
        }
    }

    private static Cause unreachable(final RequestFailure failure) {
        if (failure.here().linkLayer() != LinkLayer.ETHERNET) {
            return new Cause("no path from LID " + failure.here().lid() + " to LID " + failure.there().lid()
                    + " for service level "
                    + failure.settings().serviceLevel() + " and partition key row " + failure.settings().pkeyIndex(),
                    "try 'ibping' or 'ib_write_bw' between the hosts, and ask the subnet manager");
        }
        return new Cause(
                "packets do not get from " + failure.here().gid() + " to " + failure.there().gid()
                        + ": no route, another VLAN, or a firewall that"
                        + " drops UDP port 4791",
                "try 'ping' between the addresses, then 'ib_write_bw -x " + failure.here().gidIndex()
                        + "' between the hosts");
    }

    private static Cause mtu(final RequestFailure failure) {
        final String what = "a switch or device between does not carry packets of MTU " + failure.path().mtu().bytes();
        return failure.path().mtu().bytes() > SMALL.bytes()
                ? new Cause(what,
                        "send one with 'ping -M do -s " + (failure.path().mtu().bytes() + PING_EXTRA)
                                + "', and raise the MTU where it is lost")
                : new Cause(what, "raise the MTU where it is lost");
    }

    private static Cause loss(final RequestFailure failure) {
        final VerbsSettings settings = failure.settings();
        final int larger = Math.min(settings.timeout().exponent() + 2, LONGEST);
        final String longer = larger <= settings.timeout().exponent()
                ? ""
                : "; CHAGRES_IB_TIMEOUT=" + larger + " allows "
                        + AckTimeout.text(new AckTimeout(larger, settings.timeout().retries()).total());
        return new Cause("the network loses or delays packets beyond " + AckTimeout.text(settings.timeout().total()),
                "look at flow control (PFC, ECN) for traffic class " + settings.trafficClass() + " on all switches"
                        + longer);
    }
}
