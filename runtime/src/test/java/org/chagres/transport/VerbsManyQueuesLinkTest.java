package org.chagres.transport;

import java.util.Map;
import org.junit.jupiter.api.Tag;

/** Messages over several queue pairs may overtake each other, and are taken in order all the same. */
@Tag("rdma")
class VerbsManyQueuesLinkTest extends VerbsLinkTest {
    @Override
    Map<String, String> environment() {
        return Map.of("CHAGRES_IB_QPS_PER_CONNECTION", "3");
    }
}
