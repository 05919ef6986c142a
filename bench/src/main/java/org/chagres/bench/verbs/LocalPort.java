package org.chagres.bench.verbs;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.chagres.bench.UsageException;
import org.chagres.verbs.ConnectionOptions;
import org.chagres.verbs.Context;
import org.chagres.verbs.Gid;
import org.chagres.verbs.GidEntry;
import org.chagres.verbs.LinkLayer;
import org.chagres.verbs.PortAttributes;
import org.chagres.verbs.PortState;
import org.chagres.verbs.VerbsException;

/**
 * A port to connect from.
 *
 * @param attributes as it is now
 * @param gid the address to send from; empty on InfiniBand, where the local identifier is enough
 * @param choice one line: which GID and why
 */
public record LocalPort(PortAttributes attributes, Optional<GidEntry> gid, String choice) {

    /**
     * Looks at a port and chooses its address: the row that the user names, else the best of the table.
     *
     * @param index a row of the GID table
     * @param option what the user calls the index, such as {@code -g}
     * @throws UsageException if the port is not active, the row is empty, or there is no row to choose
     */
    public static LocalPort of(final Context context, final int port, final OptionalInt index, final String option) {
        final PortAttributes attributes = context.port(port);
        final String name = context.device().name() + " port " + port;
        if (attributes.state() != PortState.ACTIVE) {
            throw new UsageException(name + " is " + attributes.state() + " (" + attributes.physicalStateText()
                    + "): bring up " + (context.device().networkDevices().isEmpty()
                            ? "its cable and the subnet manager"
                            : String.join(", ", context.device().networkDevices())));
        }
        if (index.isPresent()) {
            final GidEntry row = row(context, port, index.getAsInt(), option);
            return new LocalPort(attributes, Optional.of(row), describe(row) + ", as " + option + " says");
        }
        if (attributes.linkLayer() == LinkLayer.INFINIBAND && !attributes.grhRequired()) {
            return new LocalPort(attributes, Optional.empty(), "no GID, the LID is enough on InfiniBand; " + option
                    + " chooses one");
        }
        final List<GidEntry> rows = context.gids(port);
        final GidEntry best = GidEntry.preferred(rows)
                .orElseThrow(() -> new UsageException("the GID table of " + name
                        + " has no address to connect from: give its network device an IP address and bring it up"));
        return new LocalPort(attributes, Optional.of(best),
                describe(best) + ", the best of " + rows.size() + "; " + option + " chooses another");
    }

    private static GidEntry row(final Context context, final int port, final int index, final String option) {
        try {
            return context.gid(port, index);
        } catch (final VerbsException e) {
            throw new UsageException(option + " " + index + ": " + e.getMessage(), e);
        }
    }

    private static String describe(final GidEntry row) {
        return "GID index " + row.index() + " (" + row.type().text()
                + row.networkDevice().map(netdev -> ", " + netdev).orElse("") + ", " + row.gid() + ")";
    }

    /** The address that peers get; all zeros if the local identifier is enough. */
    public Gid address() {
        return gid.map(GidEntry::gid).orElse(Gid.ZERO);
    }

    /** Options to connect queue pairs with, from this port and address. */
    public ConnectionOptions connection() {
        return ConnectionOptions.defaults()
                .port(attributes.port())
                .gidIndex(gid.map(GidEntry::index).orElse(ConnectionOptions.AUTOMATIC));
    }
}
