package org.chagres.transport;

import java.util.List;
import java.util.Map;
import org.chagres.memory.MemoryDomain;
import org.chagres.memory.PageSize;
import org.chagres.memory.Region;
import org.chagres.transport.verbs.NetworkDevices;
import org.chagres.transport.verbs.PathAgreement;
import org.chagres.transport.verbs.PathEnd;
import org.chagres.transport.verbs.PortSurvey;
import org.chagres.transport.verbs.UsablePort;
import org.chagres.transport.verbs.VerbsSettings;
import org.chagres.transport.verbs.link.ConnectionData;
import org.chagres.transport.verbs.link.VerbsConnection;
import org.chagres.transport.verbs.link.VerbsLink;
import org.chagres.transport.verbs.link.VerbsPath;
import org.chagres.transport.verbs.link.VerbsTransport;
import org.chagres.verbs.Verbs;

/** Two ranks of this process, connected over verbs: over one port, or over two if there are several. */
final class VerbsPair {
    final MemoryDomain[] domains = {new MemoryDomain(Map.of()), new MemoryDomain(Map.of()) };
    final Region[] controls = new Region[2];
    final VerbsTransport[] transports = new VerbsTransport[2];
    final VerbsConnection[] connections = new VerbsConnection[2];
    final Link[] links = new Link[2];

    /** Connects with the settings that {@code environment} has. */
    VerbsPair(final Map<String, String> environment, final ControlLayout layout, final int lane) {
        this(VerbsSettings.of(environment),
                PortSurvey.of(VerbsSettings.of(environment), Verbs.providers(), NetworkDevices.ofThisHost()).usable(),
                layout, lane);
    }

    /** Connects over {@code ports}, each rank over its own if there are several. */
    VerbsPair(final VerbsSettings settings, final List<UsablePort> ports, final ControlLayout layout, final int lane) {
        final PathEnd[] ends = new PathEnd[2];
        final ConnectionData[] data = new ConnectionData[2];
        for (int r = 0; r < 2; r++) {
            final UsablePort port = ports.get(r % ports.size());
            ends[r] = PathEnd.of(r, "host", port);
            controls[r] = domains[r].allocate(layout.end(), PageSize.BASE);
            transports[r] = new VerbsTransport(port, settings, ends[r], 1, domains[r], controls[r]);
            connections[r] = transports[r].connection(1 - r);
            data[r] = transports[r].open(connections[r]);
        }
        for (int r = 0; r < 2; r++) {
            transports[r].connect(connections[r], data[r], ConnectionData.decode(data[1 - r].encode()),
                    new VerbsPath(ends[1 - r], PathAgreement.of(ends[r], ends[1 - r])));
            links[r] = new VerbsLink(connections[r], lane, layout, r, controls[r], controls[1 - r].token());
        }
    }

    void close() {
        List.of(transports).forEach(VerbsTransport::close);
        List.of(domains).forEach(MemoryDomain::close);
    }
}
