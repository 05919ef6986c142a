package org.chagres.collectives;

import java.nio.ByteBuffer;
import org.chagres.memory.DomainAddress;

/**
 * What ranks tell each other when they form a communicator.
 *
 * @param host who can share memory with whom
 * @param domain how to reach the rank's memory
 * @param control the token of its control region
 * @param layout a hash of everything that must be equal for the control regions to fit
 */
record Invitation(String host, DomainAddress domain, long control, int layout) {
    byte[] encode() {
        final byte[] name = host.getBytes(java.nio.charset.StandardCharsets.UTF_8);
        final ByteBuffer out = ByteBuffer
                .allocate(Integer.BYTES + name.length + DomainAddress.BYTES + Long.BYTES + Integer.BYTES);
        out.putInt(name.length).put(name);
        domain.write(out);
        return out.putLong(control).putInt(layout).array();
    }

    static Invitation decode(final byte[] bytes) {
        final ByteBuffer in = ByteBuffer.wrap(bytes);
        final byte[] name = new byte[in.getInt()];
        in.get(name);
        return new Invitation(new String(name, java.nio.charset.StandardCharsets.UTF_8), DomainAddress.read(in),
                in.getLong(), in.getInt());
    }
}
