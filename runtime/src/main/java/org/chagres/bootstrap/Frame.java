package org.chagres.bootstrap;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * A message of the rendezvous: kind (1 byte), length (4 bytes, big-endian), payload. The length is bounded, so that a stranger cannot make a rank
 * allocate memory.
 */
@SuppressWarnings("ArrayRecordComponent") // frames are never compared
record Frame(Kind kind, byte[] payload) {
    private static final int MAX_PAYLOAD = 16 << 20;

    enum Kind {
        /** Rank to coordinator: magic, version, world size, rank. */
        HELLO(1),
        /** Coordinator to rank: all ranks are here. */
        WELCOME(2),
        /** Coordinator to rank: why the world cannot form. */
        REFUSED(3),
        /** Rank to coordinator: a contribution to an exchange. */
        MINE(4),
        /** Coordinator to rank: everyone's contributions. */
        ALL(5),
        /** Either way: a rank is gone; rank, reason. */
        FAILED(6),
        /** Either way: an orderly end. */
        BYE(7),
        /** Coordinator to rank: another rank has said goodbye; rank. */
        LEFT(8);

        private final int code;

        Kind(final int code) {
            this.code = code;
        }

        private static Kind of(final int code) throws IOException {
            for (final Kind kind : values()) {
                if (kind.code == code) {
                    return kind;
                }
            }
            throw new IOException("unknown message kind " + code);
        }
    }

    static Frame read(final DataInputStream in) throws IOException {
        final Kind kind = Kind.of(in.readUnsignedByte());
        final int length = in.readInt();
        if (length < 0 || length > MAX_PAYLOAD) {
            throw new IOException("message of " + length + " bytes, the limit is " + MAX_PAYLOAD);
        }
        final byte[] payload = new byte[length];
        in.readFully(payload);
        return new Frame(kind, payload);
    }

    void write(final DataOutputStream out) throws IOException {
        synchronized (out) {
            out.writeByte(kind.code);
            out.writeInt(payload.length);
            out.write(payload);
            out.flush();
        }
    }
}
