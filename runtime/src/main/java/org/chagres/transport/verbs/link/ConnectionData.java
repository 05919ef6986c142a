package org.chagres.transport.verbs.link;

import java.nio.ByteBuffer;
import org.chagres.verbs.Endpoint;
import org.chagres.verbs.Gid;
import org.chagres.verbs.Mtu;
import org.chagres.verbs.VerbsException;

/**
 * What one end of a connection tells the other.
 *
 * @param endpoints of its queue pairs, in order
 * @param slots where headers are written to it: address and key
 * @param control its control region, where it may be written to from the start
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record ConnectionData(Endpoint[] endpoints, Window slots, ControlWindow control) {
    /** Changes with the layout of headers and immediate values, and with the number of receive requests. */
    private static final int VERSION = 1 << 16 | VerbsQueue.RECEIVES;
    private static final int GID_BYTES = 16;
    private static final int ENDPOINT_BYTES = 4 * Integer.BYTES + GID_BYTES;
    private static final int FIXED_BYTES = 2 * Integer.BYTES + 2 * Long.BYTES + 2 * Integer.BYTES + 2 * Long.BYTES;

    /**
     * Memory that the peer may write to.
     *
     * @param address of the first byte
     * @param key the device's remote key
     */
    record Window(long address, int key) {}

    /**
     * A whole region that the peer may write to.
     *
     * @param token by which links name it
     * @param length in bytes
     */
    record ControlWindow(Window window, long token, long length) {}

    /** As bytes, for {@link #decode}. */
    public byte[] encode() {
        final ByteBuffer out = ByteBuffer.allocate(FIXED_BYTES + endpoints.length * ENDPOINT_BYTES);
        out.putInt(VERSION).putInt(endpoints.length);
        out.putLong(slots.address).putInt(slots.key);
        out.putLong(control.window.address).putInt(control.window.key).putLong(control.token).putLong(control.length);
        for (final Endpoint end : endpoints) {
            out.putInt(end.queuePairNumber())
                    .putInt(end.packetSequenceNumber())
                    .putInt(end.lid())
                    .putInt(end.mtu().bytes());
            out.putLong(end.gid().subnetPrefix()).putLong(end.gid().interfaceId());
        }
        return out.array();
    }

    /**
     * Reads what the peer told.
     *
     * @throws VerbsException if it runs another version, or what it told makes no sense
     */
    public static ConnectionData decode(final byte[] bytes) {
        try {
            final ByteBuffer in = ByteBuffer.wrap(bytes);
            final int version = in.getInt();
            if (version != VERSION) {
                throw new VerbsException(
                        "the peer speaks version " + version + " of the verbs transport, this rank version " + VERSION
                                + ": run the same Chagres on all ranks");
            }
            final Endpoint[] endpoints = new Endpoint[in.getInt()];
            final Window slots = new Window(in.getLong(), in.getInt());
            final ControlWindow control = new ControlWindow(new Window(in.getLong(), in.getInt()), in.getLong(),
                    in.getLong());
            for (int i = 0; i < endpoints.length; i++) {
                endpoints[i] = endpoint(in);
            }
            return new ConnectionData(endpoints, slots, control);
        } catch (final java.nio.BufferUnderflowException | IllegalArgumentException | NegativeArraySizeException e) {
            throw new VerbsException(
                    "the peer's connection data make no sense (" + e + "): run the same Chagres on all ranks");
        }
    }

    private static Endpoint endpoint(final ByteBuffer in) {
        final int number = in.getInt();
        final int psn = in.getInt();
        final int lid = in.getInt();
        final Mtu mtu = Mtu.ofBytes(in.getInt());
        return new Endpoint(number, psn, lid, new Gid(in.getLong(), in.getLong()), mtu);
    }
}
