package org.chagres.transport;

import java.util.List;
import java.util.Map;
import org.chagres.memory.MemoryDomain;
import org.chagres.memory.PageSize;
import org.chagres.memory.Region;
import org.chagres.transport.verbs.link.ConnectionData;
import org.chagres.transport.verbs.link.SharedDevice;
import org.chagres.transport.verbs.link.VerbsConnection;
import org.chagres.transport.verbs.link.VerbsLink;
import org.chagres.transport.verbs.link.VerbsTransport;
import org.chagres.verbs.ConnectionOptions;
import org.chagres.verbs.Verbs;
import org.junit.jupiter.api.Tag;

/** Two ranks of this process over one device. */
@Tag("rdma")
class VerbsLinkTest extends LinkContract {
    @Override
    String transport() {
        return "verbs";
    }

    @Override
    boolean refusesAtOnce() {
        return true;
    }

    /** Fewer, for the virtual machine that has the device runs translated code. */
    @Override
    int rounds() {
        return 600;
    }

    int queuePairs() {
        return 1;
    }

    @Override
    Pair connect() {
        final ControlLayout layout = new ControlLayout(12_288, 2, CHANNELS, INBOX_BYTES, SCRATCH_BYTES);
        final MemoryDomain[] domains = {new MemoryDomain(Map.of()), new MemoryDomain(Map.of()) };
        final Region[] controls = new Region[2];
        final VerbsTransport[] transports = new VerbsTransport[2];
        final VerbsConnection[] ends = new VerbsConnection[2];
        final ConnectionData[] data = new ConnectionData[2];
        final ConnectionOptions options = ConnectionOptions.defaults();
        for (int r = 0; r < 2; r++) {
            controls[r] = domains[r].allocate(layout.end(), PageSize.BASE);
            transports[r] = new VerbsTransport(SharedDevice.open(Verbs.devices().getFirst()), queuePairs(), 1, domains[r], controls[r], false);
            ends[r] = transports[r].connection(1 - r, 1 << 20);
            data[r] = transports[r].open(ends[r], options);
        }
        final Link[] links = new Link[2];
        for (int r = 0; r < 2; r++) {
            transports[r].connect(ends[r], data[r], ConnectionData.decode(data[1 - r].encode()), options);
            links[r] = new VerbsLink(ends[r], 3, layout, r, controls[r], controls[1 - r].token());
        }
        return new Pair(domains, controls, links, transports, () -> {
            List.of(transports).forEach(VerbsTransport::close);
            List.of(domains).forEach(MemoryDomain::close);
        });
    }
}
