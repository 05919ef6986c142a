package org.chagres.transport.verbs;

import java.net.InetAddress;
import org.chagres.verbs.Gid;

/**
 * The addresses that begin like another: {@code 10.1.0.0/16}, {@code fd00::/8}.
 *
 * @param base an address of the range; IPv4 as {@code ::ffff:a.b.c.d}
 * @param bits how many leading bits of the 128 are alike
 */
public record AddressRange(Gid base, int bits) {
    private static final int ALL_BITS = 128;
    private static final int IPV4_BITS = 32;

    /**
     * Reads {@code address/bits}.
     *
     * @throws IllegalArgumentException if it is anything else, a host name included
     */
    static AddressRange parse(final String text) {
        final int slash = text.indexOf('/');
        try {
            final Gid base = Gid.of(InetAddress.ofLiteral(text.substring(0, Math.max(slash, 0)).strip()));
            final int width = base.isIpv4Mapped() ? IPV4_BITS : ALL_BITS;
            final int bits = Integer.parseInt(text.substring(slash + 1).strip());
            if (slash > 0 && bits >= 0 && bits <= width) {
                return new AddressRange(base, bits + ALL_BITS - width);
            }
        } catch (final IllegalArgumentException e) {
            throw malformed(text, e);
        }
        throw malformed(text, null);
    }

    private static IllegalArgumentException malformed(final String text, final Exception cause) {
        return new IllegalArgumentException("'" + text + "' is not a range of addresses: use an address and a number of"
                + " leading bits, such as 10.1.0.0/16 or fd00::/8", cause);
    }

    /** The family of its addresses; {@code ::/0} spans both. */
    public boolean spans(final AddressFamily family) {
        return bits == 0 || AddressFamily.of(base) == family;
    }

    /** Whether a GID lies in the range. */
    public boolean contains(final Gid gid) {
        return alike(gid.subnetPrefix(), base.subnetPrefix(), bits)
                && alike(gid.interfaceId(), base.interfaceId(), bits - Long.SIZE);
    }

    private static boolean alike(final long a, final long b, final int bits) {
        return bits <= 0 || (a ^ b) >>> Long.SIZE - Math.min(bits, Long.SIZE) == 0;
    }
}
