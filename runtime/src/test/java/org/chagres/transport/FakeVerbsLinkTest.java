package org.chagres.transport;

import java.util.List;
import java.util.Map;
import org.chagres.transport.fake.FakeDevice;
import org.chagres.transport.verbs.VerbsSettings;

/** Over a device in memory that is unkind: late, in any order that is allowed, and strict. */
class FakeVerbsLinkTest extends LinkContract {
    @Override
    String transport() {
        return "verbs";
    }

    @Override
    boolean refusesAtOnce() {
        return true;
    }

    /** The most bytes that travel in a request. */
    int inline() {
        return 220;
    }

    int queuePairs() {
        return 1;
    }

    @Override
    Pair connect() {
        final VerbsPair pair = new VerbsPair(
                VerbsSettings.of(Map.of("CHAGRES_IB_QPS_PER_CONNECTION", String.valueOf(queuePairs()))),
                List.of(new FakeDevice(5, inline()).port(100_000)),
                new ControlLayout(12_288, 2, CHANNELS, INBOX_BYTES, SCRATCH_BYTES), 3);
        return new Pair(pair.domains, pair.controls, pair.links, pair.transports, pair::close);
    }
}
