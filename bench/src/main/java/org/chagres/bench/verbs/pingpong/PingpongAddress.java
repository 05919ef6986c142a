package org.chagres.bench.verbs.pingpong;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.chagres.verbs.Gid;

/**
 * One end of a connection as rdma-core's pingpong examples exchange it: {@code LID:QPN:PSN:GID} in hexadecimal text of 4, 6, 6 and 32 digits and a
 * closing zero byte ({@code libibverbs/examples/rc_pingpong.c}, {@code gid_to_wire_gid} in {@code pingpong.c}).
 *
 * @param lid the port's local identifier; 0 on Ethernet
 * @param queuePairNumber 24 bits
 * @param packetSequenceNumber of the first packet, 24 bits
 * @param gid all zeros if the sender uses none
 */
record PingpongAddress(int lid, int queuePairNumber, int packetSequenceNumber, Gid gid) {
    /** The length of a message. */
    static final int BYTES = 4 + 1 + 6 + 1 + 6 + 1 + 32 + 1;

    private static final Pattern MESSAGE = Pattern
            .compile("([0-9a-fA-F]{4}):([0-9a-fA-F]{6}):([0-9a-fA-F]{6}):([0-9a-fA-F]{16})([0-9a-fA-F]{16})\0");
    private static final int SHOWN = 24;

    byte[] message() {
        return String.format(Locale.ROOT, "%04x:%06x:%06x:%016x%016x\0", lid, queuePairNumber, packetSequenceNumber,
                gid.subnetPrefix(), gid.interfaceId()).getBytes(StandardCharsets.ISO_8859_1);
    }

    /**
     * Reads a message.
     *
     * @throws ExchangeException if it is anything else
     */
    static PingpongAddress parse(final byte[] message) throws ExchangeException {
        final Matcher parts = MESSAGE.matcher(new String(message, StandardCharsets.ISO_8859_1));
        if (!parts.matches()) {
            throw new ExchangeException("it sent " + printable(message)
                    + ", not LID:QPN:PSN:GID: it is no end of ibv_rc_pingpong");
        }
        return new PingpongAddress(hex(parts.group(1)), hex(parts.group(2)), hex(parts.group(3)),
                new Gid(HexFormat.fromHexDigitsToLong(parts.group(4)), HexFormat.fromHexDigitsToLong(parts.group(5))));
    }

    private static int hex(final String digits) {
        return HexFormat.fromHexDigits(digits);
    }

    private static String printable(final byte[] message) {
        final String text = new String(message, StandardCharsets.ISO_8859_1).replaceAll("[^ -~]", "?");
        return "'" + (text.length() > SHOWN ? text.substring(0, SHOWN) + "..." : text) + "'";
    }

    /** As {@code ibv_rc_pingpong} prints it. */
    @Override
    public String toString() {
        return String.format(Locale.ROOT, "LID 0x%04x, QPN 0x%06x, PSN 0x%06x, GID %s", lid, queuePairNumber,
                packetSequenceNumber, gid);
    }
}
