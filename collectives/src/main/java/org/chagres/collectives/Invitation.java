package org.chagres.collectives;

import java.nio.ByteBuffer;
import org.chagres.memory.DomainAddress;

/**
 * What ranks tell each other when they form a communicator.
 *
 * @param domain how to reach the rank's memory
 * @param control the token of its control region
 * @param layout a hash of everything that must be equal for the control regions to fit
 */
record Invitation(DomainAddress domain, long control, int layout) {
    byte[] encode() {
        final ByteBuffer out = ByteBuffer.allocate(DomainAddress.BYTES + Long.BYTES + Integer.BYTES);
        domain.write(out);
        return out.putLong(control).putInt(layout).array();
    }

    static Invitation decode(final byte[] bytes) {
        final ByteBuffer in = ByteBuffer.wrap(bytes);
        return new Invitation(DomainAddress.read(in), in.getLong(), in.getInt());
    }
}
