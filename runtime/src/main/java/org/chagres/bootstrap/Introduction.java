package org.chagres.bootstrap;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.chagres.net.ProtocolException;

/**
 * What a rank tells the others of itself. On the wire, big-endian: address length 1, address, port 2, process id 8, then host name and host identity, each as
 * length 2 and UTF-8.
 *
 * @param acceptor where it accepts connections; an address of all zeros stands for the one by which the coordinator's host is reached
 */
record Introduction(Peer peer, InetSocketAddress acceptor) {
    private static final int MAX_NAME_BYTES = 255;
    private static final int MAX_BYTES = 1 + 16 + 2 + 8 + 2 + MAX_NAME_BYTES + 2 + HostIdentity.MAX_BYTES;

    byte[] encode() {
        final ByteBuffer out = ByteBuffer.allocate(MAX_BYTES);
        final byte[] address = acceptor.getAddress().getAddress();
        out.put((byte) address.length).put(address).putShort((short) acceptor.getPort()).putLong(peer.pid());
        put(out, peer.hostName(), MAX_NAME_BYTES);
        put(out, peer.host(), HostIdentity.MAX_BYTES);
        return Arrays.copyOf(out.array(), out.position());
    }

    private static void put(final ByteBuffer out, final String text, final int most) {
        final byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        final int length = Math.min(bytes.length, most);
        out.putShort((short) length).put(bytes, 0, length);
    }

    /** Takes what {@code rank} said of itself out of {@code in}. */
    static Introduction decode(final int rank, final ByteBuffer in) throws ProtocolException {
        try {
            final int length = in.get();
            if (length != 4 && length != 16) {
                throw new ProtocolException("an address of " + length + " bytes");
            }
            final byte[] address = new byte[length];
            in.get(address);
            final InetSocketAddress acceptor = new InetSocketAddress(InetAddress.getByAddress(address),
                    Short.toUnsignedInt(in.getShort()));
            final long pid = in.getLong();
            final String hostName = text(in, MAX_NAME_BYTES);
            return new Introduction(new Peer(rank, hostName, pid, text(in, HostIdentity.MAX_BYTES)), acceptor);
        } catch (final BufferUnderflowException e) {
            throw truncated(e);
        } catch (final UnknownHostException e) {
            throw new AssertionError("4 and 16 bytes are legal", e);
        }
    }

    static ProtocolException truncated(final BufferUnderflowException e) {
        final ProtocolException truncated = new ProtocolException("a message that ends too early");
        truncated.initCause(e);
        return truncated;
    }

    private static String text(final ByteBuffer in, final int most) throws ProtocolException {
        final int length = Short.toUnsignedInt(in.getShort());
        if (length > most) {
            throw new ProtocolException("a name of " + length + " bytes: at most " + most + " are allowed");
        }
        final byte[] bytes = new byte[length];
        in.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
