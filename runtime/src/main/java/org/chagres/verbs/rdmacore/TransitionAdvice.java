package org.chagres.verbs.rdmacore;

import java.util.List;
import org.chagres.bindings.Errno;
import org.chagres.verbs.AddressVector;
import org.chagres.verbs.DeviceAttributes;
import org.chagres.verbs.GidEntry;
import org.chagres.verbs.PortAttributes;
import org.chagres.verbs.PortState;
import org.chagres.verbs.QueuePairAttribute;
import org.chagres.verbs.QueuePairAttributes;
import org.chagres.verbs.QueuePairState;
import org.chagres.verbs.VerbsException;

/** Why a device refuses a transition that is legal: it looks at what was asked, and names what does not fit the device. */
final class TransitionAdvice {
    private TransitionAdvice() {
    }

    static String of(final QueuePairState to, final QueuePairAttributes attributes, final int errno,
            final NativeContext context) {
        if (to == QueuePairState.RTR && attributes.has(QueuePairAttribute.AV)) {
            final String unreachable = AddressLayout.advice(errno);
            return errno == Errno.EINVAL || unreachable.isEmpty() ? path(attributes, context) : unreachable;
        }
        if (errno != Errno.EINVAL) {
            return "";
        }
        final DeviceAttributes device = context.attributes();
        return "Likely causes: a port that does not exist (there are " + device.ports()
                + "), a partition key index beyond the table, access or reads in"
                + " flight that the device does not have (max_qp_rd_atom is " + device.maxQpRdAtomic()
                + ", max_qp_init_rd_atom "
                + device.maxQpInitRdAtomic() + ").";
    }

    private static String path(final QueuePairAttributes attributes, final NativeContext context) {
        try {
            final AddressVector address = attributes.addressVector();
            final PortAttributes port = context.port(address.port());
            final StringBuilder advice = new StringBuilder("Likely causes: ");
            if (port.state() != PortState.ACTIVE) {
                advice.append("the port is ").append(port.state()).append("; ");
            }
            if (attributes.pathMtu().bytes() > port.activeMtu().bytes()) {
                advice.append("the path's MTU ")
                        .append(attributes.pathMtu().bytes())
                        .append(" is above the port's ")
                        .append(port.activeMtu().bytes())
                        .append("; ");
            }
            advice.append(address.route()
                    .map(route -> row(route.sourceGidIndex(), context.gids(address.port())))
                    .orElse("RoCE needs a global route, and this has none"));
            return advice.append("; the peer's GID is of another type or family, or cannot be reached from this one.")
                    .toString();
        } catch (final VerbsException | IllegalArgumentException unreadable) {
            return "The port cannot be read either: " + unreadable.getMessage();
        }
    }

    private static String row(final int index, final List<GidEntry> rows) {
        return rows.stream()
                .filter(r -> r.index() == index)
                .findFirst()
                .map(r -> "GID index " + index + " is " + r.gid() + " (" + r.type().text() + ")")
                .orElseGet(() -> "GID index " + index + " is empty: in use are "
                        + rows.stream().map(r -> r.index() + " (" + r.gid() + ", " + r.type().text() + ")").toList());
    }
}
