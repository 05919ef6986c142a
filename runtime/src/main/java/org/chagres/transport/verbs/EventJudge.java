package org.chagres.transport.verbs;

import java.util.List;
import java.util.Optional;
import org.chagres.verbs.AsyncEvent;
import org.chagres.verbs.AsyncEventType;
import org.chagres.verbs.GidEntry;
import org.chagres.verbs.LinkLayer;
import org.chagres.verbs.PortAttributes;

/** Judges an asynchronous event by what the port was when the communicator connected, and what it is now. */
record EventJudge(AsyncEvent event, UsablePort ours, PortAttributes now, List<GidEntry> gids, VerbsSettings settings) {
    EventVerdict verdict() {
        if (event.port() != 0 && event.port() != ours.name().port()) {
            return new EventVerdict(false, false, words("the communicator does not use this port"));
        }
        return switch (event.type()) {
            case DEVICE_FATAL -> ends("close everything and open the device again; the kernel's log tells more");
            case CQ_ERR -> ends(
                    "more completions came than it has room for, or the device broke: please report this with the settings in use");
            case QP_FATAL, SRQ_ERR, WQ_FATAL ->
                ends("the connection is lost; the device's own log and the kernel's tell more");
            case QP_REQ_ERR -> ends(
                    "the peer sent what this queue pair does not allow: look for other versions of Chagres among the ranks");
            case QP_ACCESS_ERR -> ends(
                    "the peer wrote to memory that it may not, as with the key of a region that was closed: look for other versions"
                            + " of Chagres among the ranks, and for buffers that were closed while in use");
            case PORT_ERR -> portDown();
            case GID_CHANGE -> gidChange();
            case LID_CHANGE -> lidChange();
            case PORT_ACTIVE -> goesOn("requests that were not given up meanwhile go on");
            case PKEY_CHANGE -> goesOn("if the key of this partition is gone, requests will fail with retry exceeded");
            case SM_CHANGE, CLIENT_REREGISTER, COMM_EST, SQ_DRAINED, PATH_MIG, PATH_MIG_ERR, SRQ_LIMIT_REACHED,
                    QP_LAST_WQE_REACHED, UNKNOWN ->
                goesOn(
                        "the connections stay as they are");
        };
    }

    /** Only the port tells whether it is still down when the event is read. */
    private EventVerdict portDown() {
        final String deadline = "requests in flight fail with retry exceeded unless it is up again within "
                + AckTimeout.text(settings.timeout().total())
                + " (CHAGRES_IB_TIMEOUT, CHAGRES_IB_RETRY_CNT)";
        return goesOn("it is " + now.state() + " now; " + deadline + "; look at cable, switch and network device");
    }

    private EventVerdict gidChange() {
        final GidEntry before = ours.gid().chosen();
        final Optional<GidEntry> after = gids.stream().filter(entry -> entry.index() == before.index()).findFirst();
        if (after.filter(entry -> entry.gid().equals(before.gid()) && entry.type() == before.type()).isPresent()) {
            return goesOn("the communicator's " + GidChoice.describe(before) + " is unchanged");
        }
        return ends("the communicator sends from " + GidChoice.describe(before) + ", and that row is now "
                + after.map(entry -> GidChoice.describe(entry).substring(("row " + entry.index()).length()).strip())
                        .orElse("empty")
                + ": the peers know only the old address; do not change addresses of network devices while a job runs");
    }

    private EventVerdict lidChange() {
        final int before = ours.attributes().lid();
        if (ours.attributes().linkLayer() == LinkLayer.ETHERNET || now.lid() == before) {
            return goesOn("the communicator's address is unchanged");
        }
        return ends("LID " + before + " has become " + now.lid()
                + ": the peers know only the old one; start the job again");
    }

    private EventVerdict ends(final String more) {
        return new EventVerdict(true, true, words(more));
    }

    private EventVerdict goesOn(final String more) {
        return new EventVerdict(true, false, words(more));
    }

    private String words(final String more) {
        final AsyncEventType type = event.type();
        return ours.name().device() + (event.port() == 0 ? "" : ":" + event.port()) + ": " + type.meaning()
                + (type == AsyncEventType.UNKNOWN ? " (" + event.code() + ")" : " (IBV_EVENT_" + type + ")") + ": "
                + more;
    }
}
