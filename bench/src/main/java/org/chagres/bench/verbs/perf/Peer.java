package org.chagres.bench.verbs.perf;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.chagres.verbs.Endpoint;
import org.chagres.verbs.Gid;
import org.chagres.verbs.Mtu;

/**
 * What an end tells the other: how to reach its queue pairs and its memory.
 *
 * @param endpoints of the queue pairs
 * @param gidType the packet format of its GID, which must be the same at both ends
 * @param address of the first byte of its memory
 * @param key the remote key of its memory
 */
record Peer(List<Endpoint> endpoints, String gidType, long address, int key) {
    private static final int MAX_24 = 0xffffff;
    private static final int MAX_16 = 0xffff;

    Peer {
        endpoints = List.copyOf(endpoints);
    }

    Map<String, Object> message() {
        return Map.of("ends", endpoints.stream().map(Peer::message).toList(), "gid_type", gidType, "address",
                Long.toHexString(address), "key", Integer.toHexString(key));
    }

    private static Map<String, Object> message(final Endpoint end) {
        return Map.of("qpn", end.queuePairNumber(), "psn", end.packetSequenceNumber(), "lid", end.lid(), "gid",
                end.gid().toString(), "mtu", end.mtu().bytes());
    }

    /**
     * Reads a message.
     *
     * @param queuePairs how many it must be about
     */
    static Peer parse(final Fields message, final int queuePairs) throws ProtocolException {
        final List<Endpoint> endpoints = new ArrayList<>();
        for (final Fields end : message.objects("ends")) {
            endpoints.add(endpoint(end));
        }
        if (endpoints.size() != queuePairs) {
            throw new ProtocolException("it has " + endpoints.size() + " queue pairs, not " + queuePairs);
        }
        return new Peer(endpoints, message.string("gid_type"), hex(message.string("address")),
                (int) hex(message.string("key")));
    }

    private static Endpoint endpoint(final Fields end) throws ProtocolException {
        try {
            return new Endpoint(end.integer("qpn", 0, MAX_24), end.integer("psn", 0, MAX_24),
                    end.integer("lid", 0, MAX_16), Gid.parse(end.string("gid")),
                    Mtu.ofBytes(end.integer("mtu", 0, MAX_16)));
        } catch (final IllegalArgumentException e) {
            throw new ProtocolException(e.getMessage(), e);
        }
    }

    private static long hex(final String digits) throws ProtocolException {
        try {
            return HexFormat.fromHexDigitsToLong(digits);
        } catch (final IllegalArgumentException e) {
            throw new ProtocolException("'" + digits + "' is no hexadecimal number", e);
        }
    }
}
