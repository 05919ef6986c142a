package org.chagres.bootstrap;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.chagres.net.ProtocolException;
import org.junit.jupiter.api.Test;

/** Introductions and tables, as sent and with changes: only {@link ProtocolException} may come of the latter. */
class TableFuzzTest {
    private static final int INPUTS = 300_000;

    private static Introduction introduction(final int rank, final String address) throws UnknownHostException {
        return new Introduction(new Peer(rank, "host-" + rank, 4711L << 20 | rank, "boot " + rank),
                new InetSocketAddress(InetAddress.getByName(address), 65_535 - rank));
    }

    private static Table table() throws UnknownHostException {
        return Table.of(List.of(introduction(0, "0.0.0.0"), introduction(1, "::"), introduction(2, "10.1.2.3"),
                introduction(3, "2001:db8::7")));
    }

    @Test
    void tablesComeOutAsTheyWentIn() throws Exception {
        final Table table = table();
        final Table decoded = Table.decode(table.encode(), 4);
        assertArrayEquals(table.id(), decoded.id());
        assertEquals(table.ranks(), decoded.ranks());
        assertEquals(4, decoded.hosts());
        assertThrows(ProtocolException.class, () -> Table.decode(table.encode(), 3));
        assertThrows(ProtocolException.class, () -> Table.decode(table.encode(), 5));
        assertThrows(ProtocolException.class, () -> Table.decode(new byte[3], 4));
    }

    @Test
    void longNamesAreCut() throws Exception {
        final Introduction one = new Introduction(new Peer(0, "h".repeat(1000), 1, "i".repeat(512)),
                introduction(0, "::1").acceptor());
        final byte[] bytes = one.encode();
        assertTrue(bytes.length <= 2048);
        final Peer peer = Introduction.decode(0, ByteBuffer.wrap(bytes)).peer();
        assertEquals(255, peer.hostName().length());
        assertEquals(512, peer.host().length());
    }

    @Test
    void mutants() throws Exception {
        final Random random = new Random(4);
        final byte[] valid = table().encode();
        int accepted = 0;
        for (int i = 0; i < INPUTS; i++) {
            final byte[] bytes = random.nextInt(4) == 0
                    ? Arrays.copyOf(valid, random.nextInt(valid.length + 20))
                    : valid.clone();
            for (int changes = 1 + random.nextInt(4); changes > 0 && bytes.length > 0; changes--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            try {
                Table.decode(bytes, 4);
                accepted++;
            } catch (final ProtocolException e) {
                assertTrue(e.getMessage().length() > 5);
            }
            try {
                Introduction.decode(1,
                        ByteBuffer.wrap(bytes, Math.min(16, bytes.length), bytes.length - Math.min(16, bytes.length)));
            } catch (final ProtocolException e) {
                assertTrue(e.getMessage().length() > 5);
            }
        }
        assertTrue(accepted > INPUTS / 10 && accepted < INPUTS * 9 / 10, accepted + " mutants were legal");
    }
}
