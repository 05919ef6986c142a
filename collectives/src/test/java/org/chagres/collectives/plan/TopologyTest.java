package org.chagres.collectives.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class TopologyTest {
    @Test
    void onlyWhoSharesAHostMatters() {
        final Topology topology = Topology.of(7, 3, 7, -1);
        assertEquals(3, topology.hosts());
        assertEquals(List.of(0, 1, 0, 2),
                List.of(topology.host(0), topology.host(1), topology.host(2), topology.host(3)));
        assertTrue(topology.crosses(0, 1));
        assertFalse(topology.crosses(0, 2));
        assertEquals(topology, Topology.of(0, 1, 0, 2));
        assertEquals(topology, Topology.of(List.of("b", "a", "b", "c")));
        assertEquals(topology.hashCode(), Topology.of(0, 1, 0, 2).hashCode());
        assertNotEquals(topology, Topology.of(0, 1, 1, 2));
        assertTrue(topology.describes(4));
        assertFalse(topology.describes(3));
    }

    @Test
    void oneHostIsOneHostWhateverItsRanks() {
        assertEquals(Topology.ONE_HOST, Topology.of(5, 5, 5));
        assertEquals(Topology.ONE_HOST, Topology.blocks(4));
        assertEquals(1, Topology.ONE_HOST.hosts());
        assertEquals(0, Topology.ONE_HOST.host(1000));
        assertTrue(Topology.ONE_HOST.describes(17));
    }

    @Test
    void blocksFillHostAfterHost() {
        assertEquals(Topology.of(0, 0, 1, 2, 2, 2), Topology.blocks(2, 1, 3));
        final String message = assertThrows(IllegalArgumentException.class, () -> Topology.blocks(2, 0)).getMessage();
        assertTrue(message.contains("host 1 has 0 ranks"), message);
    }
}
