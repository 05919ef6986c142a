package org.chagres.verbs;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A global identifier: the 128-bit address of a port. On RoCE v2 it is the IPv6 address, or the IPv4 address as {@code ::ffff:a.b.c.d}.
 *
 * @param subnetPrefix the first 8 bytes, as a big-endian number
 * @param interfaceId the last 8 bytes, as a big-endian number
 */
public record Gid(long subnetPrefix, long interfaceId) {
    /** The length in bytes. */
    public static final int BYTES = 16;
    /** All zeros: no address. */
    public static final Gid ZERO = new Gid(0, 0);

    private static final ValueLayout.OfLong BIG_ENDIAN = ValueLayout.JAVA_LONG_UNALIGNED
            .withOrder(ByteOrder.BIG_ENDIAN);
    private static final long IPV4_MAPPED = 0xffffL;

    /** The GID in the first 16 bytes of a segment, in network byte order. */
    public static Gid read(final MemorySegment from) {
        return new Gid(from.get(BIG_ENDIAN, 0), from.get(BIG_ENDIAN, Long.BYTES));
    }

    /** Writes the 16 bytes to the start of a segment, in network byte order. */
    public void write(final MemorySegment to) {
        to.set(BIG_ENDIAN, 0, subnetPrefix);
        to.set(BIG_ENDIAN, Long.BYTES, interfaceId);
    }

    /** The GID that stands for an IP address on RoCE v2. */
    public static Gid of(final InetAddress address) {
        final ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
        return bytes.capacity() == BYTES
                ? new Gid(bytes.getLong(), bytes.getLong())
                : new Gid(0, IPV4_MAPPED << 32 | Integer.toUnsignedLong(bytes.getInt()));
    }

    /**
     * Reads the text form: an IPv6 address, such as {@code fe80::1} or {@code ::ffff:10.0.0.1}.
     *
     * @throws IllegalArgumentException if it is anything else, a host name included
     */
    public static Gid parse(final String text) {
        // Without a colon the JDK might take it for a name and ask a name server.
        if (text.indexOf(':') < 0 || text.indexOf('%') >= 0) {
            throw malformed(text, null);
        }
        try {
            return of(InetAddress.getByName(text));
        } catch (final UnknownHostException e) {
            throw malformed(text, e);
        }
    }

    private static IllegalArgumentException malformed(final String text, final Exception cause) {
        return new IllegalArgumentException(
                "'" + text + "' is not a GID: an IPv6 address such as fe80::1 or ::ffff:10.0.0.1 is", cause);
    }

    /** Whether this is an IPv4 address in IPv6 form. */
    public boolean isIpv4Mapped() {
        return subnetPrefix == 0 && interfaceId >>> 32 == IPV4_MAPPED;
    }

    /** Whether this address reaches no further than the link: {@code fe80::/10}, or IPv4 {@code 169.254.0.0/16}. */
    public boolean isLinkLocal() {
        return scope() == GidScope.LINK;
    }

    /** Whether all bits are 0, as in an empty row of a GID table. */
    public boolean isZero() {
        return (subnetPrefix | interfaceId) == 0;
    }

    /** How far this address reaches. */
    public GidScope scope() {
        final InetAddress address = address();
        if (address.isMulticastAddress()) {
            return GidScope.MULTICAST;
        }
        if (address.isAnyLocalAddress() || address.isLoopbackAddress()) {
            return GidScope.HOST;
        }
        if (address.isLinkLocalAddress()) {
            return GidScope.LINK;
        }
        final boolean uniqueLocal = !isIpv4Mapped() && subnetPrefix >>> 57 == 0xfc >> 1;
        return uniqueLocal || address.isSiteLocalAddress() ? GidScope.PRIVATE : GidScope.GLOBAL;
    }

    /** The IP address: an {@link java.net.Inet4Address} if mapped, else an {@link java.net.Inet6Address}. */
    public InetAddress address() {
        try {
            return InetAddress
                    .getByAddress(ByteBuffer.allocate(BYTES).putLong(subnetPrefix).putLong(interfaceId).array());
        } catch (final UnknownHostException e) {
            throw new AssertionError("16 bytes are an address", e);
        }
    }

    /** The text form of RFC 5952: {@code fe80::1}, {@code ::ffff:10.0.0.1}. */
    @Override
    public String toString() {
        return isIpv4Mapped() ? "::ffff:" + address().getHostAddress() : GidText.of(subnetPrefix, interfaceId);
    }
}
