package org.chagres.transport;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.util.Map;
import org.chagres.transport.verbs.NetworkDevices;
import org.chagres.transport.verbs.PortSurvey;
import org.chagres.transport.verbs.VerbsSettings;
import org.chagres.verbs.Verbs;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** Needs an RDMA device: the lab has one. */
@Tag("rdma")
class VerbsLinkTest extends LinkContract {
    @BeforeAll
    static void needsADevice() {
        final PortSurvey survey = PortSurvey.of(VerbsSettings.of(Map.of()), Verbs.providers(),
                NetworkDevices.ofThisHost());
        assumeFalse(survey.usable().isEmpty(),
                "there is no RDMA device here: lab/rdma-tests runs this in a guest that has one");
    }

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

    Map<String, String> environment() {
        return Map.of();
    }

    @Override
    Pair connect() {
        final VerbsPair pair = new VerbsPair(environment(),
                new ControlLayout(12_288, 2, CHANNELS, INBOX_BYTES, SCRATCH_BYTES), 3);
        return new Pair(pair.domains, pair.controls, pair.links, pair.transports, pair::close);
    }
}
