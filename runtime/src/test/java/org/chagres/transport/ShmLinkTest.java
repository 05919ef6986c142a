package org.chagres.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import org.chagres.memory.MemoryDomain;
import org.chagres.memory.PageSize;
import org.chagres.memory.PeerMemory;
import org.chagres.memory.Region;
import org.chagres.memory.StaleTokenException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShmLinkTest extends LinkContract {
    @Override
    String transport() {
        return "shm";
    }

    @Override
    Pair connect() {
        // Not at the start of the region, to find an offset that is forgotten or counted twice.
        final ControlLayout layout = new ControlLayout(12_288, 2, CHANNELS, INBOX_BYTES, SCRATCH_BYTES);
        final MemoryDomain[] domains = {new MemoryDomain(Map.of()), new MemoryDomain(Map.of()) };
        final Region[] controls = new Region[2];
        for (int r = 0; r < 2; r++) {
            controls[r] = domains[r].allocate(layout.end(), PageSize.BASE);
        }
        final PeerMemory[] views = {new PeerMemory(domains[1].address()), new PeerMemory(domains[0].address()) };
        final Link[] links = new Link[2];
        for (int r = 0; r < 2; r++) {
            links[r] = new ShmLink(layout, r, controls[r].address(), 1 - r, controls[1 - r].token(), views[r]);
        }
        final Transport none = new TcpTransport(domains[0]);
        return new Pair(domains, controls, links, new Transport[]{none, none }, () -> {
            List.of(views).forEach(PeerMemory::close);
            List.of(domains).forEach(MemoryDomain::close);
        });
    }

    @Override
    boolean refusesAtOnce() {
        return true;
    }

    @Test
    void aPeerThatClosedItsMemoryIsNoCrash() {
        pair().domains()[1].close();
        try (Region source = pair().domains()[0].allocate(INBOX_BYTES, PageSize.BASE)) {
            up().signal(1, 0, 1);
            up().announce(1, 2, 3, 4);
            up().deliver(1, source.address(), INBOX_BYTES, 5);
            assertEquals(0, up().completed());
            assertThrows(StaleTokenException.class,
                    () -> up().put(source.address(), up().scratchToken(), up().scratchOffset(1), 8));
        }
    }

    @Test
    void refusesAControlRegionThatIsTooSmall() {
        final ControlLayout layout = new ControlLayout(0, 2, CHANNELS, INBOX_BYTES, SCRATCH_BYTES);
        try (MemoryDomain domain = new MemoryDomain(Map.of());
                PeerMemory peer = new PeerMemory(domain.address());
                Region control = domain.allocate(layout.end() - 1, PageSize.BASE)) {
            assertThrows(StaleTokenException.class,
                    () -> new ShmLink(layout, 0, control.address(), 1, control.token(), peer));
        }
    }

    /** No two places of a lane that different ranks write, or that belong to different generations, may share a line. */
    @ParameterizedTest
    @CsvSource({"1, 1, 0, 0", "2, 1, 64, 4096", "3, 2, 16384, 4194304", "9, 4, 4096, 100" })
    void placesOfALaneDoNotOverlap(final int size, final int channels, final long inbox, final long scratch) {
        final ControlLayout layout = new ControlLayout(256, size, channels, inbox, scratch);
        final java.util.TreeMap<Long, Long> places = new java.util.TreeMap<>();
        for (int source = 0; source < size; source++) {
            claim(places, layout.completed(source), 8);
            for (int sequence = 0; sequence < 2; sequence++) {
                for (int channel = 0; channel < channels; channel++) {
                    claim(places, layout.signals(source, sequence) + channel * ControlLayout.SPACING,
                            ControlLayout.SPACING);
                }
                claim(places, layout.inboxLine(source, sequence), Inbox.LINE_BYTES);
                if (inbox > 0) {
                    claim(places, layout.inboxBulk(source, sequence), inbox);
                }
            }
        }
        for (int sequence = 0; sequence < 2; sequence++) {
            if (scratch > 0) {
                claim(places, layout.scratch(sequence), scratch);
            }
            assertEquals(layout.scratch(sequence), layout.scratch(sequence + 2));
        }
        assertEquals(true, places.firstKey() >= 256 && places.lastEntry().getValue() <= layout.end());
    }

    private static void claim(final java.util.NavigableMap<Long, Long> places, final long start, final long bytes) {
        final var before = places.floorEntry(start + bytes - 1);
        if (before != null && before.getValue() > start) {
            throw new AssertionError(start + " to " + (start + bytes) + " overlaps " + before);
        }
        places.put(start, start + bytes);
    }
}
