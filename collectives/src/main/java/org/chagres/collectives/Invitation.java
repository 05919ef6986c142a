package org.chagres.collectives;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import org.chagres.bootstrap.JoinException;
import org.chagres.memory.DomainAddress;

/**
 * What ranks tell each other when they form a communicator.
 *
 * @param domain how to reach the rank's memory on its host
 * @param control the token of its control region
 * @param layout a hash of everything that must be equal for the control regions to fit
 * @param transport the transport that the rank insists on; empty if it leaves the choice
 * @param accepts where it accepts data connections
 * @param verbs whether it can be reached over verbs
 */
record Invitation(DomainAddress domain, long control, int layout, String transport, InetSocketAddress accepts,
        VerbsOffer verbs) {
    byte[] encode() {
        final byte[] name = transport.getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        final byte[] address = accepts.getAddress().getAddress();
        final byte[] offer = verbs.encode();
        final ByteBuffer out = ByteBuffer
                .allocate(DomainAddress.BYTES + Long.BYTES + 2 * Integer.BYTES + 2 + name.length
                        + address.length + offer.length);
        domain.write(out);
        out.putLong(control).putInt(layout).putInt(accepts.getPort());
        return out.put((byte) name.length).put(name).put((byte) address.length).put(address).put(offer).array();
    }

    static Invitation decode(final byte[] bytes) {
        final ByteBuffer in = ByteBuffer.wrap(bytes);
        final DomainAddress domain = DomainAddress.read(in);
        final long control = in.getLong();
        final int layout = in.getInt();
        final int port = in.getInt();
        final byte[] name = new byte[in.get()];
        in.get(name);
        final byte[] address = new byte[in.get()];
        in.get(address);
        final byte[] offer = new byte[in.remaining()];
        in.get(offer);
        try {
            return new Invitation(domain, control, layout,
                    new String(name, java.nio.charset.StandardCharsets.US_ASCII),
                    new InetSocketAddress(InetAddress.getByAddress(address), port), VerbsOffer.decode(offer));
        } catch (final UnknownHostException e) {
            throw new JoinException("a rank accepts connections at an address of " + address.length + " bytes", e);
        }
    }
}
